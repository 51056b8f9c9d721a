import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { previousDelayMs } from "../../../lib/core/backoff/decorrelated.ts";
import { decorrelatedMeans } from "../../../lib/core/backoff/decorrelated-mean.ts";
import { explain } from "../../../lib/core/backoff/explain.ts";
import { anyAttempt, aPolicy, EXTREME_ATTEMPTS } from "./policies.ts";

const policy = aPolicy({ jitter: { mode: "decorrelated" } });

describe("the delay before a decorrelated one", () => {
  it("is the known one where that is between base and cap", () => {
    const known = [10_000, 47_000, 900_000];

    expect(known.map((ms) => previousDelayMs(policy, 5, ms, () => 0.5))).toEqual(known);
  });

  it.each([0, 9_999, 900_001, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "is the base where %s is given",
    (known) => {
      expect(previousDelayMs(policy, 5, known, () => 0.5)).toBe(10_000);
    },
  );

  it("is the base before the first delay", () => {
    expect(previousDelayMs(policy, 1, undefined, () => 0.5)).toBe(10_000);
  });

  it("is derived from the draws of the attempts before, each window made of the delay before it", () => {
    // 10 → middle of [10, 30] = 20 → middle of [10, 60] = 35 → middle of [10, 105] = 57.5, rounded to 58
    expect(previousDelayMs(policy, 4, undefined, () => 0.5)).toBe(58_000);
  });

  it.each(EXTREME_ATTEMPTS)(
    "after attempt %s is derived in at most 64 steps, from the attempts just before",
    (attempt) => {
      const drawAt = vi.fn((_attempt: number) => 0.5);

      previousDelayMs(policy, attempt, undefined, drawAt);

      const asked = drawAt.mock.calls.map(([at]) => at);
      const steps = Math.min(64, attempt - 1);
      expect(asked).toEqual(Array.from({ length: steps }, (_, index) => attempt - steps + index));
    },
  );

  it("is never derived where it is known, not even where what is known is useless", () => {
    const drawAt = vi.fn((_attempt: number) => 0.5);

    previousDelayMs(policy, 1_000, 20_000, drawAt);
    previousDelayMs(policy, 1_000, Number.NaN, drawAt);

    expect(drawAt).not.toHaveBeenCalled();
  });

  it("is never asked for in another mode", () => {
    const explanation = explain(aPolicy(), { itemId: "a", generation: 1, attempt: 9, previousDelayMs: 20_000 });

    expect(explanation).not.toHaveProperty("previousMs");
  });
});

describe("decorrelated jitter", () => {
  it("gives an item the same delays whether the previous one is remembered or derived again, for 65 attempts", () => {
    fc.assert(
      fc.property(fc.string(), (itemId) => {
        let remembered: number | undefined;
        for (let attempt = 1; attempt <= 65; attempt++) {
          const subject = { itemId, generation: 1, attempt };
          const { delaySeconds } = explain(policy, { ...subject, previousDelayMs: remembered });
          expect(explain(policy, subject).delaySeconds).toBe(delaySeconds);
          remembered = delaySeconds * 1000;
        }
      }),
      { numRuns: 20 },
    );
  });

  it("stays inside [base, min(cap, 3 × previous)] for any attempt", () => {
    fc.assert(
      fc.property(
        anyAttempt,
        fc.option(fc.integer({ min: 10_000, max: 900_000 }), { nil: undefined }),
        (attempt, ms) => {
          const { window, previousMs = 0 } = explain(policy, {
            itemId: "a",
            generation: 1,
            attempt,
            previousDelayMs: ms,
          });
          expect(window).toEqual({ lowMs: 10_000, highMs: Math.min(900_000, 3 * previousMs) });
          if (ms !== undefined) expect(previousMs).toBe(ms);
        },
      ),
    );
  });
});

describe("the expectation of decorrelated delays", () => {
  it("follows E(1) = 2 × base and E(n) = base/2 + 3/2 × E(n − 1) below the cap", () => {
    const means = decorrelatedMeans({ ...policy, capMs: 100_000_000 }, 6);

    let expected = 20_000;
    for (const mean of means) {
      expect(Math.abs(mean / expected - 1)).toBeLessThan(0.001);
      expected = 5_000 + 1.5 * expected;
    }
  });

  it("is within 1 % of the mean of 20,000 items, from the first delay until long after the cap is met", () => {
    const attempts = 13;
    const items = 20_000;
    const sums = new Array<number>(attempts).fill(0);
    for (let item = 0; item < items; item++) {
      let previousMs: number | undefined;
      for (let index = 0; index < attempts; index++) {
        const subject = { itemId: `item-${item}`, generation: 1, attempt: index + 1, previousDelayMs: previousMs };
        previousMs = explain(policy, subject).delaySeconds * 1000;
        sums[index] = (sums[index] ?? 0) + previousMs;
      }
    }

    decorrelatedMeans(policy, attempts).forEach((mean, index) => {
      expect(Math.abs((sums[index] ?? 0) / items / mean - 1)).toBeLessThan(0.01);
    });
  });

  it("is the only delay there is where base and cap are one", () => {
    expect(decorrelatedMeans({ ...policy, capMs: 10_000 }, 3)).toEqual([10_000, 10_000, 10_000]);
  });

  it("respects a smallest delay above the base", () => {
    const means = decorrelatedMeans({ ...policy, minDelayMs: 60_000 }, 2);

    // [60, 60] after attempt 1, because 3 × base is below it; then [60, 180].
    expect(means[0]).toBe(60_000);
    expect(Math.abs((means[1] ?? 0) / 120_000 - 1)).toBeLessThan(0.005);
  });
});
