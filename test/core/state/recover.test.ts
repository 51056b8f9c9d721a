import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import {
  afterFailures,
  aReport,
  aState,
  DAY,
  FIRST_REPORT,
  HOUR,
  movedBack,
  NOW,
  SETTINGS,
  sendOf,
  someSettings,
} from "../factories.ts";

function success(changes: Parameters<typeof aReport>[0] = {}) {
  return aReport({ kind: "succeeded", messageId: "success", attempt: 2, ...changes });
}

describe("a success report", () => {
  it.each([
    ["without a row", undefined],
    ["with a row past its expiry", aState({ expiresAt: NOW })],
    ["with a row of an earlier generation", aState({ generation: 1 })],
    ["with a row of a later generation", aState({ generation: 3 })],
  ])("%s says nothing: the item never failed as far as it goes", (_name, row) => {
    const step = advance(row, success({ generation: 2 }), SETTINGS, NOW);

    expect(step.decision).toEqual({ kind: "nothing" });
    expect(step.observations).toEqual([]);
    expect(step.state).toBe(row?.expiresAt === NOW ? undefined : row);
  });

  it("marks the item recovered, and its dispatch as reported, without counting an attempt", () => {
    const state = aState();

    const step = advance(state, success(), SETTINGS, NOW + HOUR);

    expect(step.decision).toEqual({ kind: "recovered" });
    expect(step.state).toMatchObject({
      status: "recovered",
      attempts: 1,
      firstFailedAt: NOW,
      lastReport: "success",
      revision: state.revision + 1,
      expiresAt: NOW + HOUR + SETTINGS.rowLifetimeMs,
    });
    expect(step.state).not.toHaveProperty("nextAttemptAt");
    expect(step.state?.history.at(-1)).toMatchObject({ dispatchId: "dispatch12", outcome: { kind: "succeeded" } });
  });

  it("of a dispatch that was reported done before writes nothing", () => {
    const first = advance(aState(), success(), SETTINGS, NOW);

    for (const again of [success(), success({ messageId: "another" })]) {
      expect(advance(first.state, again, SETTINGS, NOW)).toEqual({
        decision: { kind: "done" },
        state: first.state,
        observations: [],
      });
    }
  });

  it("of a dead-lettered item recovers it: the copy in the dead-letter queue is obsolete", () => {
    const settings = someSettings({ maxAttempts: 1 });
    const { step } = afterFailures(1, settings);
    const copy = sendOf(step.decision);
    const dead = markSent(step.state, copy.dispatchId, settings, NOW);

    const done = advance(dead, { ...movedBack(copy), kind: "succeeded" }, settings, NOW + DAY);

    expect(done.decision.kind).toBe("recovered");
    expect(done.state).toMatchObject({ status: "recovered", generation: 1 });
  });

  it("proves a later failure report of the same dispatch stale", () => {
    const done = advance(aState(), success(), SETTINGS, NOW);

    const failure = advance(done.state, aReport({ attempt: 2 }), SETTINGS, NOW + 10 * DAY);

    expect(failure.decision.kind).toBe("stale");
    expect(failure.state).toBe(done.state);
  });

  it("of a dispatch that has been reported failed recovers the item; the pending retry, if it fails, counts on", () => {
    const { step } = afterFailures(2);
    const pending = sendOf(step.decision);
    const late = { ...movedBack(sendOf(afterFailures(1).step.decision), "late"), kind: "succeeded" } as const;

    const done = advance(step.state, late, SETTINGS, NOW + HOUR);
    const failure = advance(done.state, movedBack(pending), SETTINGS, NOW + 2 * HOUR);

    expect(done.state?.status).toBe("recovered");
    expect(failure.decision.kind).toBe("retry");
    expect(failure.state).toMatchObject({ status: "retrying", attempts: 3 });
  });

  it("of a first delivery that a copy of it had failed is counted on the item by name", () => {
    const failed = advance(undefined, FIRST_REPORT, SETTINGS, NOW);

    const done = advance(failed.state, { ...FIRST_REPORT, reportId: "s", kind: "succeeded" }, SETTINGS, NOW);

    expect(done.decision.kind).toBe("recovered");
  });
});
