import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import {
  aContext,
  afterFailures,
  aRecord,
  aReport,
  DAY,
  movedBack,
  NOW,
  reportOf,
  SETTINGS,
  sendOf,
  someSettings,
  stateOf,
} from "../factories.ts";

const YOUNG = SETTINGS.reportLifetimeMs / 2 - 1;
const OLD = SETTINGS.reportLifetimeMs / 2;

/** An item whose second attempt failed, reported once; and a further report of the same dispatch. */
function setup(settings = SETTINGS) {
  const first = afterFailures(1, settings);
  const dispatch = sendOf(first.step.decision);
  const step = advance(first.step.state, movedBack(dispatch, "m1"), settings, NOW);
  return { state: stateOf(step), successor: sendOf(step.decision), copy: movedBack(dispatch, "m2") };
}

describe("advance, rule 2: the dispatch was reported before", () => {
  it("is stale, sends and writes nothing, while SQS still holds the report that recorded it", () => {
    const { state, copy } = setup();

    expect(advance(state, copy, SETTINGS, NOW + YOUNG)).toEqual({
      decision: { kind: "stale" },
      state,
      observations: [],
    });
  });

  it("repeats the successor, and writes nothing, where nothing proves that it ever went out", () => {
    const { state, successor, copy } = setup();

    const step = advance(state, copy, SETTINGS, NOW + OLD);

    expect(step.decision).toEqual({ kind: "repeat", send: { ...successor, delaySeconds: 0 } });
    expect(step.state).toBe(state);
  });

  it("repeats at once where the report that recorded it was late: SQS may have given that one up", () => {
    const first = afterFailures(1);
    const late = { ...movedBack(sendOf(first.step.decision), "m1"), firstReceivedAt: NOW - OLD - 1 };
    const step = advance(first.step.state, late, SETTINGS, NOW);

    const copy = movedBack(sendOf(first.step.decision), "m2");

    expect(advance(step.state, copy, SETTINGS, NOW + 1).decision.kind).toBe("repeat");
  });

  it("is stale where the successor has been reported failed, however long ago", () => {
    const { state, successor, copy } = setup();
    const further = advance(state, movedBack(successor), SETTINGS, NOW + DAY);

    expect(advance(further.state, copy, SETTINGS, NOW + 10 * DAY).decision.kind).toBe("stale");
  });

  it("is stale where the successor has been reported done", () => {
    const { state, successor, copy } = setup();
    const further = advance(state, { ...movedBack(successor), kind: "succeeded" }, SETTINGS, NOW + DAY);

    expect(advance(further.state, copy, SETTINGS, NOW + 10 * DAY).decision.kind).toBe("stale");
  });

  it("is stale where the item is dead-lettered, and repeats the dead-letter send where that is only decided", () => {
    const settings = someSettings({ maxAttempts: 2 });
    const { state, successor, copy } = setup(settings);
    const marked = markSent(state, successor.dispatchId, settings, NOW);

    expect(successor.destination).toBe("dead-letter");
    expect(advance(marked, copy, settings, NOW + OLD).decision.kind).toBe("stale");
    expect(advance(state, copy, settings, NOW + OLD).decision).toEqual({ kind: "repeat", send: successor });
  });

  it("is stale where the dispatch itself has been reported done", () => {
    const { state, copy } = setup();
    const done = advance(state, { ...copy, kind: "succeeded" }, SETTINGS, NOW);

    expect(advance(done.state, { ...copy, reportId: "r3" }, SETTINGS, NOW + 10 * DAY).decision.kind).toBe("stale");
  });

  it("holds the report for young while the clock has gone back", () => {
    const { state, copy } = setup();

    expect(advance(state, copy, SETTINGS, NOW - DAY).decision.kind).toBe("stale");
  });

  it("comes before a redrive: a copy that comes back twice is one redrive", () => {
    const settings = someSettings({ maxAttempts: 1 });
    const { context } = sendOf(afterFailures(1, settings).step.decision);
    const copies = ["m1", "m2"].map((messageId) => reportOf(aRecord({ messageId, context })));
    const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];
    const redriven = advance(afterFailures(1, settings).step.state, one, settings, NOW);

    expect(redriven.state).toMatchObject({ generation: 2, attempts: 0 });
    expect(advance(redriven.state, other, settings, NOW)).toMatchObject({
      decision: { kind: "stale" },
      state: { generation: 2, attempts: 0 },
    });
  });
});

describe("advance, rule 2: two messages that share an item id do not swallow each other", () => {
  const sharing = [
    [
      "by the caller's id attribute",
      (messageId: string) =>
        reportOf(aRecord({ messageId, attributes: { id: { dataType: "String", stringValue: "order-42" } } }), "id"),
    ],
    ["by hand-made contexts", (messageId: string) => reportOf(aRecord({ messageId, context: aContext() }))],
  ] as const;

  it.each(sharing)("%s: the second one is counted, and sent under its own name", (_how, report) => {
    const first = advance(undefined, report("m1"), SETTINGS, NOW);
    const second = advance(first.state, report("m2"), SETTINGS, NOW);

    expect(second.decision.kind).toBe("retry");
    expect(second.state?.attempts).toBe(2);
    expect(sendOf(second.decision).dispatchId).not.toBe(sendOf(first.decision).dispatchId);
  });

  it.each(sharing)("%s: a further one of an exhausted id is dead-lettered as shared-budget", (_how, report) => {
    const settings = someSettings({ maxAttempts: 1 });
    const first = advance(undefined, report("m1"), settings, NOW);
    const dead = markSent(first.state, sendOf(first.decision).dispatchId, settings, NOW);
    const second = advance(dead, report("m2"), settings, NOW + DAY);

    expect(second.decision).toMatchObject({ kind: "exhaust", reason: "shared-budget" });
    expect(second.state).toMatchObject({ status: "exhausted", attempts: 2, reason: "shared-budget" });
    expect(second.observations).toContain("shared-identity");
  });

  it("a worker that always reports the same bare context still comes to the end of the budget", () => {
    const settings = someSettings({ maxAttempts: 3 });
    let state = advance(undefined, reportOf(aRecord({ messageId: "m1", context: aContext() })), settings, NOW).state;
    const kinds = ["m2", "m3"].map((messageId) => {
      const step = advance(state, reportOf(aRecord({ messageId, context: aContext() })), settings, NOW);
      state = step.state;
      return step.decision.kind;
    });

    expect(kinds).toEqual(["retry", "exhaust"]);
  });

  it("also when one of them has succeeded: its dispatch proves nothing about the other's", () => {
    const first = advance(undefined, aReport({ messageId: "m1", dispatchId: "d000000001" }), SETTINGS, NOW);
    const done = advance(first.state, movedBackAsSuccess(sendOf(first.decision)), SETTINGS, NOW);
    const other = advance(done.state, aReport({ messageId: "m2", dispatchId: "d000000002" }), SETTINGS, NOW);

    expect(other.decision.kind).toBe("retry");
  });
});

function movedBackAsSuccess(send: Parameters<typeof movedBack>[0]) {
  return { ...movedBack(send), kind: "succeeded" } as const;
}
