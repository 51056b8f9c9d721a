/** What happened in a history, in order, for checks and for people. */
export interface StoryEvent {
  readonly at: number;
  /** Which item it is about; absent for what concerns all. */
  readonly item?: string;
  readonly what: string;
}

/** Thrown when a promise does not hold: names it, and tells the item's story. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

/** Records a history, and facts that checks need at its end. */
export class Story {
  readonly events: StoryEvent[] = [];
  /** Dispatches that were reported failed, by item and generation. */
  readonly failed = new Map<string, Set<string>>();
  /** Redriven copies that were reported failed, by item and the generation that they start. */
  readonly failedCopies = new Map<string, Set<string>>();
  /** Dispatches that reached the worker, by item, generation and attempt. */
  readonly dispatches = new Map<string, Set<string>>();
  /** Dead-letter copies, by item and generation. */
  readonly deadLetters = new Map<string, Set<string>>();
  readonly succeeded = new Set<string>();
  /** Dispatches that were reported done, by item and generation. */
  readonly done = new Map<string, Set<string>>();

  tell(at: number, item: string | undefined, what: string): void {
    this.events.push({ at, what, ...(item !== undefined && { item }) });
  }

  timeline(item: string, start: number): string {
    return this.events
      .filter((event) => event.item === undefined || event.item === item)
      .map(({ at, what }) => `  ${String(Math.round((at - start) / 1000)).padStart(7)} s  ${what}`)
      .join("\n");
  }
}

export function note(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
