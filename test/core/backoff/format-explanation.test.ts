import { describe, expect, it } from "vitest";
import { type DelaySubject, explain } from "../../../lib/core/backoff/explain.ts";
import { formatExplanation } from "../../../lib/core/backoff/format-explanation.ts";
import { aPolicy } from "./policies.ts";

function lineFor(changes: Partial<DelaySubject>, policy = aPolicy()): string {
  return formatExplanation(explain(policy, { itemId: "order-42", generation: 1, attempt: 7, ...changes }));
}

describe("why an item waits, in one line", () => {
  it("shows the arithmetic", () => {
    expect(lineFor({})).toBe(
      "344 s after attempt 7: backoff 10 min 40 s, full jitter in 1 s … 10 min 40 s, draw 0.537520 gives 1 + 0.537520 × 639 = 344.475; low end raised to the smallest delay",
    );
  });

  it("shows the cap", () => {
    expect(lineFor({ attempt: 8 })).toContain("; high end at the cap");
  });

  it("shows the delay before in mode decorrelated", () => {
    const policy = aPolicy({ jitter: { mode: "decorrelated" } });

    expect(lineFor({ previousDelayMs: 63_000 }, policy)).toBe(
      "106 s after attempt 7: previous delay 1 min 3 s, decorrelated jitter in 10 s … 3 min 9 s, draw 0.537520 gives 10 + 0.537520 × 179 = 106.216",
    );
  });

  it("shows no draw where there is nothing to draw from", () => {
    const policy = aPolicy({ jitter: { mode: "none" } });

    expect(lineFor({}, policy)).toBe(
      "640 s after attempt 7: backoff 10 min 40 s, no jitter, window of 10 min 40 s only",
    );
  });

  it("shows what became of a Retry-After", () => {
    const policy = aPolicy({ jitter: { mode: "equal" } });

    expect(lineFor({ retryAfterMs: 400_000 }, policy)).toContain("; low end at Retry-After 6 min 40 s");
    expect(lineFor({ retryAfterMs: 5_000 }, policy)).toContain("; Retry-After 5 s changed nothing");
    expect(lineFor({ retryAfterMs: 3_600_000 }, policy)).toContain(
      "; Retry-After 1 h cut to the cap; high end at the cap",
    );
  });

  it("names a rule other than the policy", () => {
    const explanation = explain(aPolicy(), { itemId: "order-42", generation: 1, attempt: 7 });

    expect(formatExplanation({ ...explanation, rule: "throttled" })).toContain("; by rule 'throttled'");
  });
});
