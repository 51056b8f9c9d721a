import { checkPromises } from "./checks.ts";
import { Random } from "./random.ts";
import { BrokenPromise } from "./story.ts";
import { pollWork, type SimulatedItem, type WorkerFaults } from "./worker.ts";
import { contextOf, type Faults, NO_FAULTS, World } from "./world.ts";

const CALM_WORKER: WorkerFaults = { hang: 0, reportTwice: 0, dieAfterReport: 0 };

/** Longest way to rest after the faults end, in steps; a history that needs more does not end. */
const MOST_STEPS_TO_REST = 3_000;

/**
 * One history: a few items through the real ingest under faults, then calm until everything is at rest, then the
 * promises. The seed decides everything, so the same seed replays the same history.
 *
 * @param plant makes a bug in the world, to see whether the checks find it
 * @throws BrokenPromise with the seed and the item's story
 */
export async function runHistory(seed: number, plant: (world: World) => void = () => {}): Promise<void> {
  const random = new Random(seed);
  const faults = someFaults(random);
  const world = new World(random, faults, random.between(1, 5));
  const items = someItems(random);
  const rowsLost = random.chance(0.15);
  const worker: WorkerFaults = random.chance(0.5)
    ? CALM_WORKER
    : { hang: 0.1, reportTwice: 0.15, dieAfterReport: 0.15 };
  watchMarks(world);
  plant(world);
  try {
    for (const item of items) world.send("work", item.name, item.full ? tenAttributes() : {});
    for (let step = random.between(20, 60); step > 0; step--) await aStep(world, items, random, worker, rowsLost);
    world.faults = {
      ...NO_FAULTS,
      sends: { ...NO_FAULTS.sends, swallowedEntry: world.faults.sends.swallowedEntry ?? 0 },
    };
    world.table.faults = NO_FAULTS.table;
    await rest(world, items, random);
    checkPromises(world, items, { rowsLost: rowsLost || items.some(({ full }) => full) });
  } catch (error) {
    if (error instanceof BrokenPromise) error.message = `seed ${seed}: ${error.message}`;
    throw error;
  }
}

async function aStep(
  world: World,
  items: readonly SimulatedItem[],
  random: Random,
  worker: WorkerFaults,
  rowsLost: boolean,
): Promise<void> {
  const luck = random.next();
  if (luck < 0.35) await world.pollIngest();
  else if (luck < 0.65) pollWork(world, items, random, worker);
  else if (luck < 0.9) world.advance(random.pick([100, 1_000, 5_000, 31_000, 61_000, 400_000]));
  else if (luck < 0.95) redriveAll(world, random.pick(["work", "ingest"]));
  else if (rowsLost) dropSomeRow(world, random);
}

/** Works on until nothing is left but dead letters; raw reports among them are given back to the ingest queue. */
async function rest(world: World, items: readonly SimulatedItem[], random: Random): Promise<void> {
  for (let step = 0; step < MOST_STEPS_TO_REST; step++) {
    await world.pollIngest();
    pollWork(world, items, random, CALM_WORKER);
    const waiting = (["ingest", "work"] as const).flatMap((queue) => world.service.inspect(world.urls[queue]).messages);
    if (waiting.length > 0) {
      if (!waiting.some(({ state }) => state === "visible")) world.advanceToNextEvent();
    } else if (!rescueRawReports(world)) return;
  }
  throw new BrokenPromise("always-ends: the history does not come to rest");
}

/** An operator moves everything in the dead-letter queue, with SQS's own move task. */
function redriveAll(world: World, queue: "work" | "ingest"): void {
  if (world.service.inspect(world.urls.dead).visible === 0) return;
  const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
  world.service.call("StartMessageMoveTask", { SourceArn: arn("dead"), DestinationArn: arn(queue) });
  world.advance(10);
  world.story.tell(world.now(), undefined, `the operator redrives all dead letters to ${queue}`);
}

function rescueRawReports(world: World): boolean {
  const raw = world.service
    .inspect(world.urls.dead)
    .messages.filter(
      ({ attributes }) => !contextOf(attributes.RetryContext)?.deadLetter && Object.keys(attributes).length < 10,
    );
  if (raw.length > 0) redriveAll(world, "ingest");
  return raw.length > 0;
}

function dropSomeRow(world: World, random: Random): void {
  const [first, ...others] = world.table.rows().flatMap(({ pk, aliasOf }) => (pk?.S && !aliasOf ? [pk.S] : []));
  if (first === undefined) return;
  const key = random.pick([first, ...others]);
  world.table.drop(key);
  world.story.tell(world.now(), undefined, `the row of ${key} vanishes`);
}

/** exhaust-once: no row may say dead-lettered before its copy is in the queue. */
function watchMarks(world: World): void {
  world.table.onWrite = ({ pk, status, generation }) => {
    if (status?.S !== "dead-lettered") return;
    if (!world.story.deadLetters.has(`${pk?.S}/${generation?.N}`)) {
      if (world.service.inspect(world.urls.dead).messages.length > 0) return;
      throw new BrokenPromise(`exhaust-once: ${pk?.S} is marked dead-lettered before anything was sent`);
    }
  };
}

function someItems(random: Random): readonly SimulatedItem[] {
  return Array.from({ length: random.between(1, 3) }, (_, index) => ({
    name: `item-${index + 1}`,
    way: random.pick(["redrive", "report"]),
    failures: random.chance(0.5) ? Number.POSITIVE_INFINITY : random.between(0, 4),
    full: random.chance(0.1),
  }));
}

function someFaults(random: Random): Faults {
  const level = random.pick([0, 0.05, 0.15, 0.3]);
  return {
    table: { throttle: level, lostAnswer: level, repeatedCall: level, staleRead: level },
    sends: { refusedCall: level, lostAnswer: level, failedEntry: level, unnamedEntry: level },
    kill: level,
    duplicate: level,
    lostDelete: level,
  };
}

function tenAttributes() {
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`a${index}`, { DataType: "String", StringValue: "x" }]),
  );
}
