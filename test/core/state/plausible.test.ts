import { describe, expect, it } from "vitest";
import { isPlausible } from "../../../lib/core/state/plausible.ts";
import { aReport, aState, someSettings } from "../factories.ts";

const { policy } = someSettings({ maxAttempts: 3 });

describe("an attempt number", () => {
  it.each([1, 3, 4])("of %i is plausible with maxAttempts 3, row or no row", (attempt) => {
    expect(isPlausible(undefined, aReport({ attempt }), policy)).toBe(true);
  });

  it.each([
    ["there is no row", undefined],
    ["the row has counted too few", aState({ attempts: 3 })],
    ["the row is in another generation", aState({ attempts: 9, generation: 2 })],
  ])("of 5 is not where %s", (_name, row) => {
    expect(isPlausible(row, aReport({ attempt: 5 }), policy)).toBe(false);
  });

  it("above the budget is, where the row shows that we sent that attempt under a policy of before", () => {
    expect(isPlausible(aState({ attempts: 6 }), aReport({ attempt: 7 }), policy)).toBe(true);
    expect(isPlausible(aState({ attempts: 6 }), aReport({ attempt: 8 }), policy)).toBe(false);
  });

  it("does not matter on a redrive, a success, or an alias, which we wrote ourselves", () => {
    for (const told of [{ redrive: { tried: true } }, { kind: "succeeded" }, { identity: "alias" }] as const) {
      expect(isPlausible(undefined, aReport({ attempt: 5_000, ...told }), policy), JSON.stringify(told)).toBe(true);
    }
  });
});
