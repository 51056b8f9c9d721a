import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inBatches } from "../../../lib/aws/sender/batches.ts";

const MIB = 1_048_576;
const messages = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: MIB }), tag: fc.nat() }), { maxLength: 60 });
const small = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 100_000 }) }), { maxLength: 60 });

const bytesOf = (batch: readonly { bytes: number }[]) => batch.reduce((sum, { bytes }) => sum + bytes, 0);

describe("batches of messages", () => {
  it("hold at most ten and at most 1 MiB each, all messages once and in order", () => {
    fc.assert(
      fc.property(messages, (all) => {
        const batches = inBatches(all);
        expect(batches.flat()).toEqual(all);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(10);
          expect(bytesOf(batch)).toBeLessThanOrEqual(MIB);
        }
      }),
    );
  });

  it("end only where the next message does not fit", () => {
    fc.assert(
      fc.property(messages, (all) => {
        const batches = inBatches(all);
        for (const [index, batch] of batches.slice(0, -1).entries()) {
          const next = batches[index + 1]?.[0]?.bytes ?? 0;
          expect(batch.length === 10 || bytesOf(batch) + next > MIB).toBe(true);
        }
      }),
    );
  });

  it("are as few as tens where size is no matter", () => {
    fc.assert(
      fc.property(small, (all) => {
        expect(inBatches(all)).toHaveLength(Math.ceil(all.length / 10));
      }),
    );
  });

  it("hold two halves of 1 MiB together, and not a byte more", () => {
    const half = { bytes: MIB / 2 };
    expect(inBatches([half, half])).toEqual([[half, half]]);
    expect(inBatches([half, half, { bytes: 1 }])).toEqual([[half, half], [{ bytes: 1 }]]);
  });
});
