import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { describe, expect, it } from "vitest";
import { type OutgoingMessage, SqsMessageSender } from "../../../lib/aws/sender/message-sender.ts";
import { inProcessRequestHandler, QueueService } from "../../../lib/sandbox/sqs/index.ts";
import { awsError } from "../../ingest/calls.ts";
import { CREDENTIALS, REGION } from "../../ingest/table.ts";
import { JumpingClock } from "../../sandbox/sqs/fixtures/jumping-clock.ts";

const QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/work";

function aMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return { body: "x", attributes: {}, bytes: 1, delaySeconds: 0, ...changes };
}

type Answer = { Successful?: object[]; Failed?: object[] };

/** A client whose batch sends are answered by `answer`, which is given the entries and the number of the call. */
function answering(answer: (entries: readonly SendMessageBatchRequestEntry[], call: number) => Answer) {
  const client = new SQSClient({ region: REGION, credentials: CREDENTIALS });
  const mock = mockClient(client);
  let call = 0;
  mock.on(SendMessageBatchCommand).callsFake(({ Entries }) => {
    call += 1;
    return answer(Entries, call);
  });
  const batches = () => mock.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);
  return { sender: new SqsMessageSender(client), batches };
}

const sentAll = (entries: readonly { Id?: string | undefined }[]): Answer => ({
  Successful: entries.map(({ Id }) => ({ Id, MessageId: `sent ${Id}` })),
});

/** A sender to a queue of the strict model. */
function strict() {
  const service = new QueueService({ clock: new JumpingClock() });
  const url = service.call("CreateQueue", { QueueName: "work" }).QueueUrl ?? "";
  const requestHandler = inProcessRequestHandler(service);
  const client = new SQSClient({
    endpoint: service.endpoint,
    region: REGION,
    credentials: CREDENTIALS,
    requestHandler,
  });
  return { sender: new SqsMessageSender(client), url, look: () => service.inspect(url).messages };
}

describe("the sender", () => {
  it("puts bytes, texts and custom types on the queue as they are", async () => {
    const { sender, url, look } = strict();
    const attributes = {
      sig: { dataType: "Binary.png", bytes: Uint8Array.of(0, 1, 2, 255) },
      prio: { dataType: "Number", text: "7" },
      id: { dataType: "String.uuid", text: "é🙂" },
    };
    const message = aMessage({ body: "body 🙂", attributes, groupId: "tenant", delaySeconds: 900, bytes: 100 });
    expect(await sender.send(url, [message])).toMatchObject([{ sent: true, messageId: expect.any(String) }]);
    const [arrived] = look();
    expect(arrived).toMatchObject({
      body: "body 🙂",
      state: "delayed",
      systemAttributes: { MessageGroupId: "tenant" },
    });
    expect(arrived?.attributes).toEqual({
      sig: { DataType: "Binary.png", BinaryValue: Uint8Array.of(0, 1, 2, 255) },
      prio: { DataType: "Number", StringValue: "7" },
      id: { DataType: "String.uuid", StringValue: "é🙂" },
    });
  });

  it("answers in the order of the messages, with the id that each was given", async () => {
    const { sender, url, look } = strict();
    const messages = Array.from({ length: 25 }, (_, index) => aMessage({ body: `${index}` }));
    const results = await sender.send(url, messages);
    const ids = new Map(look().map(({ body, messageId }) => [body, messageId]));
    expect(results).toEqual(messages.map(({ body }) => ({ sent: true, messageId: ids.get(body) })));
  });

  it("sends a message of 1 MiB in a batch of its own", async () => {
    const { sender, url, look } = strict();
    const large = aMessage({ body: "x".repeat(1_048_576), bytes: 1_048_576 });
    const results = await sender.send(url, [aMessage(), large, aMessage()]);
    expect(results.map(({ sent }) => sent)).toEqual([true, true, true]);
    expect(look()).toHaveLength(3);
  });

  it("gives whole delays, entry ids that SQS takes, and the trace of each entry", async () => {
    const { sender, batches } = answering(sentAll);
    await sender.send(QUEUE_URL, [aMessage({ delaySeconds: 7, traceHeader: "Root=1-a-b" }), aMessage()]);
    const [[first, second] = []] = batches();
    expect(first).toEqual({
      Id: "0",
      MessageBody: "x",
      DelaySeconds: 7,
      MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue: "Root=1-a-b" } },
    });
    expect(second).toEqual({ Id: "1", MessageBody: "x", DelaySeconds: 0 });
  });

  it("makes no call for no message", async () => {
    const { sender, batches } = answering(sentAll);
    expect(await sender.send(QUEUE_URL, [])).toEqual([]);
    expect(batches()).toEqual([]);
  });
});

