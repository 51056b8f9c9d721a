import { describe, expect, it } from "vitest";
import { readContext } from "../../../lib/core/item/read-context.ts";
import { encodeContext } from "../../../lib/core/item/retry-context.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import { dispatchOf, remainingSeconds } from "../../../lib/core/state/dispatch.ts";
import {
  aContext,
  anEntry,
  aRecord,
  aReport,
  aState,
  HOUR,
  movedBack,
  NOW,
  reportOf,
  SECOND,
  SETTINGS,
  sendOf,
} from "../factories.ts";

describe("what travels with an item", () => {
  const told = { deadlineAt: NOW + 24 * HOUR, unknown: { priority: { level: 3 } } };

  it("is its deadline and the fields of a newer writer, from dispatch to dispatch", () => {
    const report = reportOf(aRecord({ messageId: "m1", context: aContext({ ...told, kind: "failed" }) }));
    let step = advance(undefined, report, SETTINGS, NOW);
    for (let failure = 2; failure <= 4; failure++) {
      expect(sendOf(step.decision).context).toMatchObject({ attempt: failure, ...told });
      step = advance(step.state, movedBack(sendOf(step.decision)), SETTINGS, NOW + failure * HOUR);
    }
  });

  it("is the same on a repeat", () => {
    const report = aReport(told);
    const step = advance(undefined, report, SETTINGS, NOW);

    expect(sendOf(advance(step.state, report, SETTINGS, NOW).decision)).toEqual(sendOf(step.decision));
  });

  it("is on a dead-letter copy all but the deadline, which was the old generation's", () => {
    const step = advance(undefined, aReport({ ...told, attempt: 10 }), SETTINGS, NOW);
    const { context } = sendOf(step.decision);

    expect(context).toMatchObject({ unknown: told.unknown });
    expect(context).not.toHaveProperty("deadlineAt");
  });

  it("is its report's generation and attempt on a repeat, though the row has gone on", () => {
    const goneOn = aState({ generation: 3, attempts: 7 });

    expect(dispatchOf(goneOn, anEntry(), aReport(), 0).context).toMatchObject({ generation: 1, attempt: 2 });
  });

  it("holds no error or hint of an attempt: the next one begins anew", () => {
    const step = advance(undefined, aReport({ error: { type: "A" }, retryAfterMs: 5, retryable: true }), SETTINGS, NOW);
    const { context } = sendOf(step.decision);

    for (const field of ["error", "retryAfterMs", "retryable", "kind", "deadLetter"]) {
      expect(context, field).not.toHaveProperty(field);
    }
  });
});

describe("a dead-letter copy", () => {
  it("says everything of the old generation inside its note, and a reader understands it", () => {
    const error = { type: "TimeoutError", message: "no answer" };
    const report = aReport({ attempt: 10, error, firstFailedAt: 7, deadlineAt: NOW + HOUR });
    const row = aState({ attempts: 9, firstFailedAt: NOW - HOUR });

    const send = sendOf(advance(row, report, SETTINGS, NOW).decision);

    const { dispatchId } = send;
    expect(send.context).toEqual({
      itemId: "order-42",
      generation: 1,
      attempt: 10,
      dispatchId,
      deadLetter: { reason: "attempts", at: NOW, firstFailedAt: NOW - HOUR, lastFailedAt: NOW, error },
    });
    expect(readContext(encodeContext(send.context))).toEqual({ kind: "readable", context: send.context });
  });

  it("says when the decision was made also where the row has folded it", () => {
    const { detail: _, ...entry } = anEntry({ outcome: { kind: "exhaust", reason: "attempts", sent: false } });

    const send = dispatchOf(aState({ lastFailedAt: NOW + 1 }), entry, aReport(), 0);

    expect(send.context.deadLetter?.at).toBe(NOW + 1);
  });
});

describe("what remains of a delay", () => {
  it.each([
    [-HOUR, 5],
    [0, 5],
    [1, 5],
    [1_001, 4],
    [4_999, 1],
    [5_000, 0],
    [HOUR, 0],
  ])("of 5 s, %i ms after the decision, is %i whole seconds", (laterMs, seconds) => {
    expect(remainingSeconds(anEntry({ detail: { at: NOW, delayMs: 5 * SECOND } }), NOW + laterMs)).toBe(seconds);
  });
});

describe("a dispatch id", () => {
  it("differs from item to item, generation to generation and report to report", () => {
    const ids = [
      dispatchOf(aState(), anEntry(), aReport(), 0),
      dispatchOf(aState({ itemId: "order-43" }), anEntry(), aReport(), 0),
      dispatchOf(aState(), anEntry({ generation: 2 }), aReport(), 0),
      dispatchOf(aState(), anEntry({ reportId: "report0001" }), aReport(), 0),
    ].map(({ dispatchId }) => dispatchId);

    expect(new Set(ids).size).toBe(4);
  });
});
