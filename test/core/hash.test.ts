import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hash64, shortHash, unitInterval } from "../../lib/core/hash.ts";

// Computed by a separate implementation in another language, from the doc comment. They may never change: delays that
// were announced and dispatch ids that are on their way are made of them.
const GOLDEN = [
  { text: "", halves: [2042697839, 1202160226], unit: 0.47560264587252943, short: "f70hg8ujo4" },
  { text: "a", halves: [3853758268, 2813405845], unit: 0.8972730138159855, short: "smpqukuoil" },
  { text: "order-42", halves: [1235747068, 2612785612], unit: 0.2877197803309046, short: "96k01jetv3" },
  { text: "é😀", halves: [1414970852, 7458835], unit: 0.3294485658665991, short: "ahbbr01ot0" },
] as const;

describe("the hash", () => {
  it.each(GOLDEN)("of '$text' is the same in every release", ({ text, halves, unit, short }) => {
    expect(hash64(text)).toEqual(halves);
    expect(unitInterval(text)).toBe(unit);
    expect(shortHash(text)).toBe(short);
  });

  it("takes any text, lone surrogates included, to two unsigned halves, a number in [0, 1) and ten characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer(), (text, seed) => {
        for (const half of hash64(text, seed)) {
          expect(half).toBe(half >>> 0);
        }
        const unit = unitInterval(text, seed);
        expect(unit).toBeGreaterThanOrEqual(0);
        expect(unit).toBeLessThan(1);
        expect(shortHash(text)).toMatch(/^[0-9a-v]{10}$/);
      }),
    );
    expect(hash64("\ud800")).not.toEqual(hash64("\ud801"));
  });

  it("depends on the seed", () => {
    expect(hash64("order-42", 1)).not.toEqual(hash64("order-42"));
  });

  it("tells 100,000 near-equal texts apart, in its short form as well", () => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `item-${index}`);

    expect(new Set(texts.map((text) => hash64(text).join())).size).toBe(texts.length);
    expect(new Set(texts.map(shortHash)).size).toBe(texts.length);
  });

  it("flips each of its bits in about half of all one-bit changes of a text", () => {
    const flips = new Array<number>(64).fill(0);
    const texts = 4_000;
    for (let index = 0; index < texts; index++) {
      const text = `1/2/order-${index}`;
      const at = index % text.length;
      const changed = String.fromCharCode(text.charCodeAt(at) ^ (1 << (index % 7)));
      const before = hash64(text);
      const after = hash64(text.slice(0, at) + changed + text.slice(at + 1));
      for (let bit = 0; bit < 64; bit++) {
        const half = bit < 32 ? before[0] ^ after[0] : before[1] ^ after[1];
        flips[bit] = (flips[bit] ?? 0) + ((half >>> (bit % 32)) & 1);
      }
    }

    // Five standard deviations of a fair coin thrown 4,000 times are 0.04.
    for (const count of flips) expect(Math.abs(count / texts - 0.5)).toBeLessThan(0.04);
  });
});
