import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delay, explain } from "../../../lib/core/backoff/explain.ts";
import { MAX_DELAY_SECONDS } from "../../../lib/core/backoff/policy.ts";
import { anyAttempt, anyPolicy, aPolicy, EVERY_MODE, EXTREME_ATTEMPTS } from "./policies.ts";

const keys = (count: number) => Array.from({ length: count }, (_, index) => `item-${index}`);

describe("every delay", () => {
  it("is a whole number of seconds between smallest delay and cap, for any policy, attempt, previous delay and hint", () => {
    const anyMs = fc.option(fc.oneof(fc.double(), fc.integer({ min: 0, max: 2_000_000 })), { nil: undefined });
    const subjects = fc.record({
      itemId: fc.string({ unit: "binary" }),
      generation: fc.nat(),
      attempt: anyAttempt,
      previousDelayMs: anyMs,
      retryAfterMs: anyMs,
    });
    fc.assert(
      fc.property(anyPolicy, subjects, (policy, subject) => {
        const { delaySeconds, drawnMs, window } = explain(policy, subject);
        expect(Number.isInteger(delaySeconds)).toBe(true);
        expect(delaySeconds * 1000).toBeGreaterThanOrEqual(policy.minDelayMs);
        expect(delaySeconds * 1000).toBeLessThanOrEqual(policy.capMs);
        expect(window.lowMs).toBeGreaterThanOrEqual(policy.minDelayMs);
        expect(window.highMs).toBeLessThanOrEqual(policy.capMs);
        expect(drawnMs).toBeGreaterThanOrEqual(window.lowMs);
        expect(drawnMs).toBeLessThanOrEqual(window.highMs);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(EVERY_MODE)("in mode $mode has a mean within 1 % of the middle of its window", ({ policy }) => {
    for (const attempt of [1, 6, 12]) {
      const explanations = keys(40_000).map((itemId) =>
        explain(policy, { itemId, generation: 1, attempt, previousDelayMs: 60_000 }),
      );
      const mean = explanations.reduce((sum, { delaySeconds }) => sum + delaySeconds * 1000, 0) / explanations.length;
      const { lowMs = 0, highMs = 0 } = explanations[0]?.window ?? {};

      expect(Math.abs(mean / ((lowMs + highMs) / 2) - 1)).toBeLessThan(0.01);
    }
  });
});

describe("at the cap", () => {
  it.each(["full", "equal", "decorrelated"] as const)(
    "mode %s keeps spreading: of 10,000 items at attempt 12 at most 1 % wait exactly the cap",
    (mode) => {
      const policy = aPolicy({ jitter: { mode } });

      const delays = keys(10_000).map((itemId) => delay(policy, itemId, 1, 12));

      expect(delays.filter((seconds) => seconds === 900).length).toBeLessThanOrEqual(100);
      expect(Math.max(...delays)).toBeGreaterThan(890);
      expect(new Set(delays).size).toBeGreaterThan(400);
    },
  );
});

describe("field cases", () => {
  const base1s = (policy: ReturnType<typeof aPolicy>) => ({ ...policy, baseMs: 1_000, minDelayMs: 0 });

  it.each(EVERY_MODE)("FC-01: mode $mode overflows at no attempt number, whatever the previous delay", ({ policy }) => {
    for (const attempt of EXTREME_ATTEMPTS) {
      for (const previousMs of [900_000, 0, Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
        const seconds = delay(base1s(policy), "item", 1, attempt, previousMs);

        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(MAX_DELAY_SECONDS);
      }
    }
  });

  it("FC-01: without jitter the delay never decreases, and is exactly 900 s from attempt 11 on", () => {
    const policy = base1s(aPolicy({ jitter: { mode: "none" } }));

    const delays = EXTREME_ATTEMPTS.map((attempt) => delay(policy, "item", 1, attempt));

    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays.slice(EXTREME_ATTEMPTS.indexOf(11))).toEqual(EXTREME_ATTEMPTS.slice(3).map(() => 900));
    expect(delay(policy, "item", 1, 10)).toBe(512);
  });

  it.each([
    { nominal: 900, baseMs: 900_000, low: 675, high: 900 },
    { nominal: 800, baseMs: 800_000, low: 600, high: 900 },
  ])("FC-02: ±25 % of $nominal s never breaks the cap of 900 s, in 10,000 draws", ({ baseMs, low, high }) => {
    const policy = aPolicy({ baseMs, jitter: { mode: "proportional", ratio: 0.25 } });

    const delays = keys(10_000).map((itemId) => delay(policy, itemId, 1, 1));

    expect(Math.max(...delays)).toBe(high);
    expect(Math.min(...delays)).toBe(low);
    expect(delays.filter((seconds) => seconds === 900).length).toBeLessThanOrEqual(100);
  });

  it("FC-04: a factor of 100 never gives more than 900 s", () => {
    const policy = aPolicy({ factor: 100, jitter: { mode: "none" } });

    expect([1, 2, 3, 4].map((attempt) => delay(policy, "item", 1, attempt))).toEqual([10, 900, 900, 900]);
  });

  it("FC-04: a raw delay of 12.7 s becomes 13 s", () => {
    const policy = aPolicy({ baseMs: 12_700, jitter: { mode: "none" } });

    expect(delay(policy, "item", 1, 1)).toBe(13);
  });

  it("FC-04: a base of 0.4 s never ends in a permanent 0: the smallest delay is rounded up", () => {
    const policy = aPolicy({ baseMs: 400, jitter: { mode: "none" } });

    expect([1, 2, 3, 4].map((attempt) => delay(policy, "item", 1, attempt))).toEqual([1, 1, 2, 3]);
    expect(delay({ ...policy, minDelayMs: 1, factor: 1 }, "item", 1, 5)).toBe(1);
  });

  it("FC-04: a delay of 0 needs a smallest delay of 0, set on purpose, and passes as the backoff grows", () => {
    const policy = aPolicy({ baseMs: 400, minDelayMs: 0, jitter: { mode: "none" } });

    expect([1, 2, 3, 4].map((attempt) => delay(policy, "item", 1, attempt))).toEqual([0, 1, 2, 3]);
  });
});
