import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedHeap } from "../../../../lib/sandbox/sqs/model/indexed-heap.ts";

interface Item {
  readonly id: number;
  rank: number;
}

describe("IndexedHeap", () => {
  it("always has the smallest member first, through adding, moving and removing", () => {
    const step = fc.record({
      kind: fc.constantFrom("update", "remove"),
      id: fc.nat(30),
      rank: fc.integer({ min: -50, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const items = Array.from({ length: 31 }, (_, id): Item => ({ id, rank: 0 }));
        const members = new Set<Item>();
        const heap = new IndexedHeap<Item>((left, right) => left.rank < right.rank);
        for (const { kind, id, rank } of steps) {
          const item = items[id];
          if (!item) continue;
          if (kind === "update") {
            item.rank = rank;
            heap.update(item);
            members.add(item);
          } else {
            heap.remove(item);
            members.delete(item);
          }
          expect(heap.size).toBe(members.size);
          const smallest = Math.min(...[...members].map((member) => member.rank));
          expect(heap.peek()?.rank ?? Number.POSITIVE_INFINITY).toBe(smallest);
        }
      }),
    );
  });

  it("compares a few dozen members, not all 10,000, to add, find or remove one", () => {
    let comparisons = 0;
    const heap = new IndexedHeap<Item>((left, right) => {
      comparisons += 1;
      return left.rank < right.rank;
    });
    const items = Array.from({ length: 10_000 }, (_, id): Item => ({ id, rank: (id * 7_919) % 10_007 }));
    for (const item of items) heap.update(item);
    const middle = items[5_000];
    if (!middle) throw new Error("ten thousand items were made");
    for (const work of [() => heap.peek(), () => heap.remove(middle), () => heap.update(middle)]) {
      comparisons = 0;
      work();
      expect(comparisons).toBeLessThanOrEqual(60);
    }
  });
});
