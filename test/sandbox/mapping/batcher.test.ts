import { describe, expect, it } from "vitest";
import { Batcher } from "../../../lib/sandbox/mapping/batcher.ts";
import type { EventRecord } from "../../../lib/sandbox/mapping/event-record.ts";

const MIB = 1024 * 1024;

const aRecord = (messageId: string, bytes = 10): EventRecord => ({
  messageId,
  receiptHandle: messageId,
  json: JSON.stringify("x".repeat(bytes)),
});

const records = (count: number, bytes?: number) =>
  Array.from({ length: count }, (_, index) => aRecord(`${index}`, bytes));

/** A batcher over a queue that holds these records, and gives at most `most` of them at a time. */
function setup(
  held: readonly EventRecord[],
  { batchSize = 100, windowMs = 60_000, most = 10, stopWhenEmpty = true } = {},
) {
  const left = [...held];
  const limits: number[] = [];
  const abort = new AbortController();
  const batcher = new Batcher({
    batchSize,
    windowMs,
    receive: async (limit) => {
      limits.push(limit);
      const given = left.splice(0, Math.min(limit, most));
      if (given.length === 0 && stopWhenEmpty) abort.abort();
      return given;
    },
  });
  const next = async () => (await batcher.next(abort.signal)).length;
  return { next, limits, left };
}

describe("gathering records for events", () => {
  it("fills a batch from receives of at most ten", async () => {
    const { next, limits, left } = setup(records(40), { batchSize: 25 });

    expect(await next()).toBe(25);

    expect(limits).toEqual([10, 10, 5]);
    expect(left).toHaveLength(15);
  });

  it("gives what there is when the window is over", async () => {
    const { next } = setup(records(3), { windowMs: 30, stopWhenEmpty: false });

    expect(await next()).toBe(3);
  });

  it("takes what one receive gives when there is no window", async () => {
    const { next } = setup(records(9), { batchSize: 10, windowMs: 0, most: 4 });

    expect([await next(), await next(), await next()]).toEqual([4, 4, 1]);
  });

  it("ends an event before it is bigger than 6 MiB, and begins the next with what did not fit", async () => {
    const { next } = setup(records(14, MIB - 100));

    expect([await next(), await next(), await next()]).toEqual([6, 6, 2]);
  });

  it("loses none and repeats none, however they come", async () => {
    const sizes = [MIB, 10, 3 * MIB, 10, 2 * MIB, MIB, 10, 5 * MIB, 10, 10, MIB];
    const { next } = setup(
      sizes.map((bytes, index) => aRecord(`${index}`, bytes)),
      { batchSize: 4, windowMs: 1000, most: 3 },
    );
    let total = 0;
    for (let count = await next(); count > 0; count = await next()) {
      expect(count).toBeLessThanOrEqual(4);
      total += count;
    }
    expect(total).toBe(sizes.length);
  });

  it("gives none when it is stopped while nothing comes", async () => {
    expect(await setup([]).next()).toBe(0);
  });
});
