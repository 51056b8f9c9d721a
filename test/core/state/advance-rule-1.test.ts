import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import {
  afterFailures,
  aReport,
  FIRST_REPORT,
  HOUR,
  movedBack,
  NOW,
  SECOND,
  SETTINGS,
  sendOf,
  someSettings,
  stateOf,
} from "../factories.ts";

const steady = someSettings({ jitter: { mode: "none" } });

describe("advance, rule 1: the report was recorded before", () => {
  it.each([
    ["at once", 0, 10],
    ["a millisecond later", 1, 10],
    ["after four seconds", 4 * SECOND, 6],
    ["after it was due", 11 * SECOND, 0],
    ["much later", 30 * 24 * HOUR, 0],
    ["when the clock went back five minutes", -300 * SECOND, 10],
  ])("repeats the same send with what remains of its delay: %s", (_when, laterMs, delaySeconds) => {
    const first = advance(undefined, FIRST_REPORT, steady, NOW);

    const again = advance(first.state, FIRST_REPORT, steady, NOW + laterMs);

    expect(sendOf(first.decision).delaySeconds).toBe(10);
    expect(again.decision).toEqual({ kind: "repeat", send: { ...sendOf(first.decision), delaySeconds } });
    expect(again.state).toBe(first.state);
    expect(again.observations).toEqual([]);
  });

  it("repeats it any number of times, and counts nothing", () => {
    const first = advance(undefined, FIRST_REPORT, SETTINGS, NOW);

    const kinds = [1, 2, 3, 4].map(
      (delivery) => advance(first.state, FIRST_REPORT, SETTINGS, NOW + delivery).decision.kind,
    );

    expect(kinds).toEqual(["repeat", "repeat", "repeat", "repeat"]);
    expect(first.state?.attempts).toBe(1);
  });

  it("repeats the send at once where the row has forgotten the delay", () => {
    const { step } = afterFailures(12, someSettings({ maxAttempts: 20 }));
    const state = stateOf(step);
    const withoutSuccessor = { ...state, history: state.history.filter((_, index) => index !== 1) };

    const again = advance(withoutSuccessor, FIRST_REPORT, SETTINGS, NOW + 12 * HOUR);

    expect(again.decision).toMatchObject({ kind: "repeat", send: { delaySeconds: 0, context: { attempt: 2 } } });
  });

  it("is done where the dispatch that it led to has been reported failed", () => {
    const { step } = afterFailures(2);

    expect(advance(step.state, FIRST_REPORT, SETTINGS, NOW)).toEqual({
      decision: { kind: "done" },
      state: step.state,
      observations: [],
    });
  });

  it("is done where the dispatch that it led to has been reported done", () => {
    const { step } = afterFailures(1);
    const success = { ...movedBack(sendOf(step.decision)), kind: "succeeded" } as const;
    const recovered = advance(step.state, success, SETTINGS, NOW);

    expect(advance(recovered.state, FIRST_REPORT, SETTINGS, NOW).decision.kind).toBe("done");
  });

  it("repeats a dead-letter send until the row says that one went out", () => {
    const settings = someSettings({ maxAttempts: 2 });
    const { step, report } = afterFailures(2, settings);
    const send = sendOf(step.decision);

    const again = advance(step.state, report, settings, NOW + 2 * HOUR);
    const marked = markSent(step.state, send.dispatchId, settings, NOW + 2 * HOUR);

    expect(again.decision).toEqual({ kind: "repeat", send });
    expect(advance(marked, report, settings, NOW + 3 * HOUR).decision.kind).toBe("done");
  });

  it("serves a lost swap against the report's own entry", () => {
    const ours = advance(undefined, FIRST_REPORT, SETTINGS, NOW);
    const winner = advance(undefined, FIRST_REPORT, SETTINGS, NOW + 40);

    const retried = advance(winner.state, FIRST_REPORT, SETTINGS, NOW + 50);

    expect(retried.decision.kind).toBe("repeat");
    expect(sendOf(retried.decision).dispatchId).toBe(sendOf(ours.decision).dispatchId);
  });

  it("does not apply to a row past its expiry, though it can still be read", () => {
    const first = advance(undefined, FIRST_REPORT, SETTINGS, NOW);
    const { expiresAt } = stateOf(first);

    expect(advance(first.state, FIRST_REPORT, SETTINGS, expiresAt - 1).decision.kind).toBe("repeat");
    expect(advance(first.state, FIRST_REPORT, SETTINGS, expiresAt).decision.kind).toBe("retry");
  });

  it("tells reports apart by message: another message about another dispatch counts", () => {
    const first = advance(undefined, aReport({ messageId: "m1", dispatchId: "d000000001" }), SETTINGS, NOW);
    const other = advance(first.state, aReport({ messageId: "m2", dispatchId: "d000000002" }), SETTINGS, NOW);

    expect(other.decision.kind).toBe("retry");
    expect(other.state?.attempts).toBe(2);
  });
});
