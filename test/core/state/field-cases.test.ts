import { describe, expect, it } from "vitest";
import { composeMessage } from "../../../lib/core/item/compose.ts";
import { readContext } from "../../../lib/core/item/read-context.ts";
import { readRecord } from "../../../lib/core/item/read-record.ts";
import { CONTEXT_ATTRIBUTE } from "../../../lib/core/item/retry-context.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import {
  aContext,
  afterFailures,
  aRecord,
  aState,
  DAY,
  FIRST_REPORT,
  HOUR,
  movedBack,
  NOW,
  reportOf,
  SECOND,
  SETTINGS,
  sendOf,
  someSettings,
  stateOf,
} from "../factories.ts";
import { isLegal } from "../item/legal-characters.ts";

describe("field cases", () => {
  it.each([
    { maxAttempts: 1, delays: [] },
    { maxAttempts: 2, delays: [2] },
    { maxAttempts: 3, delays: [2, 4] },
  ])(
    "FC-03: with maxAttempts $maxAttempts an item that always fails waits $delays s, then is dead-lettered",
    (given) => {
      const settings = someSettings({ maxAttempts: given.maxAttempts, baseMs: 2 * SECOND, jitter: { mode: "none" } });
      const delays: number[] = [];
      let step = advance(undefined, FIRST_REPORT, settings, NOW);
      while (step.decision.kind === "retry") {
        delays.push(sendOf(step.decision).delaySeconds);
        step = advance(step.state, movedBack(sendOf(step.decision)), settings, NOW + delays.length * HOUR);
      }

      expect(delays).toEqual(given.delays);
      expect(step.decision).toMatchObject({ kind: "exhaust", reason: "attempts" });
      expect(step.state?.attempts).toBe(given.maxAttempts);
      expect(sendOf(step.decision).context.attempt).toBe(given.maxAttempts);
    },
  );

  it.each([
    ["\u001b[31mboom\u001b[0m", "\ufffd[31mboom\ufffd[0m"],
    ["bad byte \u0000", "bad byte \ufffd"],
    ["\ufffe", "\ufffd"],
  ])("FC-09: an error text of %j reaches the dead-letter copy readable and legal", (message, legal) => {
    const context = aContext({ attempt: 10, kind: "failed", error: { message } });
    const report = reportOf(aRecord({ messageId: "m1", context }));
    const send = sendOf(advance(undefined, report, SETTINGS, NOW).decision);

    const composed = composeMessage({ body: "a body", attributes: {} }, send.context);

    const ours = composed.attributes[CONTEXT_ATTRIBUTE];
    const value = ours && "text" in ours ? ours.text : "";
    expect(isLegal(value)).toBe(true);
    expect(JSON.parse(value).deadLetter.error.message).toBe(legal);
    expect(composed.body).toBe("a body");
  });

  it("FC-15: a send that times out at four deliveries costs no attempt, and goes out at the fifth", () => {
    const settings = someSettings({ maxAttempts: 5 });
    const first = advance(undefined, FIRST_REPORT, settings, NOW);

    for (let delivery = 1; delivery <= 4; delivery++) {
      const again = advance(first.state, FIRST_REPORT, settings, NOW + delivery * HOUR);

      expect(again.decision.kind).toBe("repeat");
      expect(sendOf(again.decision).dispatchId).toBe(sendOf(first.decision).dispatchId);
      expect(again.state).toMatchObject({ attempts: 1, status: "retrying" });
    }
  });

  it("FC-15: a copy made by a crash after the send dies out within the next ten cycles", () => {
    const settings = someSettings({ maxAttempts: 20 });
    const first = advance(undefined, FIRST_REPORT, settings, NOW);
    let state = first.state;
    let copies = [sendOf(first.decision), sendOf(advance(state, FIRST_REPORT, settings, NOW + 1).decision)];
    for (let cycle = 1; cycle <= 10; cycle++) {
      const steps = copies.map((copy, index) => {
        const step = advance(state, movedBack(copy, `m-${cycle}-${index}`), settings, NOW + cycle * HOUR);
        state = step.state;
        return step;
      });
      copies = steps.flatMap(({ decision }) => ("send" in decision ? [decision.send] : []));

      expect(copies).toHaveLength(1);
      expect(state?.attempts).toBe(cycle + 1);
    }
  });

  it("FC-17: an item received four times without a row is at its first attempt", () => {
    const report = reportOf(aRecord({ messageId: "m1", receiveCount: 4, moved: true }));

    const step = advance(undefined, report, someSettings({ jitter: { mode: "none" } }), NOW);

    expect(step.state?.attempts).toBe(1);
    expect(sendOf(step.decision)).toMatchObject({ delaySeconds: 10, context: { attempt: 2 } });
  });

  it("FC-20: a first failure 90 s in the future does not expire the item, and attempts still end it", () => {
    const settings = someSettings({ maxElapsedMs: HOUR, maxAttempts: 3 });
    const ahead = aState({ firstFailedAt: NOW + 90 * SECOND });

    const step = advance(ahead, movedBack(sendOf(afterFailures(1).step.decision)), settings, NOW);
    const last = advance(step.state, movedBack(sendOf(step.decision)), settings, NOW);

    expect(step.decision.kind).toBe("retry");
    expect(last.decision).toMatchObject({ kind: "exhaust", reason: "attempts" });
  });

  it("FC-20: a clock that goes back five minutes between two attempts makes no delay negative or too long", () => {
    const settings = someSettings({ maxElapsedMs: HOUR });
    const first = advance(undefined, FIRST_REPORT, settings, NOW);
    const earlier = NOW - 300 * SECOND;

    const repeated = sendOf(advance(first.state, FIRST_REPORT, settings, earlier).decision);
    const second = advance(first.state, movedBack(sendOf(first.decision)), settings, earlier);

    expect(repeated.delaySeconds).toBe(sendOf(first.decision).delaySeconds);
    expect(second.decision.kind).toBe("retry");
    expect(sendOf(second.decision).delaySeconds).toBeGreaterThanOrEqual(1);
    expect(sendOf(second.decision).delaySeconds).toBeLessThanOrEqual(900);
  });

  it.each(["still there", "gone"])("FC-21: a redriven copy gets a fresh budget, with the row %s", (row) => {
    const settings = someSettings({ maxAttempts: 3 });
    const { step, now } = afterFailures(3, settings);
    const copy = sendOf(step.decision);
    const marked = markSent(step.state, copy.dispatchId, settings, now);
    const report = reportOf(aRecord({ messageId: "redriven", context: copy.context }));

    let redriven = advance(row === "gone" ? undefined : marked, report, settings, now + DAY);
    const kinds = [redriven.decision.kind];
    for (let failure = 1; failure <= 3; failure++) {
      redriven = advance(redriven.state, movedBack(sendOf(redriven.decision)), settings, now + DAY + failure * HOUR);
      kinds.push(redriven.decision.kind);
    }

    expect(kinds).toEqual(["retry", "retry", "retry", "exhaust"]);
    expect(redriven.state).toMatchObject({ generation: 2, attempts: 3, status: "exhausted" });
    const first = redriven.state?.history.filter(({ generation }) => generation === 1);
    expect(first).toHaveLength(row === "gone" ? 0 : 3);
  });

  it("FC-29: dead-letter copy and row say what happened: id, attempts, times, last error, and the user's attribute", () => {
    const settings = someSettings({ maxAttempts: 3 });
    const corr = { dataType: "String", stringValue: "42" };
    let context = aContext();
    let step: ReturnType<typeof advance> | undefined;
    let message = { body: "", attributes: {} };
    for (const [index, type] of ["First", "Second", "Third"].entries()) {
      const error = { type, message: `failure ${index + 1}` };
      const record = aRecord({
        messageId: `m${index}`,
        attributes: { corr },
        context: { ...context, kind: "failed", error },
      });
      const reading = readRecord(record);
      if (reading.kind !== "report") throw new Error("it must be readable");
      step = advance(step?.state, reading.report, settings, NOW + index * HOUR);
      context = sendOf(step.decision).context;
      message = { body: reading.message.body, attributes: reading.message.attributes };
    }

    const copy = composeMessage(message, context);
    const ours = copy.attributes[CONTEXT_ATTRIBUTE];
    expect(copy.attributes.corr).toEqual({ dataType: "String", text: "42" });
    expect(readContext(ours && "text" in ours ? ours.text : "")).toMatchObject({
      context: {
        itemId: "order-42",
        attempt: 3,
        deadLetter: {
          reason: "attempts",
          firstFailedAt: NOW,
          lastFailedAt: NOW + 2 * HOUR,
          error: { type: "Third", message: "failure 3" },
        },
      },
    });
    expect(step && stateOf(step)).toMatchObject({ attempts: 3, firstFailedAt: NOW, lastFailedAt: NOW + 2 * HOUR });
    expect(step?.state?.errors.map(({ type, message: text, count }) => [type, text, count])).toEqual([
      ["First", "failure 1", 1],
      ["Second", "failure 2", 1],
      ["Third", "failure 3", 1],
    ]);
  });
});
