import { describe, expect, it } from "vitest";
import { explain } from "../../../lib/core/backoff/explain.ts";
import { dispatchIdOf, reportIdOf } from "../../../lib/core/item/failure-report.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import {
  aReport,
  aState,
  FIRST_REPORT,
  HOUR,
  ITEM_ID,
  NOW,
  SECOND,
  SETTINGS,
  sendOf,
  someSettings,
} from "../factories.ts";

describe("advance, rule 4: a first failure", () => {
  it("is attempt 1, and goes back to the work queue after the drawn delay", () => {
    const { delaySeconds } = explain(SETTINGS.policy, { itemId: ITEM_ID, generation: 1, attempt: 1 });

    const step = advance(undefined, FIRST_REPORT, SETTINGS, NOW);

    const dispatchId = dispatchIdOf(ITEM_ID, 1, reportIdOf(ITEM_ID));
    const delayMs = delaySeconds * SECOND;
    expect(step.decision).toMatchObject({ kind: "retry", explanation: { attempt: 1, delaySeconds } });
    expect(sendOf(step.decision)).toEqual({
      destination: "work",
      dispatchId,
      delaySeconds,
      context: { itemId: ITEM_ID, generation: 1, attempt: 2, dispatchId, firstFailedAt: NOW, delayMs },
    });
    expect(step.state).toEqual({
      itemId: ITEM_ID,
      status: "retrying",
      generation: 1,
      attempts: 1,
      firstFailedAt: NOW,
      lastFailedAt: NOW,
      nextAttemptAt: NOW + delayMs,
      lastReport: ITEM_ID,
      errors: [],
      history: [
        {
          generation: 1,
          attempt: 1,
          dispatchId: reportIdOf(ITEM_ID),
          reportId: reportIdOf(ITEM_ID),
          outcome: { kind: "retry" },
          detail: { at: NOW, delayMs },
        },
      ],
      revision: NOW + 1,
      expiresAt: NOW + SETTINGS.rowLifetimeMs,
    });
    expect(step.observations).toEqual([]);
  });
});

describe("advance, rule 4: a report of the row's generation", () => {
  it.each([
    { row: 1, report: 2, attempts: 2, why: "the next attempt" },
    { row: 3, report: 2, attempts: 4, why: "a late report of another dispatch counts one more" },
    { row: 1, report: 6, attempts: 6, why: "the message knows of attempts that the row has lost" },
  ])("counts max(row + 1, report): row $row, report $report → $attempts ($why)", ({ row, report, attempts }) => {
    const step = advance(aState({ attempts: row }), aReport({ attempt: report }), SETTINGS, NOW);

    expect(step.state).toMatchObject({ generation: 1, attempts });
    expect(sendOf(step.decision).context.attempt).toBe(attempts + 1);
    expect(step.observations).toEqual([]);
  });

  it("keeps the row's first failure, and raises revision and expiry", () => {
    const state = aState();

    const step = advance(state, aReport({ attempt: 2, firstFailedAt: 7 }), SETTINGS, NOW + HOUR);

    expect(step.state).toMatchObject({
      firstFailedAt: NOW,
      lastFailedAt: NOW + HOUR,
      revision: state.revision + 1,
      expiresAt: NOW + HOUR + SETTINGS.rowLifetimeMs,
      lastReport: "message-1-2",
    });
  });

  it("counts on after the item was reported done", () => {
    const { nextAttemptAt: _, ...rest } = aState();

    const step = advance({ ...rest, status: "recovered" }, aReport({ attempt: 2 }), SETTINGS, NOW);

    expect(step.state).toMatchObject({ status: "retrying", attempts: 2 });
  });
});

describe("advance, rule 4: a report of an older generation", () => {
  it("counts one more in the row's, whatever it says of itself", () => {
    const state = aState({ generation: 3, attempts: 1 });

    const step = advance(state, aReport({ generation: 1, attempt: 9 }), SETTINGS, NOW);

    expect(step.state).toMatchObject({ generation: 3, attempts: 2 });
    expect(sendOf(step.decision).context).toMatchObject({ generation: 3, attempt: 3 });
    expect(step.observations).toEqual([]);
  });
});

