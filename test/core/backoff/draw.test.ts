import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawFrom, seededDraw, wholeSeconds } from "../../../lib/core/backoff/draw.ts";
import { unitInterval } from "../../../lib/core/hash.ts";

describe("the seeded draw", () => {
  // Computed by a separate implementation in another language. These may never change between releases.
  it.each([
    { itemId: "order-42", generation: 1, attempt: 1, draw: 0.7498012981251981 },
    { itemId: "order-42", generation: 1, attempt: 2, draw: 0.3540095173935347 },
    { itemId: "order-42", generation: 2, attempt: 1, draw: 0.1374379280840492 },
    { itemId: "1/2", generation: 3, attempt: 4, draw: 0.42662711839182377 },
    { itemId: "", generation: 1, attempt: 1, draw: 0.7413724636029188 },
  ])("of item '$itemId', generation $generation, attempt $attempt is $draw in every release", (golden) => {
    expect(seededDraw(golden.itemId, golden.generation, golden.attempt)).toBe(golden.draw);
  });

  it("is the unit interval of generation/attempt/itemId", () => {
    expect(seededDraw("order-42", 3, 17)).toBe(unitInterval("3/17/order-42"));
  });

  it("never mixes up two subjects whose parts hold the separator", () => {
    expect(seededDraw("2/x", 1, 1)).not.toBe(seededDraw("x", 1, 12));
    expect(seededDraw("1/x", 1, 1)).not.toBe(seededDraw("x", 1, 1));
    expect(seededDraw("x", 1, 11)).not.toBe(seededDraw("x", 11, 1));
  });

  it.each([
    { keys: "one attempt of many items", draw: (index: number) => seededDraw(`item-${index}`, 1, 3) },
    { keys: "many attempts of one item", draw: (index: number) => seededDraw("item-7", 1, index + 1) },
    { keys: "many generations of one item", draw: (index: number) => seededDraw("item-7", index + 1, 1) },
  ])("is uniform over $keys", ({ draw }) => {
    const cells = new Array<number>(100).fill(0);
    const draws = 20_000;
    for (let index = 0; index < draws; index++) {
      const cell = Math.floor(draw(index) * 100);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    const expected = draws / 100;
    const chiSquare = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);

    // 99 degrees of freedom: 0.1 % quantiles on either side.
    expect(chiSquare).toBeGreaterThan(60);
    expect(chiSquare).toBeLessThan(149);
  });

  it.each([
    { apart: 1, of: "attempts", other: (id: string) => seededDraw(id, 1, 4) },
    { apart: 2, of: "attempts", other: (id: string) => seededDraw(id, 1, 5) },
    { apart: 1, of: "generations", other: (id: string) => seededDraw(id, 2, 3) },
  ])("of one item is uncorrelated between $of $apart apart", ({ other }) => {
    const items = 20_000;
    let product = 0;
    for (let index = 0; index < items; index++) {
      product += (seededDraw(`item-${index}`, 1, 3) - 0.5) * (other(`item-${index}`) - 0.5);
    }
    const correlation = (product / items) * 12;

    // Four standard deviations of the correlation of 20,000 independent pairs.
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(items));
  });
});

describe("a draw from a window", () => {
  it("takes 0 to the low end and the middle to the middle", () => {
    const window = { lowMs: 1_000, highMs: 10_000 };

    expect([0, 0.5, 0.999].map((draw) => drawFrom(window, draw))).toEqual([1_000, 5_500, 9_991]);
  });
});

describe("rounding to whole seconds", () => {
  const policy = { capMs: 900_000 };

  it.each([
    { drawnMs: 12_700, seconds: 13 },
    { drawnMs: 12_499, seconds: 12 },
    { drawnMs: 12_500, seconds: 13 },
    { drawnMs: 899_999, seconds: 900 },
    { drawnMs: 0, seconds: 0 },
    { drawnMs: 499, seconds: 0 },
  ])("takes $drawnMs ms to the nearest second, $seconds", ({ drawnMs, seconds }) => {
    expect(wholeSeconds(policy, drawnMs, 0)).toBe(seconds);
  });

  it("rounds the least delay up and the cap down, so that neither is broken", () => {
    expect(wholeSeconds({ capMs: 30_700 }, 30_650, 0)).toBe(30);
    expect(wholeSeconds(policy, 1_200, 1_200)).toBe(2);
    expect(wholeSeconds(policy, 400, 1)).toBe(1);
  });

  it("keeps the cap where the two contradict", () => {
    expect(wholeSeconds({ capMs: 900 }, 700, 500)).toBe(0);
  });

  it("keeps the mean of a window that begins and ends on whole seconds", () => {
    const window = { lowMs: 1_000, highMs: 4_000 };
    const draws = 30_000;
    let sum = 0;
    for (let index = 0; index < draws; index++) {
      sum += wholeSeconds(policy, drawFrom(window, (index + 0.5) / draws), 1_000);
    }

    expect(sum / draws).toBeCloseTo(2.5, 9);
  });

  it("moves no drawn wait inside its limits by more than half a second", () => {
    fc.assert(
      fc.property(fc.double({ min: 1_000, max: 900_000, noNaN: true }), (drawnMs) => {
        expect(Math.abs(wholeSeconds(policy, drawnMs, 1_000) * 1000 - drawnMs)).toBeLessThanOrEqual(500);
      }),
    );
  });

  it("keeps the mean of any window of whole-second width to within 20 ms, whatever its ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 890_000 }), (lowMs) => {
        const draws = 200;
        let bias = 0;
        for (let index = 0; index < draws; index++) {
          const drawnMs = drawFrom({ lowMs, highMs: lowMs + 3_000 }, (index + 0.5) / draws);
          bias += wholeSeconds(policy, drawnMs, 0) * 1000 - drawnMs;
        }
        expect(Math.abs(bias / draws)).toBeLessThan(20);
      }),
    );
  });
});
