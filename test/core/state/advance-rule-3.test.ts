import { describe, expect, it } from "vitest";
import { explain } from "../../../lib/core/backoff/explain.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import { isPlausible } from "../../../lib/core/state/plausible.ts";
import type { AdvanceSettings } from "../../../lib/core/state/settings.ts";
import {
  afterFailures,
  aRecord,
  DAY,
  HOUR,
  ITEM_ID,
  movedBack,
  NOW,
  reportOf,
  SECOND,
  SETTINGS,
  sendOf,
  someSettings,
  stateOf,
} from "../factories.ts";

const LATER = NOW + 5 * DAY;

/** An item on the dead-letter queue after all its attempts, and the reports of its copy that came back. */
function setup(settings = someSettings({ maxAttempts: 3 })) {
  const { step, now } = afterFailures(settings.policy.maxAttempts, settings);
  const copy = sendOf(step.decision);
  const state = markSent(step.state, copy.dispatchId, settings, now);
  if (!state) throw new Error("the item must be exhausted");
  return { settings, state, copy, ...comeBack(copy.context) };
}

function comeBack(context: ReturnType<typeof sendOf>["context"]) {
  return {
    untried: (messageId = "u1") => reportOf(aRecord({ messageId, context })),
    tried: (messageId = "t1") => reportOf(aRecord({ messageId, context, moved: true })),
    reported: (messageId = "w1") => {
      const told = { kind: "failed", error: { type: "New" } } as const;
      return reportOf(aRecord({ messageId, context: { ...context, ...told } }));
    },
  };
}

/** How many times a worker gets an item that fails always, from this send on. */
function triesFrom(step: ReturnType<typeof advance>, settings: AdvanceSettings): number {
  let tries = 0;
  let current = step;
  while (current.decision.kind === "retry") {
    tries++;
    current = advance(current.state, movedBack(sendOf(current.decision)), settings, LATER + tries * HOUR);
  }
  return tries;
}

describe("advance, rule 3: a dead-letter copy moved to the ingest queue, untried", () => {
  it("starts the next generation with nothing counted, and is sent as its first attempt", () => {
    const { settings, state, untried } = setup();

    const step = advance(state, untried(), settings, LATER);

    expect(step.state).toMatchObject({ status: "retrying", generation: 2, attempts: 0 });
    expect(step.decision).toMatchObject({
      kind: "retry",
      send: { destination: "work", context: { generation: 2, attempt: 1 } },
    });
    expect(step.observations).toEqual(["redriven"]);
  });

  it("waits as after a first attempt, so that many items redriven at once spread", () => {
    const { settings, state, untried } = setup();
    const step = advance(state, untried(), settings, LATER);

    const expected = explain(settings.policy, { itemId: ITEM_ID, generation: 2, attempt: 1 });

    expect(sendOf(step.decision).delaySeconds).toBe(expected.delaySeconds);
    expect(step.state?.nextAttemptAt).toBe(LATER + expected.delaySeconds * SECOND);
  });

  it("has no failure yet: neither a first nor a last one, nor a reason", () => {
    const { settings, state, untried } = setup();
    const step = advance(state, untried(), settings, LATER);

    for (const field of ["firstFailedAt", "lastFailedAt", "reason"])
      expect(step.state, field).not.toHaveProperty(field);
    expect(sendOf(step.decision).context).not.toHaveProperty("firstFailedAt");
  });

  it.each([1, 2, 3, 10])("has maxAttempts tries still to come, of %i", (maxAttempts) => {
    const { settings, state, untried } = setup(someSettings({ maxAttempts }));

    expect(triesFrom(advance(state, untried(), settings, LATER), settings)).toBe(maxAttempts);
  });
});

describe("advance, rule 3: a dead-letter copy moved to the work queue, tried", () => {
  it.each(["tried", "reported"] as const)("%s: the failing try is number 1 of the next generation", (way) => {
    const setting = setup();

    const step = advance(setting.state, setting[way](), setting.settings, LATER);

    expect(step.state).toMatchObject({ generation: 2, attempts: 1, firstFailedAt: LATER, lastFailedAt: LATER });
    expect(step.decision).toMatchObject({ kind: "retry", send: { context: { generation: 2, attempt: 2 } } });
    expect(step.observations).toEqual(["redriven"]);
  });

  it.each([1, 2, 3, 10])("has maxAttempts tries in all, of %i", (maxAttempts) => {
    const { settings, state, tried } = setup(someSettings({ maxAttempts }));

    expect(triesFrom(advance(state, tried(), settings, LATER), settings)).toBe(maxAttempts - 1);
  });

  it("is exhausted again after its one try with maxAttempts 1", () => {
    const { settings, state, tried } = setup(someSettings({ maxAttempts: 1 }));

    const step = advance(state, tried(), settings, LATER);

    expect(step.decision).toMatchObject({ kind: "exhaust", reason: "attempts" });
    expect(step.state).toMatchObject({ generation: 2, attempts: 1, status: "exhausted" });
  });
});

