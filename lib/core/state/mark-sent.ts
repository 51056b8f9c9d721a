import { successorOf } from "./history.ts";
import type { HistoryEntry, ItemState } from "./item-state.ts";
import type { AdvanceSettings } from "./settings.ts";

/**
 * The item after its dead-letter copy went out: only now is it dead-lettered. Undefined where there is nothing to mark,
 * because another delivery of the same report has done so or the row was lost.
 */
export function markSent(
  row: ItemState | undefined,
  dispatchId: string,
  settings: AdvanceSettings,
  now: number,
): ItemState | undefined {
  if (!row || row.expiresAt <= now) return undefined;
  const isPending = (entry: HistoryEntry) =>
    entry.outcome.kind === "exhaust" && !entry.outcome.sent && successorOf(row.itemId, entry) === dispatchId;
  if (!row.history.some(isPending)) return undefined;
  return {
    ...row,
    status: row.status === "exhausted" ? "dead-lettered" : row.status,
    history: row.history.map((entry) =>
      isPending(entry) && entry.outcome.kind === "exhaust"
        ? { ...entry, outcome: { ...entry.outcome, sent: true } }
        : entry,
    ),
    revision: row.revision + 1,
    expiresAt: now + settings.rowLifetimeMs,
  };
}
