import type { SendMessageBatchRequestEntry } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import { type Bench, expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

const MEBIBYTE = 1_048_576;

async function sendBatch(bench: Bench, Entries: SendMessageBatchRequestEntry[]) {
  return bench.sqs.sendMessageBatch({ QueueUrl: await bench.queue(), Entries });
}

function refuses(entries: SendMessageBatchRequestEntry[], name: string) {
  return (bench: Bench) => expectRefused(sendBatch(bench, entries), name);
}

function entries(count: number, MessageBody = "x"): SendMessageBatchRequestEntry[] {
  return Array.from({ length: count }, (_, index) => ({ Id: `e${index}`, MessageBody }));
}

export const batchCases: readonly ConformanceCase[] = [
  {
    name: "15. one batch entry with DelaySeconds 901 fails, the other is sent",
    run: async (bench) => {
      const output = await sendBatch(bench, [
        { Id: "good", MessageBody: "x" },
        { Id: "bad", MessageBody: "x", DelaySeconds: 901 },
      ]);
      expect(output.Successful?.map((entry) => entry.Id)).toEqual(["good"]);
      expect(output.Failed).toMatchObject([{ Id: "bad", Code: "InvalidParameterValue", SenderFault: true }]);
    },
  },
  { name: "18. a batch of eleven is refused", run: refuses(entries(11), "TooManyEntriesInBatchRequest") },
  { name: "19. an empty batch is refused", run: refuses([], "EmptyBatchRequest") },
  {
    name: "20. two batch entries with one id are refused",
    run: refuses([...entries(1), ...entries(1)], "BatchEntryIdsNotDistinct"),
  },
  {
    name: "21. a batch entry id with a dot is refused",
    run: refuses([{ Id: "a.b", MessageBody: "x" }], "InvalidBatchEntryId"),
  },
  {
    name: "22. a batch entry id of 81 characters is refused",
    run: refuses([{ Id: "a".repeat(81), MessageBody: "x" }], "InvalidBatchEntryId"),
  },
  {
    name: "23. a batch of more than 1 MiB is refused",
    run: refuses(entries(2, "x".repeat(MEBIBYTE / 2 + 1)), "BatchRequestTooLong"),
  },
  {
    name: "81. bodies and attributes of a batch count together: 1,048,576 bytes are accepted, one more refused",
    run: async (bench) => {
      const MessageAttributes = { a: { DataType: "String", StringValue: "value" } };
      const spent = 2 * ("a".length + "String".length + "value".length);
      const half = (MEBIBYTE - spent) / 2;
      const legal = entries(2, "x".repeat(half)).map((entry) => ({ ...entry, MessageAttributes }));
      const output = await sendBatch(bench, legal);
      expect(output.Successful).toHaveLength(2);
      const [first, second] = legal;
      if (!first || !second) throw new Error("two entries were made");
      const tooLong = [first, { ...second, MessageBody: `${second.MessageBody}x` }];
      await expectRefused(sendBatch(bench, tooLong), "BatchRequestTooLong");
    },
  },
];
