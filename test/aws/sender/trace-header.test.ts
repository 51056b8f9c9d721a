import type { SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSQSClient } from "../../../lib/aws/clients.ts";
import { type OutgoingMessage, SqsMessageSender } from "../../../lib/aws/sender/message-sender.ts";
import { withoutLineage } from "../../../lib/aws/sender/trace-header.ts";

const ROOT = "Root=1-5759e988-bd862e3fe1be46a994272793";
const TRACE = `${ROOT};Parent=53995c3f42cd8ad8;Sampled=1`;

describe("a trace header without lineage", () => {
  it.each([
    [`${TRACE};Lineage=1:a87bd80c:3`, TRACE],
    [`Lineage=1:a87bd80c:3;${TRACE}`, TRACE],
    [`${ROOT}; Parent=53995c3f42cd8ad8; Sampled=1; Lineage=1:a:3|b:4`, TRACE],
    [`Self=1-2-3;${ROOT};Custom=x`, ROOT],
    [TRACE, TRACE],
    ["Lineage=1:a87bd80c:3", undefined],
    ["lineage=1:a87bd80c:3;root=x", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %j is %j", (header, kept) => expect(withoutLineage(header)).toBe(kept));
});

/** What reaches the HTTP handler: header names in lower case, and the body as text. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The client of the handlers, with its bytes caught where they would leave. */
function caught() {
  const sent: Sent[] = [];
  const client: SQSClient = createSQSClient();
  client.config.requestHandler = {
    metadata: { handlerProtocol: "http/1.1" },
    handle: async (request: { headers: Record<string, string>; body: Uint8Array }) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
      sent.push({ headers: Object.fromEntries(headers), body: new TextDecoder().decode(request.body) });
      const body = Buffer.from(JSON.stringify({ Successful: [{ Id: "0", MessageId: "m" }], Failed: [] }));
      return { response: { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body } };
    },
    destroy: () => {},
  } as never;
  return { client, sent };
}

const message: OutgoingMessage = { body: "x", attributes: {}, bytes: 1, delaySeconds: 0 };
const QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/work";

describe("FC-30: the bytes that leave a function inside Lambda", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "ingest");
    vi.stubEnv("_X_AMZN_TRACE_ID", `${TRACE};Lineage=1:a87bd80c:3`);
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("carry the function's trace as HTTP header without lineage", async () => {
    const { client, sent } = caught();
    await new SqsMessageSender(client).send(QUEUE_URL, [message]);
    expect(sent.map(({ headers }) => headers["x-amzn-trace-id"])).toEqual([TRACE]);
    expect(JSON.stringify(sent)).not.toMatch(/lineage/i);
  });

  it("would carry the lineage without our middleware: the SDK copies it", async () => {
    const { client, sent } = caught();
    client.middlewareStack.remove("dropLineage");
    await new SqsMessageSender(client).send(QUEUE_URL, [message]);
    expect(sent[0]?.headers["x-amzn-trace-id"]).toContain("Lineage=1:a87bd80c:3");
  });

  it("carry each entry's own trace, with lineage only where the entry was given it", async () => {
    const { client, sent } = caught();
    const uncountable = `${TRACE};Lineage=1:a87bd80c:3`;
    const messages = [message, { ...message, traceHeader: ROOT }, { ...message, traceHeader: uncountable }];
    await new SqsMessageSender(client).send(QUEUE_URL, messages);
    const { Entries } = JSON.parse(sent[0]?.body ?? "{}") as { Entries: object[] };
    const header = (StringValue: string) => ({ AWSTraceHeader: { DataType: "String", StringValue } });
    expect(Entries).toMatchObject([
      { Id: "0" },
      { MessageSystemAttributes: header(ROOT) },
      { MessageSystemAttributes: header(uncountable) },
    ]);
    expect(Entries[0]).not.toHaveProperty("MessageSystemAttributes");
    expect(sent[0]?.headers["x-amzn-trace-id"]).toBe(TRACE);
  });

  it("carry no trace header at all where the lineage is all there is", async () => {
    vi.stubEnv("_X_AMZN_TRACE_ID", "Lineage=1:a87bd80c:3");
    const { client, sent } = caught();
    await new SqsMessageSender(client).send(QUEUE_URL, [message]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers).not.toHaveProperty("x-amzn-trace-id");
  });
});
