import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance } from "../../../lib/core/state/advance.ts";
import { EVERY_MODE } from "../backoff/policies.ts";
import { HOUR, someSettings } from "../factories.ts";
import { CRASHES, type Happening, type Seen, World } from "./world.ts";

const pick = fc.nat({ max: 9 });
const attempt = { pick, reports: fc.boolean(), leavesCopy: fc.boolean() };
const handled = fc.record({ kind: fc.constant("handle" as const), pick, crash: fc.constantFrom(...CRASHES) });
const failed = fc.record({ kind: fc.constant("fail" as const), ...attempt });
const succeeded = fc.record({ kind: fc.constant("succeed" as const), ...attempt });
const redriven = fc.record({ kind: fc.constant("redrive" as const), pick, to: fc.constantFrom("work", "ingest") });
const rescued = fc.record({ kind: fc.constant("rescue" as const), pick });
const passed = fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: 12 * HOUR }) });
const lost = fc.constant({ kind: "lose the row" } as const);

const failures = [
  { weight: 4, arbitrary: handled },
  { weight: 3, arbitrary: failed },
  { weight: 1, arbitrary: passed },
  { weight: 1, arbitrary: rescued },
];
const redrives = { weight: 1, arbitrary: redriven };
const settings = fc
  .record({ maxAttempts: fc.integer({ min: 1, max: 5 }), mode: fc.constantFrom(...EVERY_MODE) })
  .map(({ maxAttempts, mode }) => someSettings({ ...mode.policy, maxAttempts }));

function histories(...weighted: { weight: number; arbitrary: fc.Arbitrary<Happening> }[]) {
  return fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: 60, size: "max" });
}

function counted({ step: { decision }, report }: Seen): boolean {
  return decision.kind === "exhaust" || (decision.kind === "retry" && report.redrive?.tried !== false);
}

/** Dispatches by how often a report of theirs was counted. */
function countsOf(world: World): readonly number[] {
  const counts = new Map<string, number>();
  for (const { report } of world.seen.filter(counted)) {
    counts.set(report.dispatchId, (counts.get(report.dispatchId) ?? 0) + 1);
  }
  return [...counts.values()];
}

function exhaustions(world: World, generation = 1) {
  return world.seen.filter(({ step }) => step.decision.kind === "exhaust" && step.state?.generation === generation);
}

const runs = { numRuns: 1_000 };

