import { describe, expect, it } from "vitest";
import { runHistory } from "./history.ts";
import { BrokenPromise } from "./story.ts";
import type { World } from "./world.ts";

const KNOWN_SEEDS = 1_000;
const FRESH_SEEDS = 1_000;

/** Seeds of their own for this run, told so that a failure can be replayed. */
function freshSeeds(): readonly number[] {
  const first = Math.floor(Math.random() * 2 ** 31) + KNOWN_SEEDS;
  console.log(`fresh seeds ${first} to ${first + FRESH_SEEDS - 1}; replay: npm run simulate -- --from SEED --seeds 1`);
  return Array.from({ length: FRESH_SEEDS }, (_, index) => first + index);
}

async function firstBroken(plant: (world: World) => void): Promise<string> {
  for (let seed = 0; seed < KNOWN_SEEDS; seed++) {
    try {
      await runHistory(seed, plant);
    } catch (error) {
      if (error instanceof BrokenPromise) return error.message;
      throw error;
    }
  }
  return "no promise was broken";
}

describe("the promises under every fault that AWS documents", () => {
  it("hold for known seeds", async () => {
    for (let seed = 0; seed < KNOWN_SEEDS; seed++) await runHistory(seed);
  });

  it("hold for fresh seeds", async () => {
    for (const seed of freshSeeds()) await runHistory(seed);
  });

  it("are told apart by their names where a planted bug breaks them, with the seed and the item's story", async () => {
    const lost = await firstBroken((world) => {
      world.faults = { ...world.faults, sends: { ...world.faults.sends, swallowedEntry: 0.3 } };
    });
    expect(lost).toMatch(/^seed \d+: (no-loss|always-ends): .*\n +\d+ s {2}at the worker: first delivery/);

    const miscounted = await firstBroken((world) => {
      world.table.ignoresConditions = true;
    });
    expect(miscounted).toMatch(/^seed \d+: (count-once|no-fork|own-faults-free|exhaust-once): /);
  });

  it("are checked the same way each time: a seed replays its history", async () => {
    const plant = (world: World) => {
      world.table.ignoresConditions = true;
    };

    expect(await firstBroken(plant)).toBe(await firstBroken(plant));
  });
});
