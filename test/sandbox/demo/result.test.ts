import { describe, expect, it } from "vitest";
import { explain } from "../../../lib/core/backoff/explain.ts";
import { DEFAULT_POLICY } from "../../../lib/core/backoff/policy.ts";
import { Ledger } from "../../../lib/sandbox/demo/ledger.ts";
import type { PlannedItem } from "../../../lib/sandbox/demo/plan.ts";
import { type DeadLetter, type DemoResult, type Evidence, toResult } from "../../../lib/sandbox/demo/result.ts";
import { aState } from "../../core/factories.ts";

const RECOVERS: PlannedItem = { id: "order-1", way: "report", fate: "succeeds", failures: 1 };
const EXHAUSTS: PlannedItem = {
  id: "order-2",
  way: "redrive",
  fate: "never-succeeds",
  failures: Number.POSITIVE_INFINITY,
};
const DEAD_LETTER: DeadLetter = { demoId: "order-2", itemId: "item-2", attempt: 10, reason: "attempts" };

/** What is seen of one item that recovers at its second attempt and one that ends in the dead-letter queue. */
function someEvidence(changes: Partial<Evidence> = {}): Evidence {
  const ledger = new Ledger();
  for (const [demoId, itemId] of [
    ["order-1", "item-1"],
    ["order-2", "item-2"],
  ] as const) {
    const delayMs = explain(DEFAULT_POLICY, { itemId, generation: 1, attempt: 1 }).delaySeconds * 1000;
    ledger.delivered(demoId, { itemId, generation: 1, attempt: 2, dispatchId: demoId, delayMs });
  }
  ledger.succeeded("order-1", 2);
  return {
    items: [RECOVERS, EXHAUSTS],
    timeIsUp: false,
    ledger,
    deadLetters: [DEAD_LETTER],
    rows: new Map([
      ["item-1", aState({ itemId: "item-1", attempts: 1, status: "recovered" })],
      ["item-2", aState({ itemId: "item-2", attempts: 10, status: "dead-lettered" })],
    ]),
    policy: DEFAULT_POLICY,
    alarms: [],
    seconds: { real: 1, sandbox: 100 },
    ...changes,
  };
}

function resultOf(changes: Partial<Evidence>): DemoResult {
  return toResult(someEvidence(changes));
}

describe("the demo's result", () => {
  it("is well where every item is where its plan leads, and every attempt is counted", () => {
    expect(resultOf({})).toMatchObject({
      ok: true,
      recovered: 1,
      recoveredByAttempt: { 2: 1 },
      exhaustedByReason: { attempts: 1 },
      unaccounted: [],
      miscounted: [],
    });
  });

  it("names an item that is nowhere", () => {
    expect(resultOf({ deadLetters: [] })).toMatchObject({ ok: false, unaccounted: ["order-2"] });
  });

  it("names an item that is done and dead-lettered as well", () => {
    const deadLetters = [DEAD_LETTER, { ...DEAD_LETTER, demoId: "order-1", itemId: "item-1" }];

    expect(resultOf({ deadLetters })).toMatchObject({ ok: false, unaccounted: ["order-1"] });
  });

  it("is not well where an item is in the dead-letter queue twice", () => {
    expect(resultOf({ deadLetters: [DEAD_LETTER, DEAD_LETTER] }).ok).toBe(false);
  });

  it.each([
    ["counts another attempt than the copy", { attempts: 9, status: "dead-lettered" }],
    ["does not say dead-lettered", { attempts: 10, status: "exhausted" }],
  ] as const)("names an item whose row %s", (_, row) => {
    const rows = new Map(someEvidence().rows).set("item-2", aState({ itemId: "item-2", ...row }));

    expect(resultOf({ rows })).toMatchObject({ ok: false, miscounted: ["order-2"] });
  });

  it("counts a delay outside its window", () => {
    const { ledger } = someEvidence();
    ledger.delivered("order-2", { itemId: "item-2", generation: 1, attempt: 3, dispatchId: "late", delayMs: 21_000 });

    const result = resultOf({ ledger });

    expect(result.ok).toBe(false);
    expect(result.delays.map(({ afterAttempt, outsideWindow }) => [afterAttempt, outsideWindow])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});
