import { explain } from "../../core/backoff/explain.ts";
import type { RetryPolicy } from "../../core/backoff/policy.ts";
import type { ExhaustionReason } from "../../core/item/retry-context.ts";
import type { ItemState } from "../../core/state/item-state.ts";
import type { Ledger, ObservedRetry } from "./ledger.ts";
import type { PlannedItem } from "./plan.ts";

/** A copy found in the dead-letter queue. */
export interface DeadLetter {
  readonly demoId: string;
  readonly itemId: string;
  readonly attempt: number;
  readonly reason: ExhaustionReason;
}

/** Everything that is known when the demo ends. */
export interface Evidence {
  readonly items: readonly PlannedItem[];
  /** The demo ended by its time limit, with items on their way. */
  readonly timeIsUp: boolean;
  readonly ledger: Ledger;
  readonly deadLetters: readonly DeadLetter[];
  /** The state table's rows by item id. */
  readonly rows: ReadonlyMap<string, ItemState>;
  readonly policy: RetryPolicy;
  readonly alarms: readonly { readonly name: string; readonly state: string; readonly rang: boolean }[];
  readonly seconds: { readonly real: number; readonly sandbox: number };
}

/** The delays after one attempt number, against the windows that they were to be drawn from. Times in seconds. */
interface DelayRow {
  readonly afterAttempt: number;
  readonly retries: number;
  readonly windowSeconds: readonly [low: number, high: number];
  readonly drawnSeconds: { readonly min: number; readonly mean: number; readonly max: number };
  readonly outsideWindow: number;
}

/** What the demo found; also its JSON document. */
export interface DemoResult {
  readonly items: number;
  readonly timeIsUp: boolean;
  readonly succeededAtOnce: number;
  readonly recovered: number;
  readonly recoveredByAttempt: Readonly<Record<string, number>>;
  readonly exhausted: number;
  readonly exhaustedByReason: Readonly<Record<string, number>>;
  readonly retries: number;
  readonly delays: readonly DelayRow[];
  readonly alarms: Evidence["alarms"];
  /** Items that are neither done nor in the dead-letter queue, or that are in both. */
  readonly unaccounted: readonly string[];
  /** Items whose row or dead-letter copy counts other attempts than the worker made. */
  readonly miscounted: readonly string[];
  readonly seconds: Evidence["seconds"];
  readonly ok: boolean;
}

/** Delays are whole seconds, so one may lie half a second outside its window. */
const ROUNDING_MS = 500;

/** Holds what happened against what was planned, item by item. Pure. */
export function toResult(evidence: Evidence): DemoResult {
  const { items, timeIsUp, ledger, deadLetters, policy, alarms, seconds } = evidence;
  const done = items.filter(({ id }) => ledger.successes.has(id));
  const recovered = done.filter(({ id }) => (ledger.successes.get(id) ?? 0) > 1);
  const deadIds = new Set(deadLetters.map(({ demoId }) => demoId));
  const unaccounted = items.filter(({ id }) => ledger.successes.has(id) === deadIds.has(id)).map(({ id }) => id);
  const miscounted = items.filter((item) => !isCountedRight(item, evidence)).map(({ id }) => id);
  const delays = delayRows(ledger.retries, policy);
  const outside = delays.reduce((sum, row) => sum + row.outsideWindow, 0);
  return {
    items: items.length,
    timeIsUp,
    succeededAtOnce: done.length - recovered.length,
    recovered: recovered.length,
    recoveredByAttempt: tally(recovered.map(({ id }) => String(ledger.successes.get(id)))),
    exhausted: deadIds.size,
    exhaustedByReason: tally(deadLetters.map(({ reason }) => reason)),
    retries: ledger.retries.length,
    delays,
    alarms,
    unaccounted,
    miscounted,
    seconds,
    ok: unaccounted.length === 0 && miscounted.length === 0 && outside === 0 && deadLetters.length === deadIds.size,
  };
}

/** Whether the attempts that the row and the dead-letter copy state are those that the plan made the worker fail. */
function isCountedRight({ id, fate, failures }: PlannedItem, { ledger, deadLetters, rows, policy }: Evidence): boolean {
  const copies = deadLetters.filter(({ demoId }) => demoId === id);
  const itemId = copies[0]?.itemId ?? ledger.retries.find(({ demoId }) => demoId === id)?.itemId;
  if (itemId === undefined) return failures === 0;
  const row = rows.get(itemId);
  if (fate === "succeeds") return row?.attempts === failures && copies.length === 0;
  if (row?.status !== "dead-lettered" || row.attempts !== copies[0]?.attempt) return false;
  if (fate === "never-succeeds") return row.attempts === policy.maxAttempts;
  return fate === "misses-deadline" || row.attempts === failures;
}

function delayRows(retries: readonly ObservedRetry[], policy: RetryPolicy): readonly DelayRow[] {
  const attempts = [...new Set(retries.map(({ afterAttempt }) => afterAttempt))].sort((a, b) => a - b);
  return attempts.map((afterAttempt) => {
    const mine = retries.filter((retry) => retry.afterAttempt === afterAttempt);
    const windows = mine.map((retry) => explain(policy, { ...retry, attempt: afterAttempt }).window);
    const drawn = mine.map(({ delayMs }) => delayMs / 1000);
    const isOutside = ({ delayMs }: ObservedRetry, index: number) => {
      const window = windows[index];
      return !window || delayMs < window.lowMs - ROUNDING_MS || delayMs > window.highMs + ROUNDING_MS;
    };
    return {
      afterAttempt,
      retries: mine.length,
      windowSeconds: [
        Math.min(...windows.map((w) => w.lowMs)) / 1000,
        Math.max(...windows.map((w) => w.highMs)) / 1000,
      ],
      drawnSeconds: {
        min: Math.min(...drawn),
        mean: drawn.reduce((sum, each) => sum + each, 0) / drawn.length,
        max: Math.max(...drawn),
      },
      outsideWindow: mine.filter(isOutside).length,
    };
  });
}

function tally(keys: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const key of [...keys].sort((a, b) => a.localeCompare(b, "en", { numeric: true })))
    counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
