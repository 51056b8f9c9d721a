import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs } from "../../../lib/core/backoff/backoff.ts";
import { anyAttempt, anyPolicy, aPolicy, EXTREME_ATTEMPTS } from "./policies.ts";

describe("the backoff", () => {
  it("of base 10 ms, factor 2, cap 500 ms is 20/40/80/160/320/500 ms for exponents from 1, that is after attempts 2 to 7", () => {
    const policy = { baseMs: 10, factor: 2, capMs: 500 };

    expect([2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(policy, attempt))).toEqual([20, 40, 80, 160, 320, 500]);
    expect(backoffMs(policy, 1)).toBe(10);
    expect(backoffMs(policy, 8)).toBe(500);
  });

  it("of the default policy doubles from 10 s to the cap of 900 s", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => backoffMs(aPolicy(), attempt) / 1000);

    expect(seconds).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it("stays at the base with factor 1, for ever", () => {
    const policy = aPolicy({ factor: 1 });

    expect(EXTREME_ATTEMPTS.map((attempt) => backoffMs(policy, attempt))).toEqual(EXTREME_ATTEMPTS.map(() => 10_000));
  });

  it("is the cap where the power meets it exactly, and just below it one growth earlier", () => {
    const policy = { baseMs: 1, factor: 10, capMs: 1000 };

    expect([3, 4, 5].map((attempt) => backoffMs(policy, attempt))).toEqual([100, 1000, 1000]);
  });

  it("grows slowly, and never stops growing early, with a factor just above 1", () => {
    const policy = { baseMs: 1000, factor: 1.001, capMs: 900_000 };

    expect(backoffMs(policy, 1001)).toBeCloseTo(1000 * 1.001 ** 1000, 6);
    expect(backoffMs(policy, 6805)).toBeLessThan(900_000);
    expect(backoffMs(policy, 6807)).toBe(900_000);
  });

  it("is finite, between base and cap, and never decreases", () => {
    fc.assert(
      fc.property(anyPolicy, anyAttempt, (policy, attempt) => {
        const nominalMs = backoffMs(policy, attempt);
        expect(nominalMs).toBeGreaterThanOrEqual(policy.baseMs);
        expect(nominalMs).toBeLessThanOrEqual(policy.capMs);
        if (attempt > 1) expect(backoffMs(policy, attempt - 1)).toBeLessThanOrEqual(nominalMs);
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses attempt %s", (attempt) => {
    expect(() => backoffMs(aPolicy(), attempt)).toThrow(
      new RangeError(`'attempt' must be a whole number between 1 and 9007199254740991, got ${attempt}`),
    );
  });
});
