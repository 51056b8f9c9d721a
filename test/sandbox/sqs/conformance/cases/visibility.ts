import { expect } from "vitest";
import { expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

export const visibilityCases: readonly ConformanceCase[] = [
  {
    name: "47. visibility timeout: hidden, back, count 2, a new receipt, the same first receive",
    run: async (bench) => {
      const url = await bench.queue({ VisibilityTimeout: "2" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const first = await bench.receiveOne(url);
      expect(await bench.receiveNow(url)).toEqual([]);
      await bench.pass(2_100);
      const second = await bench.receiveOne(url);
      expect(second.MessageId).toBe(first.MessageId);
      expect(second.ReceiptHandle).not.toBe(first.ReceiptHandle);
      expect(second.Attributes).toMatchObject({
        ApproximateReceiveCount: "2",
        ApproximateFirstReceiveTimestamp: first.Attributes?.ApproximateFirstReceiveTimestamp,
        SentTimestamp: first.Attributes?.SentTimestamp,
      });
    },
  },
  {
    name: "48. VisibilityTimeout of the receive overrides the queue's",
    run: async (bench) => {
      const url = await bench.queue({ VisibilityTimeout: "600" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      await bench.receiveOne(url, { VisibilityTimeout: 2 });
      expect(await bench.receiveNow(url)).toEqual([]);
      await bench.pass(2_100);
      await bench.receiveOne(url);
    },
  },
  {
    name: "49. ChangeMessageVisibility to 0 returns the message at once",
    run: async (bench) => {
      const url = await bench.queue({ VisibilityTimeout: "600" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { ReceiptHandle } = await bench.receiveOne(url);
      await bench.sqs.changeMessageVisibility({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 });
      expect((await bench.receiveOne(url)).Attributes?.ApproximateReceiveCount).toBe("2");
    },
  },
  {
    name: "50. ChangeMessageVisibility to 43201 is refused",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { ReceiptHandle } = await bench.receiveOne(url);
      const call = bench.sqs.changeMessageVisibility({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 43_201 });
      await expectRefused(call, "InvalidParameterValue");
    },
  },
  {
    name: "51. ChangeMessageVisibilityBatch fails a bad handle and does the others",
    run: async (bench) => {
      const url = await bench.queue({ VisibilityTimeout: "600" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { ReceiptHandle } = await bench.receiveOne(url);
      const output = await bench.sqs.changeMessageVisibilityBatch({
        QueueUrl: url,
        Entries: [
          { Id: "good", ReceiptHandle, VisibilityTimeout: 0 },
          { Id: "bad", ReceiptHandle: "bogus", VisibilityTimeout: 0 },
        ],
      });
      expect(output.Successful?.map((entry) => entry.Id)).toEqual(["good"]);
      expect(output.Failed).toMatchObject([{ Id: "bad", Code: "ReceiptHandleIsInvalid", SenderFault: true }]);
      await bench.receiveOne(url);
    },
  },
  {
    name: "52. an expired receipt handle still deletes before the next receive",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { ReceiptHandle } = await bench.receiveOne(url, { VisibilityTimeout: 1 });
      await bench.pass(1_500);
      await bench.sqs.deleteMessage({ QueueUrl: url, ReceiptHandle });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 0]));
    },
  },
  {
    name: "53. DeleteMessage with a bogus handle is refused",
    run: async (bench) => {
      const call = bench.sqs.deleteMessage({ QueueUrl: await bench.queue(), ReceiptHandle: "bogus" });
      await expectRefused(call, "ReceiptHandleIsInvalid");
    },
  },
  {
    name: "54. DeleteMessageBatch fails a bogus handle and deletes the others",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { ReceiptHandle } = await bench.receiveOne(url);
      const output = await bench.sqs.deleteMessageBatch({
        QueueUrl: url,
        Entries: [
          { Id: "good", ReceiptHandle },
          { Id: "bad", ReceiptHandle: "bogus" },
        ],
      });
      expect(output.Successful?.map((entry) => entry.Id)).toEqual(["good"]);
      expect(output.Failed).toMatchObject([{ Id: "bad", Code: "ReceiptHandleIsInvalid", SenderFault: true }]);
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 0]));
    },
  },
  {
    name: "55. counts of visible, invisible and delayed messages",
    run: async (bench) => {
      const url = await bench.queue();
      const delays = [0, 0, 0, 600, 600];
      const Entries = delays.map((DelaySeconds, index) => ({ Id: `${index}`, MessageBody: "x", DelaySeconds }));
      await bench.sqs.sendMessageBatch({ QueueUrl: url, Entries });
      await bench.receiveOne(url);
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([2, 1, 2]));
    },
  },
  {
    name: "56. a due message counts as visible without a receive",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", DelaySeconds: 2 });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 1]));
      await bench.pass(2_100);
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([1, 0, 0]));
    },
  },
  {
    name: "57. an expired message in flight counts as visible without a receive",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      await bench.receiveOne(url, { VisibilityTimeout: 2 });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 1, 0]));
      await bench.pass(2_100);
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([1, 0, 0]));
    },
  },
  {
    name: "83. a delayed message is not in flight, and cannot be received, changed or deleted before it is due",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", DelaySeconds: 3 });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 1]));
      expect(await bench.receiveNow(url)).toEqual([]);
      const made = { QueueUrl: url, ReceiptHandle: "made-up" };
      await expectRefused(bench.sqs.deleteMessage(made), "ReceiptHandleIsInvalid");
      await expectRefused(
        bench.sqs.changeMessageVisibility({ ...made, VisibilityTimeout: 0 }),
        "ReceiptHandleIsInvalid",
      );
      await bench.pass(3_100);
      expect((await bench.receiveOne(url)).Attributes?.ApproximateReceiveCount).toBe("1");
    },
  },
];
