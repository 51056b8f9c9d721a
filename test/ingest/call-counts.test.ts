import { describe, expect, it } from "vitest";
import { toRecord } from "./queues.ts";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

const THOUSAND = Array.from({ length: 1_000 }, (_, index) => `item-${index}`);

describe("calls to AWS", () => {
  it("are, for 1,000 first failures, 1,000 conditional writes, no read and 100 batch sends", async () => {
    const { handle, calls, look, urls } = await pipeline();
    expect(await handle(THOUSAND.map((messageId) => aRecord({ messageId })))).toEqual([]);
    expect(calls.counts()).toEqual({ PutItem: 1_000, SendMessageBatch: 100 });
    expect(calls.of("PutItem").every(({ input }) => input.ConditionExpression !== undefined)).toBe(true);
    expect(look(urls.work)).toHaveLength(1_000);
  });

  it("are, for 1,000 later failures, the same and one batched read per hundred", async () => {
    const { handle, calls, failWork, take, urls, clock, row } = await pipeline();
    await handle(THOUSAND.map((messageId) => aRecord({ messageId })));
    clock.advance(15 * 60_000);
    failWork();
    calls.forget();

    // As they come with a work queue that moves a message after its first delivery.
    const records = take(urls.ingest).map(toRecord);
    expect(records).toHaveLength(1_000);
    expect(await handle(records)).toEqual([]);

    expect(calls.counts()).toEqual({ BatchGetItem: 10, PutItem: 1_000, SendMessageBatch: 100 });
    expect(await row("item-7")).toMatchObject({ attempts: 2 });
  });

  it("are, for a slice that is not full, one read per started hundred", async () => {
    const { handle, calls } = await pipeline();
    const later = THOUSAND.slice(0, 130).map((itemId) =>
      aRecord({ context: { itemId, attempt: 2, dispatchId: "dispatch00", kind: "failed" } }),
    );
    expect(await handle(later)).toEqual([]);
    expect(calls.counts()).toEqual({ BatchGetItem: 2, PutItem: 130, SendMessageBatch: 13 });
  });

  it("cost one write and one send for each of an item's reports when they come in one event", async () => {
    const { handle, calls, row } = await pipeline();
    const reports = ["dispatch00", "dispatch01", "dispatch02"].map((dispatchId) =>
      aRecord({ context: { itemId: "item", attempt: 1, dispatchId, kind: "failed" } }),
    );
    expect(await handle(reports)).toEqual([]);
    expect(calls.counts()).toEqual({ BatchGetItem: 1, PutItem: 1, SendMessageBatch: 1 });
    expect(await row("item")).toMatchObject({ attempts: 3 });
  });

  it("are a consistent read and no write for a copy of a report", async () => {
    const { handle, calls } = await pipeline();
    const context = { itemId: "item", attempt: 2, dispatchId: "dispatch00", kind: "failed" };
    await handle([aRecord({ messageId: "report", context })]);
    calls.forget();
    expect(await handle([aRecord({ messageId: "copy", context })])).toEqual([]);
    expect(calls.counts()).toEqual({ BatchGetItem: 1, GetItem: 1 });
    expect(calls.of("GetItem")).toMatchObject([{ input: { ConsistentRead: true } }]);
  });

  it("are a second write for an exhausted item alone", async () => {
    const { handle, calls } = await pipeline({ policy: { maxAttempts: 1 } });
    await handle(THOUSAND.slice(0, 10).map((messageId) => aRecord({ messageId })));
    expect(calls.counts()).toEqual({ PutItem: 20, SendMessageBatch: 1 });
  });

  it("find an item's alias by the first write: no read but that of the item", async () => {
    const { handle, calls, look, urls, row } = await pipeline();
    const attributes = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`user${index}`, { dataType: "String", stringValue: "x" }]),
    );
    await handle([aRecord({ messageId: "m", attributes })]);
    const [sent] = look(urls.work);
    calls.forget();
    await handle([aRecord({ messageId: sent?.messageId ?? "", attributes, moved: true })]);
    // The one that the alias wins, the item's own, and the alias of the next send.
    expect(calls.made[0]).toMatchObject({ command: "PutItem", input: { Item: { pk: { S: sent?.messageId } } } });
    expect(calls.counts()).toMatchObject({ PutItem: 3, BatchGetItem: 1, SendMessageBatch: 1 });
    expect(await row("m")).toMatchObject({ attempts: 2 });
  });
});