describe("advance, rule 3: what ended the old generation does not carry over", () => {
  const elapsed = someSettings({ maxElapsedMs: HOUR });
  it.each([
    ["not-retryable", SETTINGS, { retryable: false }],
    ["elapsed", elapsed, { firstFailedAt: NOW - DAY }],
    ["deadline", SETTINGS, { deadlineAt: NOW }],
  ] as const)("%s", (reason, settings, told) => {
    const failed = advance(undefined, { ...afterFailures(1).report, ...told }, settings, NOW);
    const { untried, tried, reported } = comeBack(sendOf(failed.decision).context);
    const dead = markSent(failed.state, sendOf(failed.decision).dispatchId, settings, NOW);

    expect(failed.decision).toMatchObject({ kind: "exhaust", reason });
    for (const report of [untried(), tried(), reported()]) {
      expect(advance(dead, report, settings, LATER).decision.kind).toBe("retry");
      expect(advance(undefined, report, settings, LATER).decision.kind).toBe("retry");
    }
  });

  it("but a worker that says it again is believed", () => {
    const { settings, state, reported } = setup();

    const step = advance(state, { ...reported(), retryable: false }, settings, LATER);

    expect(step.decision).toMatchObject({
      kind: "exhaust",
      reason: "not-retryable",
      send: { context: { generation: 2 } },
    });
  });
});

describe("advance, rule 3: the row", () => {
  it("that is gone is made anew in the next generation, and not counted as lost", () => {
    const { settings, untried } = setup();

    const step = advance(undefined, untried(), settings, LATER);

    expect(step.state).toMatchObject({ generation: 2, attempts: 0, revision: LATER + 1 });
    expect(step.observations).toEqual(["redriven"]);
  });

  it("of an earlier generation is taken on: errors and history stay, folded", () => {
    const { settings, state, untried } = setup();
    const withError = { ...state, errors: [{ key: "a", type: "Timeout", message: "", count: 3 }] };

    const step = advance(withError, { ...untried(), generation: 5 }, settings, LATER);

    expect(step.state).toMatchObject({ generation: 6, errors: withError.errors, revision: state.revision + 1 });
    expect(step.state?.history).toHaveLength(4);
    expect(step.state?.history.slice(0, 3).every((entry) => entry.detail === undefined)).toBe(true);
  });

  it("that is in the next generation already is joined: nothing is reset", () => {
    const { settings, state, untried } = setup();
    const first = advance(state, untried(), settings, LATER);
    const failed = advance(first.state, movedBack(sendOf(first.decision)), settings, LATER + HOUR);
    const otherCopy = { ...untried("u2"), dispatchId: "othercopy0" };

    const joined = advance(failed.state, otherCopy, settings, LATER + 2 * HOUR);

    expect(joined.state).toMatchObject({ generation: 2, attempts: 1, firstFailedAt: LATER + HOUR });
    expect(sendOf(joined.decision).context).toMatchObject({ generation: 2, attempt: 2 });
    expect(joined.decision).toMatchObject({ kind: "retry", explanation: { attempt: 1 } });
  });

  it("that has used up the generation it joins goes out with a number that is believed on its return", () => {
    const { settings, state, untried } = setup();
    const usedUp = { ...state, generation: 2, attempts: 7 } as const;

    const step = advance(usedUp, untried(), settings, LATER);

    expect(sendOf(step.decision).context.attempt).toBe(settings.policy.maxAttempts + 1);
    expect(stateOf(step).attempts).toBe(7);
    const returned = movedBack(sendOf(step.decision));
    expect(isPlausible(undefined, returned, settings.policy)).toBe(true);
  });

  it("that is in a later generation is joined there, and a tried copy counts there", () => {
    const { settings, state, tried } = setup();
    const later = { ...state, status: "retrying", generation: 4, attempts: 1 } as const;

    const step = advance(later, tried(), settings, LATER);

    expect(step.state).toMatchObject({ generation: 4, attempts: 2 });
    expect(sendOf(step.decision).context).toMatchObject({ generation: 4, attempt: 3 });
  });
});

describe("advance, rule 3: once", () => {
  it.each(["untried", "tried"] as const)("the same copy %s is one redrive, whatever comes of a second", (way) => {
    const { settings, state, ...ways } = setup();
    const first = advance(state, ways[way]("m1"), settings, LATER);
    const { generation, attempts } = stateOf(first);

    for (const again of [ways[way]("m2"), ways.untried("m3"), ways.tried("m4"), ways.reported("m5")]) {
      const second = advance(first.state, again, settings, LATER + HOUR);
      expect(second.decision.kind).toBe("stale");
      expect(second.state).toMatchObject({ generation, attempts });
    }
    expect(advance(first.state, ways[way]("m1"), settings, LATER + HOUR).decision.kind).toBe("repeat");
  });
});
