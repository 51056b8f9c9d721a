import { QueueDoesNotExist, SQS } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { type CallHooks, inProcessRequestHandler, SqsError } from "../../../../lib/sandbox/sqs/index.ts";
import { setup } from "../fixtures/setup.ts";

function client(hooks: CallHooks = {}) {
  const world = setup();
  const sqs = new SQS({
    endpoint: "http://localhost",
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
    requestHandler: inProcessRequestHandler(world.service, hooks),
  });
  return { ...world, sqs, QueueUrl: world.queue() };
}

describe("the in-process request handler", () => {
  it("serves the whole SDK without a socket", async () => {
    const { sqs, QueueUrl } = client();
    const MessageAttributes = { sig: { DataType: "Binary.png", BinaryValue: Uint8Array.of(1, 2, 3) } };
    await sqs.sendMessage({ QueueUrl, MessageBody: "🙂", MessageAttributes });
    const { Messages } = await sqs.receiveMessage({ QueueUrl, MessageAttributeNames: ["All"] });
    expect(Messages).toMatchObject([{ Body: "🙂", MessageAttributes }]);
    await expect(sqs.getQueueUrl({ QueueName: "missing" })).rejects.toBeInstanceOf(QueueDoesNotExist);
  });

  it("FC-04: refuses what the SDK lets through: NaN (sent as text) and fractions", async () => {
    const { sqs, QueueUrl } = client();
    for (const DelaySeconds of [Number.NaN, 12.7, Number.POSITIVE_INFINITY]) {
      const call = sqs.sendMessage({ QueueUrl, MessageBody: "x", DelaySeconds });
      await expect(call).rejects.toMatchObject({ name: "InvalidParameterValue" });
    }
  });

  it("FC-06: refuses a Lambda-event attribute handed over as it is", async () => {
    const { sqs, QueueUrl } = client();
    const record: object = { tenant: { stringValue: "a", stringListValues: [], dataType: "String" } };
    const call = sqs.sendMessage({ QueueUrl, MessageBody: "x", MessageAttributes: { ...record } });
    await expect(call).rejects.toMatchObject({ name: "InvalidParameterValue" });
  });

  it("FC-12: a hook can fail a batch entry in an answer of HTTP 200", async () => {
    const { sqs, QueueUrl } = client({
      after: (action) =>
        action === "SendMessageBatch"
          ? { Successful: [], Failed: [{ Id: "a", Code: "InternalError", SenderFault: false }] }
          : undefined,
    });
    const output = await sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: "a", MessageBody: "x" }] });
    expect(output.Failed).toMatchObject([{ Id: "a", Code: "InternalError", SenderFault: false }]);
  });

  it("a hook before the action can refuse it with any error code, and nothing is done", async () => {
    const { sqs, QueueUrl, service } = client({
      before: (action) => {
        if (action === "SendMessage") throw new SqsError("RequestThrottled", "slow down");
      },
    });
    const call = sqs.sendMessage({ QueueUrl, MessageBody: "x" });
    await expect(call).rejects.toMatchObject({ name: "RequestThrottled", $metadata: { httpStatusCode: 403 } });
    expect(service.inspect(QueueUrl).visible).toBe(0);
  });

  it("a hook after the action can lose its answer on the way", async () => {
    const { sqs, QueueUrl, service } = client({
      after: (action) => {
        if (action === "SendMessage") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
        return undefined;
      },
    });
    await expect(sqs.sendMessage({ QueueUrl, MessageBody: "x" })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(service.inspect(QueueUrl).visible).toBe(1);
  });

  it("ends a long poll when the SDK aborts it", async () => {
    const { sqs, QueueUrl, send, service } = client();
    const abort = new AbortController();
    const poll = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }, { abortSignal: abort.signal });
    const ended = expect(poll).rejects.toMatchObject({ name: "AbortError" });
    abort.abort();
    await ended;
    send(QueueUrl);
    expect(service.inspect(QueueUrl).visible).toBe(1);
  });
});
