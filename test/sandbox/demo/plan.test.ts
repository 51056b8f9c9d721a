import { describe, expect, it } from "vitest";
import { planItems } from "../../../lib/sandbox/demo/plan.ts";

describe("the demo's plan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planItems(50, 1)).toEqual(planItems(50, 1));
    expect(planItems(50, 1)).not.toEqual(planItems(50, 2));
  });

  it("has items of every fate, by both ways", () => {
    const items = planItems(300, 7);

    expect(new Set(items.map(({ fate }) => fate))).toEqual(
      new Set(["succeeds", "never-succeeds", "not-retryable", "misses-deadline"]),
    );
    expect(new Set(items.map(({ way }) => way))).toEqual(new Set(["redrive", "report"]));
    expect(items.some(({ fate, failures }) => fate === "succeeds" && failures === 0)).toBe(true);
  });

  it("lets only a worker that reports say that an item is not retryable, or has a deadline", () => {
    const special = planItems(2000, 3).filter(({ fate }) => fate === "not-retryable" || fate === "misses-deadline");

    expect(special.length).toBeGreaterThan(0);
    expect(special.every(({ way, failures }) => way === "report" && failures >= 1)).toBe(true);
  });
});
