import { describe, expect, it } from "vitest";
import { delay, explain } from "../../../lib/core/backoff/explain.ts";
import { aPolicy } from "./policies.ts";

const subject = { itemId: "order-42", generation: 1, attempt: 1 };

describe("the explanation of a delay", () => {
  it("holds all that led to it", () => {
    expect(explain(aPolicy(), { ...subject, attempt: 2 })).toEqual({
      mode: "full",
      attempt: 2,
      nominalMs: 20_000,
      window: { lowMs: 1_000, highMs: 20_000 },
      draw: 0.3540095173935347,
      drawnMs: 1_000 + 0.3540095173935347 * 19_000,
      delaySeconds: 8,
      clamp: "minimum",
      rule: "policy",
    });
  });

  it("tells the previous delay in mode decorrelated", () => {
    const policy = aPolicy({ jitter: { mode: "decorrelated" } });

    const { previousMs, window, delaySeconds } = explain(policy, { ...subject, attempt: 2, previousDelayMs: 20_000 });

    expect(previousMs).toBe(20_000);
    expect(window).toEqual({ lowMs: 10_000, highMs: 60_000 });
    expect(delaySeconds).toBe(28);
  });

  it("is the same each time it is asked for", () => {
    expect(explain(aPolicy(), subject)).toEqual(explain(aPolicy(), subject));
  });

  it("changes with item, generation and attempt", () => {
    const draws = [
      subject,
      { ...subject, itemId: "order-43" },
      { ...subject, generation: 2 },
      { ...subject, attempt: 2 },
    ].map((changed) => explain(aPolicy(), changed).draw);

    expect(new Set(draws).size).toBe(4);
  });

  it("says what holds the window", () => {
    const equal = aPolicy({ jitter: { mode: "equal" } });

    expect(explain(aPolicy(), { ...subject, attempt: 3 }).clamp).toBe("minimum");
    expect(explain(aPolicy(), { ...subject, attempt: 8 }).clamp).toBe("cap");
    expect(explain(equal, { ...subject, attempt: 3 }).clamp).toBe("none");
    expect(explain(aPolicy({ jitter: { mode: "additive", ratio: 1 } }), { ...subject, attempt: 7 }).clamp).toBe("cap");
  });
});

describe("the delay", () => {
  it("of one item under the default policy is this series, in every release", () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => delay(aPolicy(), "order-42", 1, attempt));

    expect(seconds).toEqual([8, 8, 36, 70, 89, 8, 344, 562, 42]);
  });

  it("is that of the explanation, previous delay included", () => {
    const policy = aPolicy({ jitter: { mode: "decorrelated" } });

    expect(delay(policy, "order-42", 1, 2, 20_000)).toBe(28);
    expect(delay(policy, "order-42", 1, 2, 300_000)).toBe(
      explain(policy, { ...subject, attempt: 2, previousDelayMs: 300_000 }).delaySeconds,
    );
  });
});

describe("a Retry-After hint", () => {
  const equal = aPolicy({ jitter: { mode: "equal" } });
  const windowFor = (retryAfterMs: number, policy = equal) =>
    explain(policy, { ...subject, attempt: 3, retryAfterMs }).window;

  it("moves the low end of the window up to itself, and keeps the width", () => {
    expect(windowFor(30_000)).toEqual({ lowMs: 30_000, highMs: 50_000 });
    expect(windowFor(120_000)).toEqual({ lowMs: 120_000, highMs: 140_000 });
  });

  it("never moves the window down", () => {
    expect(windowFor(0)).toEqual({ lowMs: 20_000, highMs: 40_000 });
    expect(windowFor(20_000)).toEqual({ lowMs: 20_000, highMs: 40_000 });
  });

  it("never moves either end above the cap", () => {
    expect(windowFor(890_000)).toEqual({ lowMs: 890_000, highMs: 900_000 });
    expect(windowFor(86_400_000)).toEqual({ lowMs: 900_000, highMs: 900_000 });
  });

  it("is told, with what the cap left of it", () => {
    const hintOf = (retryAfterMs: number) => explain(equal, { ...subject, retryAfterMs }).hint;

    expect(hintOf(30_000)).toEqual({ retryAfterMs: 30_000, appliedMs: 30_000 });
    expect(hintOf(1_000_000)).toEqual({ retryAfterMs: 1_000_000, appliedMs: 900_000 });
  });

  it("is not rounded down: nobody comes back before it", () => {
    const policy = aPolicy({ jitter: { mode: "none" } });

    expect(explain(policy, { ...subject, retryAfterMs: 30_400 }).delaySeconds).toBe(31);
  });

  it("leaves hinted items spread", () => {
    const delays = Array.from({ length: 1_000 }, (_, index) => {
      const explanation = explain(aPolicy(), {
        itemId: `item-${index}`,
        generation: 1,
        attempt: 5,
        retryAfterMs: 60_000,
      });
      return explanation.delaySeconds;
    });

    expect(Math.min(...delays)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...delays)).toBeLessThanOrEqual(219);
    expect(new Set(delays).size).toBeGreaterThan(150);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, undefined, "60" as unknown as number])(
    "of %s counts as absent",
    (retryAfterMs) => {
      expect(explain(equal, { ...subject, retryAfterMs })).toEqual(explain(equal, subject));
    },
  );
});
