import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Bench, expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

/** Timers of two machines may differ by a little. */
const TOLERANCE_MS = 100;

async function timed<Result>(work: Promise<Result>): Promise<{ readonly result: Result; readonly tookMs: number }> {
  const start = performance.now();
  const result = await work;
  return { result, tookMs: performance.now() - start };
}

async function receiveRefused(bench: Bench, input: object): Promise<void> {
  const call = bench.sqs.receiveMessage({ QueueUrl: await bench.queue(), ...input });
  await expectRefused(call, "InvalidParameterValue");
}

export const longPollCases: readonly ConformanceCase[] = [
  {
    name: "41. MaxNumberOfMessages 11 is refused",
    run: (bench) => receiveRefused(bench, { MaxNumberOfMessages: 11 }),
  },
  { name: "42. WaitTimeSeconds 21 is refused", run: (bench) => receiveRefused(bench, { WaitTimeSeconds: 21 }) },
  {
    name: "43. an empty long poll of 2 s waits 2 s",
    run: async (bench) => {
      const QueueUrl = await bench.queue();
      const { result, tookMs } = await timed(bench.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 2 }));
      expect(result.Messages).toBeUndefined();
      expect(tookMs).toBeGreaterThan(2_000 - TOLERANCE_MS);
    },
  },
  {
    name: "44. a long poll wakes on a send, long before the wait ends",
    run: async (bench) => {
      const QueueUrl = await bench.queue();
      const poll = timed(bench.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }));
      await sleep(500);
      await bench.sqs.sendMessage({ QueueUrl, MessageBody: "wake" });
      const { result, tookMs } = await poll;
      expect(result.Messages?.[0]?.Body).toBe("wake");
      expect(tookMs).toBeLessThan(10_000);
    },
  },
  {
    name: "45. ReceiveMessageWaitTimeSeconds of the queue makes a long poll",
    run: async (bench) => {
      const QueueUrl = await bench.queue({ ReceiveMessageWaitTimeSeconds: "2" });
      const { result, tookMs } = await timed(bench.sqs.receiveMessage({ QueueUrl }));
      expect(result.Messages).toBeUndefined();
      expect(tookMs).toBeGreaterThan(2_000 - TOLERANCE_MS);
    },
  },
  {
    name: "46. of two long polls and one message, one gets it and the other goes on waiting",
    run: async (bench) => {
      const QueueUrl = await bench.queue();
      const polls = [1, 2].map(() => timed(bench.sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 4 })));
      await sleep(500);
      await bench.sqs.sendMessage({ QueueUrl, MessageBody: "one" });
      const ended = await Promise.all(polls);
      const empty = ended.filter(({ result }) => result.Messages === undefined);
      expect(empty).toHaveLength(1);
      expect(empty[0]?.tookMs).toBeGreaterThan(4_000 - TOLERANCE_MS);
    },
  },
];
