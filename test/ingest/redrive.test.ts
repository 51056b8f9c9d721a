import { describe, expect, it } from "vitest";
import { aRecord } from "./records.ts";
import { type Pipeline, pipeline } from "./setup.ts";

/** An item that was exhausted at its third attempt, and the context of its dead-letter copy. */
async function exhausted(world: Pipeline) {
  const context = { itemId: "x", generation: 1, attempt: 3, dispatchId: "dispatch02", kind: "failed" };
  expect(await world.handle([aRecord({ messageId: "last report", body: "payload", context })])).toEqual([]);
  const [dead] = world.look(world.urls.dead);
  expect(dead?.context).toMatchObject({ itemId: "x", attempt: 3, deadLetter: { reason: "attempts" } });
  return dead?.context ?? {};
}

async function world() {
  const made = await pipeline({ policy: { maxAttempts: 3 } });
  const copy = await exhausted(made);
  /** The row is gone, as after its expiry. */
  const forget = () => made.clock.advance(60 * 86_400_000);
  return { ...made, copy, forget };
}

describe("an operator's redrive", () => {
  it("FC-21: starts a fresh budget while the row still says exhausted, and keeps the history", async () => {
    const { handle, look, urls, row, copy, telemetry } = await world();

    expect(await handle([aRecord({ messageId: "redriven", body: "payload", context: copy })])).toEqual([]);

    expect(look(urls.dead)).toHaveLength(1);
    expect(look(urls.work)).toMatchObject([{ body: "payload", context: { itemId: "x", generation: 2, attempt: 1 } }]);
    const { history, ...state } = await row("x");
    expect(state).toMatchObject({ status: "retrying", generation: 2, attempts: 0 });
    expect(history.map(({ generation, outcome }) => [generation, outcome.kind])).toEqual([
      [1, "exhaust"],
      [2, "retry"],
    ]);
    expect(telemetry.counts).toMatchObject({ Redriven: 1, Exhausted: 1 });
  });

  it("FC-21: starts a fresh budget after the row is gone", async () => {
    const { handle, look, urls, row, copy, forget } = await world();
    forget();
    expect(await handle([aRecord({ messageId: "redriven", body: "payload", context: copy })])).toEqual([]);
    expect(look(urls.work)).toMatchObject([{ body: "payload", context: { itemId: "x", generation: 2, attempt: 1 } }]);
    expect(await row("x")).toMatchObject({ status: "retrying", generation: 2, attempts: 0 });
  });

  it.each([
    ["the row is there", false],
    ["the row is gone", true],
  ])("FC-21: a copy that a worker has tried since counts as attempt 1, where %s", async (_, gone) => {
    const { handle, look, urls, row, copy, forget } = await world();
    if (gone) forget();
    expect(await handle([aRecord({ messageId: "tried", context: copy, moved: true })])).toEqual([]);
    expect(look(urls.work)).toMatchObject([{ context: { itemId: "x", generation: 2, attempt: 2 } }]);
    expect(await row("x")).toMatchObject({ status: "retrying", generation: 2, attempts: 1 });
  });

  it("FC-21: a second exhaustion is decided, counted and sent again", async () => {
    const { handle, look, urls, row, copy, telemetry } = await world();
    await handle([aRecord({ messageId: "redriven", context: copy })]);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const waiting = look(urls.work).at(-1)?.context;
      expect(waiting).toMatchObject({ generation: 2, attempt });
      await handle([aRecord({ messageId: `second life ${attempt}`, context: { ...waiting, kind: "failed" } })]);
    }
    expect(look(urls.dead)).toMatchObject([{ context: { generation: 1 } }, { context: { generation: 2, attempt: 3 } }]);
    expect(telemetry.counts).toMatchObject({ Exhausted: 2 });
    expect(await row("x")).toMatchObject({ status: "dead-lettered", generation: 2, attempts: 3 });
  });

  it.each([
    ["not-retryable", { retryable: false }, {}],
    ["deadline", { deadlineAt: 1_800_000_000_001 }, {}],
    ["elapsed", { firstFailedAt: 1_700_000_000_000 }, { maxElapsedMs: 3_600_000 }],
  ])(
    "starts afresh after '%s' as well: what was said of the old generation does not count",
    async (reason, hints, policy) => {
      const { handle, look, urls, telemetry } = await pipeline({ policy });
      const context = { itemId: "x", attempt: 1, dispatchId: "dispatch00", kind: "failed", ...hints };
      await handle([aRecord({ context })]);
      const [dead] = look(urls.dead);
      expect(dead?.context?.deadLetter).toMatchObject({ reason });

      expect(await handle([aRecord({ context: dead?.context ?? {} })])).toEqual([]);
      expect(look(urls.work)).toMatchObject([{ context: { itemId: "x", generation: 2, attempt: 1 } }]);
      expect(telemetry.counts).toMatchObject({ Redriven: 1, Exhausted: 1 });
    },
  );

  it("copies of one item that come back together share one fresh budget and one write", async () => {
    const { handle, look, urls, row, copy, calls } = await world();
    calls.forget();
    const records = ["first", "second"].map((messageId) => aRecord({ messageId, context: copy }));
    expect(await handle(records)).toEqual([]);
    expect(calls.of("PutItem")).toHaveLength(1);
    expect(look(urls.work)).toHaveLength(1);
    expect(await row("x")).toMatchObject({ generation: 2, attempts: 0 });
  });
});
