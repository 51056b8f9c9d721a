import type { SimulatedItem } from "./worker.ts";
import { broken, contextOf, type World } from "./world.ts";

/** How strict the checks may be: a lost row costs the item's story, so what rests on it is not asked for. */
export interface Expectations {
  readonly rowsLost: boolean;
}

/** Holds a history that has come to rest against the promises, each by its name. */
export function checkPromises(world: World, items: readonly SimulatedItem[], { rowsLost }: Expectations): void {
  noLoss(world, items);
  alwaysEnds(world, items);
  hardCap(world);
  if (rowsLost) return;
  ownFaultsFree(world, items);
  countOnce(world);
  noFork(world);
  exhaustOnce(world);
}

function copiesOf(world: World, item: string) {
  const dead = world.service.inspect(world.urls.dead).messages.filter(({ body }) => body === item);
  return dead.map(({ attributes }) => contextOf(attributes.RetryContext));
}

function noLoss(world: World, items: readonly SimulatedItem[]): void {
  for (const { name } of items) {
    if (world.story.succeeded.has(name) || copiesOf(world, name).length > 0) continue;
    broken(world, "no-loss", name, `${name} is neither done nor in the dead-letter queue`);
  }
}

function alwaysEnds(world: World, items: readonly SimulatedItem[]): void {
  for (const { name, failures } of items) {
    if (Number.isFinite(failures) || copiesOf(world, name).length > 0) continue;
    broken(world, "always-ends", name, `${name} fails always, and is not in the dead-letter queue`);
  }
}

/** Nothing ends as `attempts` before its worker has failed so often, in any generation: redriven ones included. */
function ownFaultsFree(world: World, items: readonly SimulatedItem[]): void {
  const { maxAttempts } = world.configuration.policy;
  for (const { name, full } of items) {
    if (full) continue;
    for (const context of copiesOf(world, name)) {
      if (context?.deadLetter?.reason !== "attempts") continue;
      const { failed } = failuresOf(world, `${context.itemId}/${context.generation}`);
      if (failed < maxAttempts) {
        const promise = context.generation > 1 ? "fresh-after-redrive" : "own-faults-free";
        broken(world, promise, name, `${name} is exhausted after ${failed} of ${maxAttempts} failed attempts`);
      }
    }
  }
}

function hardCap(world: World): void {
  const { capMs } = world.configuration.policy;
  for (const queue of ["work", "dead", "ingest"] as const) {
    for (const { body, dueAt } of world.service.inspect(world.urls[queue]).messages) {
      if (dueAt !== undefined && dueAt - world.now() > Math.max(capMs, 60_000)) {
        broken(world, "hard-cap", body, `${body} waits until ${dueAt - world.now()} ms from now`);
      }
    }
  }
}

/**
 * The row counts each failed dispatch of its generation, and each once. Where a dispatch was reported in two ways, failed
 * and done, or failed and redriven without a try, the first to be recorded decides: its failure may count or be stale.
 */
function countOnce(world: World): void {
  for (const found of world.rows()) {
    if (found.kind !== "item") continue;
    const { itemId, generation, attempts } = found.state;
    const { failed, uncertain } = failuresOf(world, `${itemId}/${generation}`);
    if (attempts > failed || attempts < failed - uncertain)
      broken(world, "count-once", nameOf(world, itemId), `${itemId} counts ${attempts} attempts, ${failed} failed`);
  }
}

function failuresOf({ story }: World, generation: string): { readonly failed: number; readonly uncertain: number } {
  const copies = story.failedCopies.get(generation)?.size ?? 0;
  const failed = story.failed.get(generation) ?? new Set();
  const alsoDone = [...(story.done.get(generation) ?? [])].filter((dispatch) => failed.has(dispatch)).length;
  return { failed: failed.size + copies, uncertain: copies + alsoDone };
}

/** One attempt is one dispatch, however many messages carry it. */
function noFork(world: World): void {
  for (const [attempt, dispatches] of world.story.dispatches) {
    if (dispatches.size > 1)
      broken(
        world,
        "no-fork",
        nameOf(world, attempt.split("/")[0] ?? ""),
        `${attempt} went out as ${[...dispatches].join(" and ")}`,
      );
  }
}

function exhaustOnce(world: World): void {
  for (const [generation, copies] of world.story.deadLetters) {
    if (copies.size > 1)
      broken(
        world,
        "exhaust-once",
        nameOf(world, generation.split("/")[0] ?? ""),
        `${generation} was exhausted ${copies.size} times`,
      );
  }
}

/** The item's name in the story, by any event that names its id; else all events are told. */
function nameOf(world: World, itemId: string): string {
  return world.story.events.find(({ what, item }) => item !== undefined && what.includes(itemId))?.item ?? "";
}
