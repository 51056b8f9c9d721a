import { expect } from "vitest";
import { type Bench, expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

async function send(bench: Bench, QueueUrl: string, MessageBody: string, MessageGroupId: string): Promise<void> {
  await bench.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId: bench.newName() });
}

export const fifoCases: readonly ConformanceCase[] = [
  {
    name: "71. a FIFO queue needs a group id",
    run: async (bench) => {
      const QueueUrl = await bench.fifo({ ContentBasedDeduplication: "true" });
      await expectRefused(bench.sqs.sendMessage({ QueueUrl, MessageBody: "x" }), "MissingParameter");
    },
  },
  {
    name: "72. a per-message delay on a FIFO queue is refused",
    run: async (bench) => {
      const QueueUrl = await bench.fifo({ ContentBasedDeduplication: "true" });
      const call = bench.sqs.sendMessage({ QueueUrl, MessageBody: "x", MessageGroupId: "g", DelaySeconds: 5 });
      await expectRefused(call, "InvalidParameterValue");
    },
  },
  {
    name: "73. one deduplication id: the same MessageId twice, one delivery",
    run: async (bench) => {
      const url = await bench.fifo();
      const message = { QueueUrl: url, MessageGroupId: "g", MessageDeduplicationId: "d" };
      const first = await bench.sqs.sendMessage({ ...message, MessageBody: "x" });
      const second = await bench.sqs.sendMessage({ ...message, MessageBody: "x" });
      expect(second.MessageId).toBe(first.MessageId);
      expect(second.SequenceNumber).toBe(first.SequenceNumber);
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([1, 0, 0]));
      expect((await bench.receiveOne(url)).Attributes).toMatchObject({
        MessageGroupId: "g",
        MessageDeduplicationId: "d",
        SequenceNumber: first.SequenceNumber,
      });
    },
  },
  {
    name: "74. content-based deduplication looks at the body alone",
    run: async (bench) => {
      const url = await bench.fifo({ ContentBasedDeduplication: "true" });
      const MessageAttributes = { a: { DataType: "String", StringValue: "other" } };
      const message = { QueueUrl: url, MessageGroupId: "g" };
      await bench.sqs.sendMessage({ ...message, MessageBody: "same" });
      await bench.sqs.sendMessage({ ...message, MessageBody: "same", MessageAttributes });
      await bench.sqs.sendMessage({ ...message, MessageBody: "different" });
      const bodies = (await bench.receive(url, 2)).map((one) => one.Body);
      expect(bodies).toEqual(["same", "different"]);
    },
  },
  {
    name: "75. one receive gives several messages of one group, in order",
    run: async (bench) => {
      const url = await bench.fifo();
      for (const body of ["1", "2", "3", "4"]) await send(bench, url, body, "g");
      const messages = await bench.receiveNow(url, { WaitTimeSeconds: 2, MaxNumberOfMessages: 3 });
      expect(messages.map((message) => message.Body)).toEqual(["1", "2", "3"]);
    },
  },
  {
    name: "76. a group is locked while one of its messages is in flight; another group is free",
    run: async (bench) => {
      const url = await bench.fifo({ VisibilityTimeout: "600" });
      await send(bench, url, "a1", "a");
      await send(bench, url, "a2", "a");
      const first = await bench.receiveOne(url);
      expect(first.Body).toBe("a1");
      expect(await bench.receiveNow(url)).toEqual([]);
      await send(bench, url, "b1", "b");
      expect((await bench.receive(url)).map((message) => message.Body)).toEqual(["b1"]);
      await bench.sqs.deleteMessage({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle });
      expect((await bench.receiveOne(url)).Body).toBe("a2");
    },
  },
  {
    name: "85. the same deduplication id is not delivered within 5 minutes, and delivered after them",
    needsAdvance: true,
    run: async (bench) => {
      const url = await bench.fifo();
      const message = { QueueUrl: url, MessageGroupId: "g", MessageDeduplicationId: "d", MessageBody: "x" };
      const first = await bench.sqs.sendMessage(message);
      const { ReceiptHandle } = await bench.receiveOne(url);
      await bench.sqs.deleteMessage({ QueueUrl: url, ReceiptHandle });
      await bench.pass(290_000);
      expect((await bench.sqs.sendMessage(message)).MessageId).toBe(first.MessageId);
      expect(await bench.counts(url)).toEqual([0, 0, 0]);
      await bench.pass(15_000);
      expect((await bench.sqs.sendMessage(message)).MessageId).not.toBe(first.MessageId);
      expect((await bench.receiveOne(url)).Body).toBe("x");
    },
  },
  {
    name: "86. on a FIFO queue DelaySeconds above 0 is refused and 0 accepted",
    run: async (bench) => {
      const QueueUrl = await bench.fifo({ ContentBasedDeduplication: "true" });
      const message = { QueueUrl, MessageBody: "x", MessageGroupId: "g" };
      await expectRefused(bench.sqs.sendMessage({ ...message, DelaySeconds: 1 }), "InvalidParameterValue");
      await bench.sqs.sendMessage({ ...message, DelaySeconds: 0 });
      expect((await bench.receiveOne(QueueUrl)).Body).toBe("x");
    },
  },
];
