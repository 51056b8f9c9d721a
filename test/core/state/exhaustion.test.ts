import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { exhaustionReason } from "../../../lib/core/state/exhaustion.ts";
import { aReport, aState, HOUR, NOW, SECOND, SETTINGS, sendOf, someSettings } from "../factories.ts";

const { policy } = someSettings({ maxAttempts: 3, maxElapsedMs: HOUR });
const attempt = { attempts: 1, firstFailedAt: NOW, delayMs: 10 * SECOND, now: NOW };

describe("the reason for exhausting an item", () => {
  it("is none while attempts and time are left", () => {
    expect(exhaustionReason(policy, {}, attempt)).toBeUndefined();
    expect(exhaustionReason(policy, { retryable: true, deadlineAt: NOW + HOUR }, attempt)).toBeUndefined();
  });

  it("is 'not-retryable' where the report says so, before all others", () => {
    expect(exhaustionReason(policy, { retryable: false, deadlineAt: 0 }, { ...attempt, attempts: 9 })).toBe(
      "not-retryable",
    );
  });

  it.each([
    [2, undefined],
    [3, "attempts"],
    [4, "attempts"],
  ])("after %i of 3 attempts is %s", (attempts, reason) => {
    expect(exhaustionReason(policy, {}, { ...attempt, attempts })).toBe(reason);
  });

  it.each([
    ["could start at the limit", HOUR - 10 * SECOND, undefined],
    ["could only start after it", HOUR - 10 * SECOND + 1, "elapsed"],
  ])("for a retry that %s is %s predictively", (_name, elapsedMs, reason) => {
    expect(exhaustionReason(policy, {}, { ...attempt, now: NOW + elapsedMs })).toBe(reason);
  });

  it.each([
    ["could start at the deadline", 10 * SECOND, undefined],
    ["could only start after it", 10 * SECOND - 1, "deadline"],
    ["comes after a deadline long gone", -HOUR, "deadline"],
  ])("for a retry that %s is %s predictively", (_name, leftMs, reason) => {
    expect(exhaustionReason(policy, { deadlineAt: NOW + leftMs }, attempt)).toBe(reason);
  });

  it("takes a first failure in the future for no time gone", () => {
    expect(exhaustionReason(policy, {}, { ...attempt, firstFailedAt: NOW + 2 * HOUR })).toBeUndefined();
  });
});

describe("exhausting an item", () => {
  const elapsed = someSettings({ maxElapsedMs: HOUR });
  it.each([
    ["attempts", aState({ attempts: 9 }), {}, SETTINGS],
    ["not-retryable", aState(), { retryable: false }, SETTINGS],
    ["elapsed", aState({ firstFailedAt: NOW - HOUR }), {}, elapsed],
    ["deadline", aState(), { deadlineAt: NOW }, SETTINGS],
    ["unreadable-context", aState(), { unreadable: { original: "", why: "" } }, SETTINGS],
    ["shared-budget", aState({ status: "dead-lettered" }), {}, SETTINGS],
  ] as const)(
    "for '%s' counts the attempt, and sends at once to the dead-letter queue",
    (reason, row, told, settings) => {
      const step = advance(row, aReport({ attempt: row.attempts + 1, ...told }), settings, NOW);

      expect(step.decision).toMatchObject({
        kind: "exhaust",
        reason,
        send: { destination: "dead-letter", delaySeconds: 0 },
      });
      expect(step.state).toMatchObject({ status: "exhausted", reason, attempts: row.attempts + 1 });
      expect(step.state).not.toHaveProperty("nextAttemptAt");
      expect(step.state?.history.at(-1)).toMatchObject({
        outcome: { kind: "exhaust", reason, sent: false },
        detail: { at: NOW, delayMs: 0 },
      });
      expect(sendOf(step.decision).context).toMatchObject({ attempt: row.attempts + 1, deadLetter: { reason } });
    },
  );
});
