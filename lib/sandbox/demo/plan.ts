import { unitInterval } from "../../core/hash.ts";

/** How an item of the demo will fare; what its worker does follows from this alone. */
export interface PlannedItem {
  readonly id: string;
  /** By SQS's own redrive, with a worker that knows nothing of us; or by a worker that reports. */
  readonly way: "redrive" | "report";
  readonly fate: "succeeds" | "never-succeeds" | "not-retryable" | "misses-deadline";
  /** Attempts that fail before one succeeds; with `not-retryable` the last of them says so. */
  readonly failures: number;
}

/** Most failures of an item that recovers after all. */
const MOST_FAILURES = 5;

/**
 * The demo's items: about a fifth never fail, most recover after one to five failures, some never succeed, and of those
 * that report some turn out not to be retryable or run out of time. The same seed gives the same items.
 */
export function planItems(count: number, seed: number): readonly PlannedItem[] {
  return Array.from({ length: count }, (_, index) => planItem(`order-${index + 1}`, seed));
}

function planItem(id: string, seed: number): PlannedItem {
  const draw = (what: string) => unitInterval(`${id}|${what}`, seed);
  const way = draw("way") < 0.5 ? "redrive" : "report";
  const luck = draw("fate");
  if (luck < 0.2) return { id, way, fate: "succeeds", failures: 0 };
  const failures = 1 + Math.floor(draw("failures") * MOST_FAILURES);
  if (luck < 0.86) return { id, way, fate: "succeeds", failures };
  if (luck < 0.92 || way === "redrive") return { id, way, fate: "never-succeeds", failures: Number.POSITIVE_INFINITY };
  return { id, way, fate: luck < 0.96 ? "not-retryable" : "misses-deadline", failures };
}
