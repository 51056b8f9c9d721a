import { describe, expect, it } from "vitest";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

describe("clocks that disagree", () => {
  it("FC-20: a message sent in the future is handled as if it were sent now", async () => {
    const { handle, look, urls, clock } = await pipeline({ policy: { maxElapsedMs: HOUR_MS } });
    const record = aRecord({ messageId: "m" });
    const attributes = { ...record.attributes, SentTimestamp: String(clock.now() + 90_000) };
    expect(await handle([{ ...record, attributes }])).toEqual([]);
    const [waiting] = look(urls.work);
    const delaySeconds = ((waiting?.dueAt ?? 0) - clock.now()) / 1000;
    expect(delaySeconds).toBeGreaterThanOrEqual(0);
    expect(delaySeconds).toBeLessThanOrEqual(10);
  });

  it("FC-20: a first failure in the future neither expires the item nor makes it immortal", async () => {
    const { handle, look, urls, clock } = await pipeline({ policy: { maxElapsedMs: HOUR_MS, maxAttempts: 3 } });
    let context: object = { itemId: "item", attempt: 1, firstFailedAt: clock.now() + 90_000 };
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await handle([aRecord({ context: { ...context, kind: "failed" } })])).toEqual([]);
      context = look(urls.work).at(-1)?.context ?? {};
    }
    expect(look(urls.work)).toHaveLength(2);
    expect(look(urls.dead)).toMatchObject([{ context: { attempt: 3, deadLetter: { reason: "attempts" } } }]);
  });

  it("FC-20: a clock that goes back between two attempts gives no negative and no long delay", async () => {
    const { handle, look, urls, clock, row } = await pipeline({ policy: { maxElapsedMs: HOUR_MS } });
    const first = aRecord({ messageId: "first", context: { itemId: "item", attempt: 1, kind: "failed" } });
    await handle([first]);
    const sent = look(urls.work)[0]?.context;
    clock.advance(-5 * 60_000);

    expect(await handle([first])).toEqual([]);
    await handle([aRecord({ context: { ...sent, kind: "failed" } })]);

    for (const { dueAt, context } of look(urls.work)) {
      expect(dueAt - clock.now()).toBeGreaterThanOrEqual(0);
      expect(context?.delayMs).toBeLessThanOrEqual(20_000);
    }
    expect(await row("item")).toMatchObject({ attempts: 2, status: "retrying" });
  });

  it("FC-20: a repeat after the clock went back waits no longer than the delay that was drawn", async () => {
    const { handle, calls, clock, row } = await pipeline({ policy: { jitter: { mode: "none" } } });
    const record = aRecord({ messageId: "m" });
    await handle([record]);
    clock.advance(-HOUR_MS);
    await handle([record]);
    const delays = calls.of("SendMessageBatch").map(({ input }) => (input.Entries as { DelaySeconds: number }[])[0]);
    expect(delays.map((entry) => entry?.DelaySeconds)).toEqual([10, 10]);
    expect(await row("m")).toMatchObject({ nextAttemptAt: START + 10_000 });
  });

  it("a repeat waits for what remains of its delay", async () => {
    const { handle, look, urls, clock, calls } = await pipeline({ policy: { jitter: { mode: "none" } } });
    const record = aRecord({ messageId: "m" });
    calls.fault("SendMessageBatch", async () => Promise.reject(new Error("injected")));
    await handle([record]);
    calls.fault("SendMessageBatch", undefined);
    clock.advance(4_500);
    await handle([record]);
    expect(look(urls.work)).toMatchObject([{ dueAt: START + 4_500 + 6_000 }]);
  });

  it("FC-19: a row expires, in whole epoch seconds, its lifetime after the last write, and is renewed by each", async () => {
    const start = Date.parse("2026-11-30T00:00:00Z");
    const configuration = { rowLifetimeMs: 14 * 24 * HOUR_MS };
    const { handle, look, urls, clock, table } = await pipeline({ start, configuration });
    await handle([aRecord({ messageId: "m" })]);
    expect((await table.get("m"))?.expiresAt).toEqual({ N: "1797206400" });

    clock.advance(90_500);
    await handle([aRecord({ context: { ...look(urls.work)[0]?.context, kind: "failed" } })]);
    expect((await table.get("m"))?.expiresAt).toEqual({ N: "1797206491" });
  });
});