describe("advance, rule 4: a lost row", () => {
  it.each([
    ["absent", undefined],
    ["of an older generation", aState({ generation: 1, attempts: 7 })],
    ["past its expiry", aState({ expiresAt: NOW })],
  ])("%s: the message's own numbers stand in, and RowsLost counts", (_name, row) => {
    const firstFailedAt = NOW - HOUR;

    const step = advance(row, aReport({ generation: 2, attempt: 4, firstFailedAt }), SETTINGS, NOW);

    expect(step.state).toMatchObject({ generation: 2, attempts: 4, firstFailedAt });
    expect(sendOf(step.decision).context).toMatchObject({ generation: 2, attempt: 5, firstFailedAt });
    expect(step.observations).toEqual(["row-lost"]);
  });

  it("of an older generation keeps its errors and, folded, its history", () => {
    const errors = [{ key: "a", type: "Timeout", message: "", count: 3 }];

    const step = advance(aState({ errors }), aReport({ generation: 2 }), SETTINGS, NOW);

    expect(step.state?.errors).toEqual(errors);
    expect(step.state?.history.map(({ detail }) => detail !== undefined)).toEqual([false, true]);
  });

  it("is none where no dispatch of ours is involved", () => {
    expect(advance(undefined, aReport({ dispatched: false }), SETTINGS, NOW).observations).toEqual([]);
    expect(advance(aState(), aReport({ dispatched: false, generation: 2 }), SETTINGS, NOW).observations).toEqual([]);
  });

  it("starts its revision from the time, so that it never equals one read before the row was lost", () => {
    expect(advance(undefined, aReport(), SETTINGS, NOW).state?.revision).toBe(NOW + 1);
  });

  it("costs no limit: an item at its last attempt is exhausted", () => {
    const step = advance(undefined, aReport({ attempt: 10 }), SETTINGS, NOW);

    expect(step.decision).toMatchObject({ kind: "exhaust", reason: "attempts" });
  });
});

describe("advance, rule 4: a message that shares an item id", () => {
  it.each(["exhausted", "dead-lettered"] as const)("with an %s item is dead-lettered as shared-budget", (status) => {
    const row = aState({ status, attempts: 10, reason: "attempts" });

    const step = advance(row, aReport({ attempt: 1 }), SETTINGS, NOW);

    expect(step.decision).toMatchObject({
      kind: "exhaust",
      reason: "shared-budget",
      send: { destination: "dead-letter" },
    });
    expect(step.observations).toEqual(["shared-identity"]);
  });

  it("by the caller's id attribute is counted as such, and shares the budget", () => {
    const step = advance(aState(), aReport({ identity: "attribute", dispatched: false }), SETTINGS, NOW);

    expect(step.state?.attempts).toBe(2);
    expect(step.observations).toEqual(["shared-identity"]);
  });

  it("is none where there is no row yet", () => {
    expect(
      advance(undefined, aReport({ identity: "attribute", dispatched: false }), SETTINGS, NOW).observations,
    ).toEqual([]);
  });
});

describe("advance, rule 4: a report without identity", () => {
  const sent = { identity: "message", dispatched: false } as const;

  it("is one that was sent, not moved, and names nothing", () => {
    expect(advance(undefined, aReport({ ...sent, moved: false }), SETTINGS, NOW).observations).toEqual([
      "without-identity",
    ]);
    expect(advance(undefined, aReport({ ...sent, moved: true }), SETTINGS, NOW).observations).toEqual([]);
    expect(advance(undefined, aReport({ ...sent, identity: "context" }), SETTINGS, NOW).observations).toEqual([]);
  });
});

describe("advance, rule 4: an unreadable context", () => {
  const unreadable = { original: "not json", why: "it must be JSON" };
  const report = aReport({ identity: "message", dispatched: false, unreadable });

  it("dead-letters the item at once, with a fresh context that holds the original", () => {
    const step = advance(undefined, report, SETTINGS, NOW);

    expect(step.decision).toMatchObject({ kind: "exhaust", reason: "unreadable-context" });
    expect(sendOf(step.decision).context).toMatchObject({
      itemId: ITEM_ID,
      generation: 1,
      attempt: 1,
      deadLetter: { reason: "unreadable-context", at: NOW, original: "not json" },
    });
    expect(step.observations).toEqual(["unreadable-context"]);
  });

  it("is repeated with the original where the first send did not go out", () => {
    const step = advance(undefined, report, SETTINGS, NOW);

    const again = advance(step.state, report, SETTINGS, NOW + HOUR);

    expect(again.decision).toEqual({ kind: "repeat", send: sendOf(step.decision) });
  });
});

describe("advance, rule 4: the delay", () => {
  it("grows with the attempt, and takes a Retry-After as its least", () => {
    const steady = someSettings({ jitter: { mode: "none" } });
    const third = advance(aState({ attempts: 2 }), aReport({ attempt: 3 }), steady, NOW);
    const hinted = advance(aState(), aReport({ attempt: 2, retryAfterMs: 123_000 }), steady, NOW);

    expect(sendOf(third.decision).delaySeconds).toBe(40);
    expect(sendOf(hinted.decision).delaySeconds).toBe(123);
  });

  it.each([
    ["the row's history", aState(), 7_000, 5 * SECOND],
    ["the context, where the row is lost", undefined, 20_000, 20_000],
    [
      "the context, where the row's is of another generation",
      aState({ generation: 2, history: [anOldEntry()] }),
      20_000,
      20_000,
    ],
  ])("in mode decorrelated starts from %s", (_where, row, previousDelayMs, expected) => {
    const settings = someSettings({ jitter: { mode: "decorrelated" }, baseMs: 2_000 });
    const { generation = 1 } = row ?? {};

    const { decision } = advance(row, aReport({ attempt: 2, generation, previousDelayMs }), settings, NOW);

    expect(decision).toMatchObject({ kind: "retry", explanation: { previousMs: expected } });
  });
});

function anOldEntry() {
  const [entry] = aState().history;
  if (!entry) throw new Error("a state has one entry");
  return entry;
}
