import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delay } from "../../../lib/core/backoff/explain.ts";
import { formatSchedule, schedule } from "../../../lib/core/backoff/schedule.ts";
import { anyPolicy, aPolicy } from "./policies.ts";

describe("the schedule of the default policy", () => {
  it("is this", () => {
    expect(schedule(aPolicy())).toEqual([
      { attempt: 1, nominalMs: 10_000, lowMs: 1_000, highMs: 10_000, meanMs: 5_500, sumMs: 5_500 },
      { attempt: 2, nominalMs: 20_000, lowMs: 1_000, highMs: 20_000, meanMs: 10_500, sumMs: 16_000 },
      { attempt: 3, nominalMs: 40_000, lowMs: 1_000, highMs: 40_000, meanMs: 20_500, sumMs: 36_500 },
      { attempt: 4, nominalMs: 80_000, lowMs: 1_000, highMs: 80_000, meanMs: 40_500, sumMs: 77_000 },
      { attempt: 5, nominalMs: 160_000, lowMs: 1_000, highMs: 160_000, meanMs: 80_500, sumMs: 157_500 },
      { attempt: 6, nominalMs: 320_000, lowMs: 1_000, highMs: 320_000, meanMs: 160_500, sumMs: 318_000 },
      { attempt: 7, nominalMs: 640_000, lowMs: 1_000, highMs: 640_000, meanMs: 320_500, sumMs: 638_500 },
      { attempt: 8, nominalMs: 900_000, lowMs: 1_000, highMs: 900_000, meanMs: 450_500, sumMs: 1_089_000 },
      { attempt: 9, nominalMs: 900_000, lowMs: 1_000, highMs: 900_000, meanMs: 450_500, sumMs: 1_539_500 },
    ]);
  });

  it("prints as a Markdown table", () => {
    expect(formatSchedule(schedule(aPolicy({ maxAttempts: 5 })))).toBe(
      [
        "| after attempt | backoff | window | mean | sum of means |",
        "| ---: | ---: | ---: | ---: | ---: |",
        "| 1 | 10 s | 1 s … 10 s | 5.5 s | 5.5 s |",
        "| 2 | 20 s | 1 s … 20 s | 10.5 s | 16 s |",
        "| 3 | 40 s | 1 s … 40 s | 20.5 s | 36.5 s |",
        "| 4 | 1 min 20 s | 1 s … 1 min 20 s | 40.5 s | 1 min 17 s |",
      ].join("\n"),
    );
  });
});

describe("a schedule", () => {
  it("FC-03: of 3 attempts, base 2 s, factor 2, without jitter is two retries, after 2 s and 4 s", () => {
    const policy = aPolicy({ baseMs: 2_000, maxAttempts: 3, jitter: { mode: "none" } });

    expect(schedule(policy).map(({ attempt, lowMs, highMs }) => ({ attempt, lowMs, highMs }))).toEqual([
      { attempt: 1, lowMs: 2_000, highMs: 2_000 },
      { attempt: 2, lowMs: 4_000, highMs: 4_000 },
    ]);
    expect([1, 2].map((attempt) => delay(policy, "item", 1, attempt))).toEqual([2, 4]);
  });

  it("FC-03: of 1 attempt has no retry", () => {
    expect(schedule(aPolicy({ maxAttempts: 1 }))).toEqual([]);
  });

  it("prints a window without width as one time", () => {
    const policy = aPolicy({ maxAttempts: 2, jitter: { mode: "none" } });

    expect(formatSchedule(schedule(policy))).toContain("| 1 | 10 s | 10 s | 10 s | 10 s |");
  });

  it("of mode decorrelated shows the widest windows that can occur, and the expectation", () => {
    const rows = schedule(aPolicy({ jitter: { mode: "decorrelated" }, maxAttempts: 7 }));

    expect(rows.map(({ lowMs, highMs }) => [lowMs / 1000, highMs / 1000])).toEqual([
      [10, 30],
      [10, 90],
      [10, 270],
      [10, 810],
      [10, 900],
      [10, 900],
    ]);
    expect(rows[0]?.meanMs).toBe(20_000);
    expect(rows[1]?.meanMs).toBeCloseTo(35_000, -2);
  });

  it("has one row per retry, means inside their windows and sums that add up, for any policy", () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        const rows = schedule({ ...policy, maxAttempts: Math.min(policy.maxAttempts, 40) });
        let sumMs = 0;
        rows.forEach((row, index) => {
          sumMs += row.meanMs;
          expect(row.attempt).toBe(index + 1);
          expect(row.meanMs).toBeGreaterThanOrEqual(row.lowMs * (1 - 1e-9));
          expect(row.meanMs).toBeLessThanOrEqual(row.highMs * (1 + 1e-9));
          expect(row.sumMs).toBe(sumMs);
        });
        expect(rows.length).toBe(Math.min(policy.maxAttempts, 40) - 1);
      }),
    );
  });
});
