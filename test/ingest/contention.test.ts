import { describe, expect, it } from "vitest";
import { itemRow, type Row } from "../../lib/aws/state-store/row.ts";
import { ingest } from "../../lib/ingest/ingest.ts";
import type { Fault } from "./calls.ts";
import { aRecord } from "./records.ts";
import { anInvocation, pipeline } from "./setup.ts";

/** Holds calls until so many of them have come, so that they all rest on what was there before. */
function together(count: number): Fault {
  let release: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = 0;
  return async (_, proceed) => {
    arrived += 1;
    if (arrived === count) release();
    if (arrived <= count) await all;
    return proceed();
  };
}

describe("handlers at work on one item at once", () => {
  it("count a first report once that was delivered to both", async () => {
    const { handle, calls, row, look, urls } = await pipeline();
    calls.fault("PutItem", together(2));
    const record = aRecord({ messageId: "m" });
    expect(await Promise.all([handle([record]), handle([{ ...record }])])).toEqual([[], []]);
    expect(await row("m")).toMatchObject({ attempts: 1 });
    expect(new Set(look(urls.work).map(({ context }) => context?.dispatchId)).size).toBe(1);
  });

  it("count a later report once that was delivered to both", async () => {
    const { handle, calls, row, look, urls } = await pipeline();
    await handle([aRecord({ messageId: "m" })]);
    const context = { ...look(urls.work)[0]?.context, kind: "failed" };
    calls.fault("PutItem", together(2));
    const record = aRecord({ messageId: "second", context });
    expect(await Promise.all([handle([record]), handle([{ ...record }])])).toEqual([[], []]);
    expect(await row("m")).toMatchObject({ attempts: 2 });
  });

  it("count two different reports of it twice", async () => {
    const { handle, calls, row } = await pipeline();
    calls.fault("PutItem", together(2));
    const report = (dispatchId: string) =>
      aRecord({ context: { itemId: "item", attempt: 1, dispatchId, kind: "failed" } });
    const handled = [handle([report("dispatch01")]), handle([report("dispatch02")])];
    expect(await Promise.all(handled)).toEqual([[], []]);
    expect(await row("item")).toMatchObject({ attempts: 2 });
    expect(calls.of("PutItem")).toHaveLength(3);
  });

  it("agree that it is dead-lettered, where both send its copy", async () => {
    const { handle, calls, row, look, urls } = await pipeline({ policy: { maxAttempts: 1 } });
    calls.fault("PutItem", together(2));
    const record = aRecord({ messageId: "m" });
    expect(await Promise.all([handle([record]), handle([{ ...record }])])).toEqual([[], []]);
    expect(await row("m")).toMatchObject({ status: "dead-lettered", attempts: 1 });
    expect(new Set(look(urls.dead).map(({ context }) => context?.dispatchId)).size).toBe(1);
  });

  it("give up after five lost swaps: the report is handed back, nothing is counted or sent", async () => {
    const { handle, calls, row, table, look, urls, telemetry, clock } = await pipeline();
    await handle([aRecord({ messageId: "m" })]);
    const context = { ...look(urls.work)[0]?.context, kind: "failed" };
    calls.forget();
    calls.fault("PutItem", async (_, proceed) => {
      const state = await row("m");
      await table.put(itemRow({ ...state, revision: state.revision + 1 }));
      return proceed();
    });

    expect(await handle([aRecord({ messageId: "second", context })])).toEqual(["second"]);
    expect(calls.counts()).toMatchObject({ PutItem: 5 });
    expect(calls.of("SendMessageBatch")).toEqual([]);
    expect(telemetry.problems.at(-1)).toMatchObject({ fields: { messageId: "second", why: "Contended" } });
    expect(await row("m")).toMatchObject({ attempts: 1 });

    calls.fault("PutItem", undefined);
    clock.advance(1_000);
    expect(await handle([aRecord({ messageId: "second", context })])).toEqual([]);
    expect(await row("m")).toMatchObject({ attempts: 2 });
  });

  it.each([
    ["once: the mark goes onto the row as it stands then", 1, [], "dead-lettered"],
    ["each time: the report is handed back", 5, ["m"], "exhausted"],
  ])("change the row between send and dead-letter mark %s", async (_, times, handedBack, status) => {
    const { handle, calls, row, table } = await pipeline({ policy: { maxAttempts: 1 } });
    let changes = 0;
    calls.fault("PutItem", async ({ Item }, proceed) => {
      if ((Item as Row).status?.S === "dead-lettered" && changes < times) {
        changes += 1;
        const state = await row("m");
        await table.put(itemRow({ ...state, lastReport: `other ${changes}`, revision: state.revision + 1 }));
      }
      return proceed();
    });
    expect(await handle([aRecord({ messageId: "m" })])).toEqual(handedBack);
    expect(await row("m")).toMatchObject({ status, lastReport: `other ${times}` });
  });

  it("replace a row that nobody can decode, and count it as lost", async () => {
    const { handle, table, row, telemetry, clock } = await pipeline();
    await table.put({ pk: { S: "item" }, nonsense: { S: "x" }, expiresAt: { N: String(clock.now() / 1000 + 60) } });
    const context = { itemId: "item", attempt: 2, kind: "failed" };
    expect(await handle([aRecord({ context })])).toEqual([]);
    expect(await row("item")).toMatchObject({ attempts: 2 });
    expect(telemetry.counts).toMatchObject({ RowsLost: 1, Retried: 1 });
  });

  it("replace an expired row that can still be read: a late first failure starts afresh", async () => {
    const { handle, row, clock } = await pipeline({ configuration: { rowLifetimeMs: 1_000 } });
    const report = (messageId: string) => aRecord({ messageId, context: { itemId: "item", attempt: 1 } });
    await handle([report("m1")]);
    clock.advance(5_000);
    expect(await handle([report("m2")])).toEqual([]);
    const { attempts, history } = await row("item");
    expect([attempts, history.length]).toEqual([1, 1]);
  });

  it("keep nothing between two events of a warm function", async () => {
    const { ports, calls } = await pipeline();
    calls.fault("PutItem", async () => Promise.reject(new Error("injected")));
    const bad = await ingest([aRecord({ messageId: "bad" })], ports, anInvocation());
    calls.fault("PutItem", undefined);
    const good = await ingest([aRecord({ messageId: "good" })], ports, anInvocation());
    expect([bad, good]).toEqual([{ batchItemFailures: [{ itemIdentifier: "bad" }] }, { batchItemFailures: [] }]);
  });
});
