import { expect } from "vitest";
import { expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

export const moveTaskCases: readonly ConformanceCase[] = [
  {
    name: "67. StartMessageMoveTask moves messages from the dead-letter queue back to their source",
    run: async (bench) => {
      const pair = await bench.deadLetterPair();
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison" });
      await bench.driveToDeadLetter(pair);
      const task = await bench.moveAll(pair.deadLetterArn);
      expect(task).toMatchObject({ Status: "COMPLETED", SourceArn: pair.deadLetterArn });
      expect(task.TaskHandle).toBeUndefined();
      expect((await bench.receiveOne(pair.source)).Body).toBe("poison");
      await bench.eventually(async () => expect(await bench.counts(pair.deadLetter)).toEqual([0, 0, 0]));
    },
  },
  {
    name: "88. the receive count starts again after a move task or a re-send",
    run: async (bench) => {
      const pair = await bench.deadLetterPair(2);
      await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison" });
      await bench.driveToDeadLetter(pair);
      await bench.moveAll(pair.deadLetterArn, pair.sourceArn);
      const again = await bench.receiveOne(pair.source);
      expect(again.Attributes).toMatchObject({ ApproximateReceiveCount: "1" });
      expect(again.Attributes?.DeadLetterQueueSourceArn).toBeUndefined();
      const elsewhere = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: elsewhere, MessageBody: again.Body });
      expect((await bench.receiveOne(elsewhere)).Attributes?.ApproximateReceiveCount).toBe("1");
    },
  },
  {
    name: "89. without a destination, a message sent to the dead-letter queue directly fails the task and stays",
    run: async (bench) => {
      const pair = await bench.deadLetterPair();
      await bench.sqs.sendMessage({ QueueUrl: pair.deadLetter, MessageBody: "sent" });
      const task = await bench.moveAll(pair.deadLetterArn);
      expect(task).toMatchObject({ Status: "FAILED", FailureReason: "CouldNotDetermineMessageSource" });
      expect((await bench.receiveOne(pair.deadLetter)).Body).toBe("sent");
    },
  },
  {
    name: "90. a move task from a queue that is nobody's dead-letter queue is refused",
    run: async (bench) => {
      const [from, to] = [await bench.queue(), await bench.queue()];
      const task = { SourceArn: await bench.arn(from), DestinationArn: await bench.arn(to) };
      await expectRefused(bench.sqs.startMessageMoveTask(task), "InvalidParameterValue");
    },
  },
  {
    name: "91. a moved message has a new messageId and enqueue time, and keeps body and attributes",
    run: async (bench) => {
      const pair = await bench.deadLetterPair();
      const MessageAttributes = { prio: { DataType: "Number.int", StringValue: "7" } };
      const sent = await bench.sqs.sendMessage({ QueueUrl: pair.source, MessageBody: "poison", MessageAttributes });
      const before = await bench.receiveOne(pair.source, { VisibilityTimeout: 0 });
      await bench.pass(1_000);
      await bench.driveToDeadLetter(pair);
      await bench.moveAll(pair.deadLetterArn, pair.sourceArn);
      const moved = await bench.receiveOne(pair.source);
      expect(moved).toMatchObject({ Body: "poison", MessageAttributes });
      expect(moved.MessageId).not.toBe(sent.MessageId);
      expect(Number(moved.Attributes?.SentTimestamp)).toBeGreaterThan(Number(before.Attributes?.SentTimestamp));
    },
  },
];
