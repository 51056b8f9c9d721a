import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import {
  append,
  DETAILED_ENTRIES,
  foldAll,
  isSettled,
  MAX_ENTRIES,
  successorOf,
} from "../../../lib/core/state/history.ts";
import type { HistoryEntry } from "../../../lib/core/state/item-state.ts";
import { afterFailures, anEntry, HOUR, movedBack, NOW, sendOf, someSettings } from "../factories.ts";

function aHistory(length: number): readonly HistoryEntry[] {
  return Array.from({ length }, (_, index) => anEntry({ attempt: index + 1, reportId: `r${index}` })).reduce<
    readonly HistoryEntry[]
  >(append, []);
}

describe("the history of an item", () => {
  it("keeps times, delays and errors of its last ten reports", () => {
    const history = aHistory(13);

    expect(history).toHaveLength(13);
    expect(history.map(({ detail }) => detail !== undefined)).toEqual([
      ...new Array(3).fill(false),
      ...new Array(DETAILED_ENTRIES).fill(true),
    ]);
  });

  it("keeps the dispatches and outcomes of its last 64 reports", () => {
    const history = aHistory(MAX_ENTRIES + 5);

    expect(history).toHaveLength(64);
    expect(history[0]).toMatchObject({ attempt: 6, dispatchId: "original00", outcome: { kind: "retry" } });
    expect(history.at(-1)?.attempt).toBe(69);
  });

  it("does not lose an entry by folding", () => {
    const { detail: _, ...folded } = anEntry();

    expect(foldAll([anEntry(), anEntry()])).toEqual([folded, folded]);
  });

  it("tells copies of any of the last 64 dispatches from new ones", () => {
    const settings = someSettings({ maxAttempts: 100 });
    const first = sendOf(afterFailures(1, settings).step.decision);
    const copy = movedBack(first, "a copy");

    const after64 = afterFailures(65, settings);
    const after65 = afterFailures(66, settings);

    expect(advance(after64.step.state, copy, settings, NOW + 100 * HOUR).decision.kind).toBe("stale");
    expect(advance(after65.step.state, copy, settings, NOW + 100 * HOUR).decision.kind).toBe("retry");
  });
});

describe("what a report led to is settled", () => {
  const successor = successorOf("order-42", anEntry());
  const settled = (entry: HistoryEntry, ...more: HistoryEntry[]) => isSettled("order-42", [entry, ...more], entry);

  it("where it was a success, or a dead-letter send that went out", () => {
    const exhaust = { kind: "exhaust", reason: "attempts" } as const;

    expect(settled(anEntry({ outcome: { kind: "succeeded" } }))).toBe(true);
    expect(settled(anEntry({ outcome: { ...exhaust, sent: true } }))).toBe(true);
    expect(settled(anEntry({ outcome: { ...exhaust, sent: false } }))).toBe(false);
  });

  it("where the dispatch that it led to has been reported, in whatever way", () => {
    expect(settled(anEntry())).toBe(false);
    expect(settled(anEntry(), anEntry({ dispatchId: "another000" }))).toBe(false);
    expect(settled(anEntry(), anEntry({ dispatchId: successor }))).toBe(true);
    expect(settled(anEntry(), anEntry({ dispatchId: successor, outcome: { kind: "succeeded" } }))).toBe(true);
  });
});
