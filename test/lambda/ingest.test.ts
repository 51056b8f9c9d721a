import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TableEngine } from "../../lib/sandbox/dynamodb/engine.ts";
import { startTableEngine } from "../../lib/sandbox/dynamodb/table-engine.ts";
import { QueueService, type SqsServer, startSqsServer, systemClock } from "../../lib/sandbox/sqs/index.ts";
import { aRecord, type RecordOptions } from "../ingest/records.ts";
import { createStateTable, type StateTable } from "../ingest/table.ts";
import { ENVIRONMENT } from "./environment.ts";

const TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";

const service = new QueueService({ clock: systemClock });
let server: SqsServer;
let engine: TableEngine;
let table: StateTable;

beforeAll(async () => {
  [server, engine] = await Promise.all([startSqsServer(service), startTableEngine()]);
  table = await createStateTable(engine);
});

afterAll(async () => {
  await Promise.all([server.close(), engine.stop()]);
});

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

let queues = 0;

/** The handler as Lambda would load it, talking HTTP to servers on this machine. */
async function coldHandler(settings: Readonly<Record<string, string>> = {}) {
  queues += 1;
  const [work = "", dead = ""] = [`work${queues}`, `dead${queues}`].map(
    (QueueName) => service.call("CreateQueue", { QueueName }).QueueUrl,
  );
  const environment = {
    ...ENVIRONMENT,
    AWS_ENDPOINT_URL_SQS: server.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_LAMBDA_FUNCTION_NAME: "ingest",
    RETRY_STATE_TABLE: table.name,
    RETRY_WORK_QUEUE_URL: work,
    RETRY_DEAD_LETTER_QUEUE_URL: dead,
    ...settings,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.resetModules();
  const { handler } = await import("../../lambda/ingest.ts");
  const invoke = (records: readonly RecordOptions[], remainingMs = 60_000): Promise<SQSBatchResponse> =>
    handler(
      { Records: records.map(aRecord) } as unknown as SQSEvent,
      { getRemainingTimeInMillis: () => remainingMs } as Context,
    );
  return { invoke, work: () => service.inspect(work).messages, dead: () => service.inspect(dead).messages };
}

describe("the ingest function", () => {
  it("retries over real HTTP what failed, and answers that all is done", async () => {
    const { invoke, work } = await coldHandler();
    const records = Array.from({ length: 120 }, (_, index) => ({ messageId: `first ${index}`, body: `${index}` }));
    expect(await invoke(records)).toEqual({ batchItemFailures: [] });
    expect(work()).toHaveLength(120);
  });

  it("draws no warning from the runtime for the many calls that hang on one abort signal", async () => {
    const { invoke } = await coldHandler();
    const warned = vi.fn<(warning: Error) => void>();
    process.on("warning", warned);
    await invoke(Array.from({ length: 60 }, (_, index) => ({ messageId: `many ${index}` })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warned);
    expect(warned.mock.calls.map(([{ name }]) => name)).toEqual([]);
  });

  it("dead-letters what has no attempt left", async () => {
    const { invoke, work, dead } = await coldHandler({ RETRY_MAX_ATTEMPTS: "1" });
    expect(await invoke([{ messageId: "only", body: "payload" }])).toEqual({ batchItemFailures: [] });
    expect([work().length, dead().map(({ body }) => body)]).toEqual([0, ["payload"]]);
  });

  it("FC-30: sends no lineage on, and keeps the trace, for reports with identity", async () => {
    const { invoke, work } = await coldHandler({ _X_AMZN_TRACE_ID: `${TRACE};Lineage=1:a87bd80c:3` });
    await invoke([
      { messageId: "traced", moved: true, traceHeader: "Root=1-0-0;Lineage=1:a87bd80c:2" },
      { messageId: "untraced", moved: true },
      { messageId: "unknown" },
    ]);
    expect(work().map(({ systemAttributes }) => systemAttributes.AWSTraceHeader)).toEqual([
      "Root=1-0-0",
      TRACE,
      `${TRACE};Lineage=1:a87bd80c:3`,
    ]);
  });

  it("hands everything back when its time is up before it begins", async () => {
    const { invoke, work } = await coldHandler();
    expect(await invoke([{ messageId: "late" }], 1_500)).toEqual({ batchItemFailures: [{ itemIdentifier: "late" }] });
    expect(work()).toEqual([]);
  });

  it("takes a remaining time that is no whole number of milliseconds", async () => {
    const { invoke } = await coldHandler();
    expect(await invoke([{ messageId: "fraction" }], 30_000.5)).toEqual({ batchItemFailures: [] });
  });

  it("keeps nothing between events: the same warm function answers each for itself", async () => {
    const { invoke } = await coldHandler();
    const newer = { messageId: "newer", context: { min: 2, itemId: "x", attempt: 1 } };
    expect(await invoke([newer])).toEqual({ batchItemFailures: [{ itemIdentifier: "newer" }] });
    expect(await invoke([{ messageId: "next" }])).toEqual({ batchItemFailures: [] });
  });
});
