import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainDecimal, plainNumber } from "../../lib/core/configuration-text.ts";

describe("a number in plain decimal digits", () => {
  it.each([
    [0.25, "0.25"],
    [1e21, "1000000000000000000000"],
    [1.25e22, "12500000000000000000000"],
    [-1.5e-9, "-0.0000000015"],
    [5e-7, "0.0000005"],
    [900_000, "900000"],
  ])("%s is written '%s'", (value, text) => {
    expect(plainDecimal(value)).toBe(text);
  });

  it("is read back exactly", () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(plainNumber(plainDecimal(value))).toBe(value + 0);
      }),
      { numRuns: 1_000 },
    );
  });
});
