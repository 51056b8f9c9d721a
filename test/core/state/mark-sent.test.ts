import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import { afterFailures, aReport, HOUR, movedBack, NOW, sendOf, someSettings, stateOf } from "../factories.ts";

const settings = someSettings({ maxAttempts: 2 });

function setup() {
  const { step, now } = afterFailures(2, settings);
  return { state: stateOf(step), dispatchId: sendOf(step.decision).dispatchId, now };
}

describe("marking an item dead-lettered", () => {
  it("happens after the send only: until then it is exhausted", () => {
    const { state, dispatchId, now } = setup();

    const marked = markSent(state, dispatchId, settings, now + HOUR);

    expect(state).toMatchObject({ status: "exhausted" });
    expect(marked).toMatchObject({
      status: "dead-lettered",
      attempts: 2,
      reason: "attempts",
      revision: state.revision + 1,
      expiresAt: now + HOUR + settings.rowLifetimeMs,
    });
    expect(marked?.history.at(-1)?.outcome).toEqual({ kind: "exhaust", reason: "attempts", sent: true });
    expect(marked?.history.slice(0, -1)).toEqual(state.history.slice(0, -1));
  });

  it("is nothing the second time, for a dispatch to the work queue, without a row, or past the row's expiry", () => {
    const { state, dispatchId, now } = setup();
    const marked = markSent(state, dispatchId, settings, now);

    expect(markSent(marked, dispatchId, settings, now)).toBeUndefined();
    expect(markSent(state, sendOf(afterFailures(1, settings).step.decision).dispatchId, settings, now)).toBeUndefined();
    expect(markSent(undefined, dispatchId, settings, now)).toBeUndefined();
    expect(markSent(state, dispatchId, settings, state.expiresAt)).toBeUndefined();
  });

  it("notes the send, but leaves the status, of an item that was redriven or done meanwhile", () => {
    const { state, dispatchId } = setup();
    const done = advance(state, { ...aReport({ attempt: 2, messageId: "done" }), kind: "succeeded" }, settings, NOW);

    const marked = markSent(done.state, dispatchId, settings, NOW);

    expect(marked?.status).toBe("recovered");
    expect(marked?.history.some(({ outcome }) => outcome.kind === "exhaust" && outcome.sent)).toBe(true);
  });

  it("is each message's own where two share an exhausted id", () => {
    const { state, dispatchId, now } = setup();
    const other = advance(state, aReport({ messageId: "other", dispatchId: "other00000" }), settings, now);

    const marked = markSent(other.state, dispatchId, settings, now);

    expect(marked?.history.flatMap(({ outcome }) => (outcome.kind === "exhaust" ? [outcome.sent] : []))).toEqual([
      true,
      false,
    ]);
    expect(
      advance(marked, movedBack(sendOf(afterFailures(1, settings).step.decision)), settings, now).decision.kind,
    ).toBe("done");
  });
});