describe("an answer that is not all good", () => {
  it("FC-12: counts as sent only what it names among the successful ones", async () => {
    const { sender } = answering(([first, second]) => ({
      Successful: [{ Id: first?.Id, MessageId: "m0" }],
      Failed: [{ Id: second?.Id, Code: "AccessDenied", Message: "no", SenderFault: false }],
    }));
    expect(await sender.send(QUEUE_URL, [aMessage(), aMessage(), aMessage()])).toEqual([
      { sent: true, messageId: "m0" },
      { sent: false, code: "AccessDenied", transient: false, detail: "no" },
      { sent: false, code: "NotAnswered", transient: false, detail: expect.stringContaining("neither") },
    ]);
  });

  it("FC-12: an empty answer, and one about entries that nobody sent, count as nothing sent", async () => {
    for (const answer of [{}, { Successful: [{ Id: "7", MessageId: "m" }, { MessageId: "n" }] }]) {
      const { sender } = answering(() => answer);
      expect(await sender.send(QUEUE_URL, [aMessage()])).toMatchObject([{ sent: false, code: "NotAnswered" }]);
    }
  });

  it.each([true, false])("re-sends what was throttled, and it alone, whatever SenderFault says (%s)", async (fault) => {
    const { sender, batches } = answering((entries, call) =>
      call > 1
        ? sentAll(entries)
        : {
            Successful: [{ Id: "0", MessageId: "m0" }],
            Failed: [
              { Id: "1", Code: "RequestThrottled", SenderFault: fault },
              { Id: "2", Code: "InvalidMessageContents", SenderFault: fault },
            ],
          },
    );
    const messages = ["a", "b", "c"].map((body) => aMessage({ body }));
    expect(await sender.send(QUEUE_URL, messages)).toMatchObject([
      { sent: true, messageId: "m0" },
      { sent: true, messageId: "sent 0" },
      { sent: false, code: "InvalidMessageContents" },
    ]);
    expect(batches().map((entries) => entries.map(({ MessageBody }) => MessageBody))).toEqual([["a", "b", "c"], ["b"]]);
  });

  it("gives up on a throttle that lasts, after three sends", async () => {
    const { sender, batches } = answering((entries) => ({
      Failed: entries.map(({ Id }) => ({ Id, Code: "RequestThrottled", SenderFault: true })),
    }));
    const results = await sender.send(QUEUE_URL, [aMessage()]);
    expect(results).toMatchObject([{ sent: false, code: "RequestThrottled", transient: true }]);
    expect(batches()).toHaveLength(3);
  });

  it("keeps a failed batch apart from the others, and never rejects", async () => {
    const { sender } = answering((entries, call) => {
      if (call === 1) throw awsError("KMS.AccessDeniedException", "no key");
      return sentAll(entries);
    });
    const messages = Array.from({ length: 15 }, () => aMessage());
    const results = await sender.send(QUEUE_URL, messages);
    const refused = { sent: false, code: "KMS.AccessDeniedException", transient: false, detail: "no key" };
    expect(results.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => refused));
    expect(results.slice(10).every(({ sent }) => sent)).toBe(true);
  });

  it("does not send again once its caller's time is up", async () => {
    const abort = new AbortController();
    const { sender, batches } = answering((entries) => {
      abort.abort();
      return { Failed: entries.map(({ Id }) => ({ Id, Code: "RequestThrottled" })) };
    });
    await sender.send(QUEUE_URL, [aMessage()], { abortSignal: abort.signal });
    expect(batches()).toHaveLength(1);
  });
});
