import { describe, expect, it } from "vitest";
import { jitterWindow, limitWindow } from "../../../lib/core/backoff/jitter.ts";
import type { Jitter } from "../../../lib/core/backoff/policy.ts";

describe("the window before limits, for a base of 10 s", () => {
  const cases: readonly { jitter: Jitter; nominal: number; previous?: number; low: number; high: number }[] = [
    { jitter: { mode: "none" }, nominal: 80, low: 80, high: 80 },
    { jitter: { mode: "full" }, nominal: 80, low: 0, high: 80 },
    { jitter: { mode: "equal" }, nominal: 80, low: 40, high: 80 },
    { jitter: { mode: "decorrelated" }, nominal: 80, previous: 10, low: 10, high: 30 },
    { jitter: { mode: "decorrelated" }, nominal: 80, previous: 200, low: 10, high: 600 },
    { jitter: { mode: "proportional", ratio: 0.25 }, nominal: 80, low: 60, high: 100 },
    { jitter: { mode: "proportional", ratio: 1 }, nominal: 80, low: 0, high: 160 },
    { jitter: { mode: "proportional", ratio: 0 }, nominal: 80, low: 80, high: 80 },
    { jitter: { mode: "additive", ratio: 0.5 }, nominal: 80, low: 80, high: 120 },
    { jitter: { mode: "absolute", spreadMs: 2_000 }, nominal: 10, low: 10, high: 12 },
    { jitter: { mode: "absolute", spreadMs: 2_000 }, nominal: 80, low: 64, high: 96 },
    { jitter: { mode: "absolute", spreadMs: 10_000 }, nominal: 80, low: 10, high: 160 },
  ];

  it.each(cases)("$jitter, nominal $nominal s, previous $previous s: $low … $high s", (example) => {
    const { jitter, nominal, previous = 10, low, high } = example;

    const window = jitterWindow({ jitter, baseMs: 10_000 }, nominal * 1000, previous * 1000);

    expect(window).toEqual({ lowMs: low * 1000, highMs: high * 1000 });
  });
});

describe("the limits of a window", () => {
  const limits = { minDelayMs: 1_000, capMs: 900_000 };

  it.each([
    { lowMs: 0, highMs: 10_000, limited: { lowMs: 1_000, highMs: 10_000 } },
    { lowMs: 600_000, highMs: 1_000_000, limited: { lowMs: 600_000, highMs: 900_000 } },
    { lowMs: 0, highMs: 500, limited: { lowMs: 1_000, highMs: 1_000 } },
    { lowMs: 950_000, highMs: 990_000, limited: { lowMs: 900_000, highMs: 900_000 } },
    { lowMs: 20_000, highMs: 40_000, limited: { lowMs: 20_000, highMs: 40_000 } },
  ])("make $limited of $lowMs … $highMs ms", ({ lowMs, highMs, limited }) => {
    expect(limitWindow(limits, { lowMs, highMs })).toEqual(limited);
  });

  it("never exceed the cap, even where the smallest delay does", () => {
    const window = limitWindow({ minDelayMs: 5_000, capMs: 3_000 }, { lowMs: 0, highMs: 10_000 });

    expect(window).toEqual({ lowMs: 3_000, highMs: 3_000 });
  });
});
