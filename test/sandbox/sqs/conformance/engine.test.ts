import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QueueService, type SqsServer, startSqsServer } from "../../../../lib/sandbox/sqs/index.ts";
import { JumpingClock } from "../fixtures/jumping-clock.ts";
import { CONFORMANCE_CASES, sqsConformance } from "./suite.ts";

describe("the queue engine over HTTP", () => {
  const clock = new JumpingClock({ running: true });
  const service = new QueueService({ clock });
  let server: SqsServer;
  beforeAll(async () => {
    server = await startSqsServer(service);
  });
  afterAll(() => server.close());

  it("is held to all 92 lines of the behaviour list", () => {
    const lines = CONFORMANCE_CASES.map((one) => Number.parseInt(one.name, 10));
    expect(lines).toEqual(Array.from({ length: 92 }, (_, index) => index + 1));
  });

  sqsConformance({
    name: "the queue engine",
    endpoint: () => server.endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    advance: (ms) => {
      clock.advance(ms);
      service.progress();
    },
  });
});
