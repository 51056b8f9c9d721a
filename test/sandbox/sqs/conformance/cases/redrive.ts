import { expect } from "vitest";
import { expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

export const redriveCases: readonly ConformanceCase[] = [
  {
    name: "60. after maxReceiveCount receives the message is in the dead-letter queue: body, id, attributes, SentTimestamp kept",
    run: async (bench) => {
      const pair = await bench.deadLetterPair(2);
      const MessageAttributes = { sig: { DataType: "Binary", BinaryValue: Uint8Array.of(1, 2, 3) } };
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison", MessageAttributes });
      const first = await bench.receiveOne(pair.source, { VisibilityTimeout: 0 });
      const second = await bench.receiveOne(pair.source, { VisibilityTimeout: 0 });
      expect(second.Attributes?.ApproximateReceiveCount).toBe("2");
      await bench.driveToDeadLetter(pair);
      const moved = await bench.receiveOne(pair.deadLetter);
      expect(moved).toMatchObject({ MessageId: first.MessageId, Body: "poison", MessageAttributes });
      expect(moved.Attributes?.SentTimestamp).toBe(first.Attributes?.SentTimestamp);
      expect(await bench.receiveNow(pair.source)).toEqual([]);
    },
  },
  {
    name: "61. DeadLetterQueueSourceArn names the queue that a moved message came from",
    run: async (bench) => {
      const pair = await bench.deadLetterPair();
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison" });
      await bench.driveToDeadLetter(pair);
      expect((await bench.receiveOne(pair.deadLetter)).Attributes?.DeadLetterQueueSourceArn).toBe(pair.sourceArn);
    },
  },
  {
    name: "62. ApproximateReceiveCount goes on counting in the dead-letter queue",
    run: async (bench) => {
      const pair = await bench.deadLetterPair(2);
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison" });
      await bench.driveToDeadLetter(pair);
      const count = Number((await bench.receiveOne(pair.deadLetter)).Attributes?.ApproximateReceiveCount);
      expect(count).toBeGreaterThanOrEqual(3);
    },
  },
  {
    name: '63. maxReceiveCount may be the string "2"',
    run: async (bench) => {
      const pair = await bench.deadLetterPair("2");
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison" });
      await bench.receiveOne(pair.source, { VisibilityTimeout: 0 });
      await bench.receiveOne(pair.source, { VisibilityTimeout: 0 });
      await bench.driveToDeadLetter(pair);
      expect((await bench.receiveOne(pair.deadLetter)).Body).toBe("poison");
    },
  },
  {
    name: "64. a RedrivePolicy that names a missing queue is refused",
    run: async (bench) => {
      const missing = (await bench.arn(await bench.queue())).replace(/[^:]+$/, bench.newName());
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: missing, maxReceiveCount: 2 });
      await expectRefused(bench.queue({ RedrivePolicy }), "InvalidParameterValue");
    },
  },
  {
    name: "65. maxReceiveCount 1001 is refused",
    run: (bench) => expectRefused(bench.deadLetterPair(1001), "InvalidParameterValue"),
  },
  {
    name: "66. ListDeadLetterSourceQueues names the sources",
    run: async (bench) => {
      const pair = await bench.deadLetterPair();
      await bench.eventually(async () => {
        const { queueUrls } = await bench.sqs.listDeadLetterSourceQueues({ QueueUrl: pair.deadLetter });
        expect(queueUrls).toEqual([pair.source]);
      });
    },
  },
  {
    name: "68. RedriveAllowPolicy byQueue lets the queues in its list redrive, and no other",
    run: async (bench) => {
      const [deadLetter, allowed, other] = [await bench.queue(), await bench.queue(), await bench.queue()];
      const RedriveAllowPolicy = JSON.stringify({
        redrivePermission: "byQueue",
        sourceQueueArns: [await bench.arn(allowed)],
      });
      await bench.sqs.setQueueAttributes({ QueueUrl: deadLetter, Attributes: { RedriveAllowPolicy } });
      const deadLetterTargetArn = await bench.arn(deadLetter);
      const Attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }) };
      await bench.sqs.setQueueAttributes({ QueueUrl: allowed, Attributes });
      await expectRefused(bench.sqs.setQueueAttributes({ QueueUrl: other, Attributes }), "InvalidParameterValue");
    },
  },
  {
    name: "69. RedriveAllowPolicy is stored and returned",
    run: async (bench) => {
      const url = await bench.queue({ RedriveAllowPolicy: JSON.stringify({ redrivePermission: "denyAll" }) });
      const policy = await bench.attribute(url, "RedriveAllowPolicy");
      expect(JSON.parse(policy ?? "null")).toEqual({ redrivePermission: "denyAll" });
    },
  },
  {
    name: "87. a redrive keeps the first enqueue time on standard queues; a move task restarts it",
    needsAdvance: true,
    run: async (bench) => {
      const pair = await bench.deadLetterPair(1, { MessageRetentionPeriod: "120" });
      const elsewhere = await bench.queue({ MessageRetentionPeriod: "120" });
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "kept" });
      await bench.pass(80_000);
      await bench.driveToDeadLetter(pair);
      expect(await bench.counts(pair.deadLetter)).toEqual([1, 0, 0]);
      await bench.pass(50_000);
      expect(await bench.counts(pair.deadLetter)).toEqual([0, 0, 0]);

      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "restarted" });
      await bench.pass(80_000);
      await bench.driveToDeadLetter(pair);
      await bench.moveAll(pair.deadLetterArn, await bench.arn(elsewhere));
      await bench.pass(100_000);
      expect(await bench.counts(elsewhere)).toEqual([1, 0, 0]);
      await bench.pass(30_000);
      expect(await bench.counts(elsewhere)).toEqual([0, 0, 0]);
    },
  },
];