describe("in any history of one item", () => {
  it("no-loss: while it has not succeeded, it is in a queue", () => {
    fc.assert(
      fc.property(settings, histories(...failures, redrives, { weight: 1, arbitrary: lost }), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) {
          world.happen(happening);
          expect(world.work.length + world.ingest.length + world.deadLetter.length).toBeGreaterThan(0);
        }
        world.failAlways();
        expect(world.deadLetter.length).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  it("count-once: however often, in whatever order and by whatever message a dispatch is reported, it counts once", () => {
    fc.assert(
      fc.property(
        settings,
        histories(...failures, redrives, { weight: 1, arbitrary: succeeded }),
        (given, happenings) => {
          const world = new World(given);
          for (const happening of happenings) world.happen(happening);
          expect(countsOf(world).every((count) => count === 1)).toBe(true);
        },
      ),
      runs,
    );
  });

  it("own-faults-free, always-ends, exhaust-once: it is exhausted after exactly maxAttempts attempts, once", () => {
    fc.assert(
      fc.property(settings, histories(...failures), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) world.happen(happening);
        world.failAlways();
        const { maxAttempts } = given.policy;
        expect(world.row).toMatchObject({
          status: "dead-lettered",
          generation: 1,
          attempts: maxAttempts,
          reason: "attempts",
        });
        expect(countsOf(world)).toEqual(new Array(maxAttempts).fill(1));
        expect(exhaustions(world)).toHaveLength(1);
        expect(new Set(world.deadLetter.map(({ context }) => context?.dispatchId)).size).toBe(1);
        expect(world.deadLetter[0]?.context?.attempt).toBe(maxAttempts);
      }),
      runs,
    );
  });

  it("always-ends, even if the row is lost again and again", () => {
    fc.assert(
      fc.property(settings, histories(...failures, { weight: 1, arbitrary: lost }), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) world.happen(happening);
        world.failAlways();
        expect(world.deadLetter.length).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  it("fresh-after-redrive: a generation has exactly maxAttempts attempts, started once, and the history is kept", () => {
    const back = fc.array(redriven, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        settings,
        histories(...failures),
        back,
        histories(...failures),
        (given, before, redrivings, after) => {
          const world = new World(given);
          for (const happening of before) world.happen(happening);
          world.failAlways();
          for (const happening of [...redrivings, ...after]) world.happen(happening);
          world.failAlways();
          const { maxAttempts } = given.policy;
          expect(world.row).toMatchObject({ status: "dead-lettered", generation: 2, attempts: maxAttempts });
          expect(exhaustions(world, 2)).toHaveLength(1);
          expect(countsOf(world)).toEqual(new Array(2 * maxAttempts).fill(1));
          expect(world.row?.history.filter(({ generation }) => generation === 1)).toHaveLength(maxAttempts);
        },
      ),
      runs,
    );
  });

  it("no-fork: it is never on the way under two names for long, nor exhausted as two that share an id", () => {
    fc.assert(
      fc.property(settings, histories(...failures, redrives), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) world.happen(happening);
        world.failAlways();
        const reasons = world.seen.flatMap(({ step: { decision } }) => ("reason" in decision ? [decision.reason] : []));
        expect(new Set(reasons)).toEqual(new Set(["attempts"]));
        const last = world.row?.generation;
        const names = world.deadLetter.filter(({ context }) => context?.generation === last);
        expect(new Set(names.map(({ context }) => context?.dispatchId)).size).toBe(1);
      }),
      runs,
    );
  });

  it("hard-cap: each delay is a whole number of seconds within the limits, and a repeat never waits longer", () => {
    fc.assert(
      fc.property(settings, histories(...failures, redrives), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) world.happen(happening);
        const drawn = new Map<string, number>();
        for (const { step } of world.seen) {
          if (!("send" in step.decision)) continue;
          const { dispatchId, delaySeconds } = step.decision.send;
          expect(Number.isInteger(delaySeconds)).toBe(true);
          expect(delaySeconds).toBeGreaterThanOrEqual(step.decision.kind === "retry" ? 1 : 0);
          expect(delaySeconds).toBeLessThanOrEqual(drawn.get(dispatchId) ?? 900);
          if (step.decision.kind === "retry") drawn.set(dispatchId, delaySeconds);
        }
      }),
      runs,
    );
  });

  it("attempts never decrease within a generation, generations and revisions never at all", () => {
    const all = histories(...failures, redrives, { weight: 1, arbitrary: succeeded });
    fc.assert(
      fc.property(settings, all, (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) world.happen(happening);
        for (const { before, step } of world.seen) {
          const after = step.state;
          if (!before || !after) continue;
          expect(after.generation).toBeGreaterThanOrEqual(before.generation);
          if (after.generation === before.generation) expect(after.attempts).toBeGreaterThanOrEqual(before.attempts);
          expect(after.attempts).toBeLessThanOrEqual(given.policy.maxAttempts);
          expect(after.revision).toBe(after === before ? before.revision : before.revision + 1);
        }
      }),
      runs,
    );
  });

  it("a decision depends on its arguments alone", () => {
    fc.assert(
      fc.property(settings, histories(...failures, redrives), (given, happenings) => {
        const world = new World(given);
        for (const happening of happenings) {
          const { now } = world;
          const decisions = world.seen.length;
          world.happen(happening);
          for (const { before, report, step } of world.seen.slice(decisions)) {
            expect(advance(before, report, given, now)).toEqual(step);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
