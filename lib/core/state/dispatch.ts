import type { FailureReport } from "../item/failure-report.ts";
import type { ExhaustionReason } from "../item/retry-context.ts";
import type { Dispatch } from "./decision.ts";
import { successorOf } from "./history.ts";
import type { HistoryEntry, ItemState } from "./item-state.ts";

/**
 * The send that a recorded report leads to, made of the row and the report alone, so that a repeat is the same send.
 *
 * @param delaySeconds the drawn delay on the first send, what remains of it on a repeat
 */
export function dispatchOf(
  state: ItemState,
  entry: HistoryEntry,
  report: FailureReport,
  delaySeconds: number,
): Dispatch {
  return entry.outcome.kind === "exhaust"
    ? toDeadLetterQueue(state, entry, report, entry.outcome.reason)
    : toWorkQueue(state, entry, report, delaySeconds);
}

/** Whole seconds until a recorded retry is due: never negative, never more than the delay that was drawn. */
export function remainingSeconds({ detail }: HistoryEntry, now: number): number {
  if (!detail) return 0;
  const remainingMs = Math.min(detail.delayMs, Math.max(0, detail.at + detail.delayMs - now));
  return Math.ceil(remainingMs / 1000);
}

function toWorkQueue(state: ItemState, entry: HistoryEntry, report: FailureReport, delaySeconds: number): Dispatch {
  const dispatchId = successorOf(state.itemId, entry);
  const { firstFailedAt } = state;
  const { deadlineAt, unknown } = report;
  return {
    destination: "work",
    dispatchId,
    delaySeconds,
    context: {
      itemId: state.itemId,
      generation: entry.generation,
      attempt: entry.attempt + 1,
      dispatchId,
      ...(firstFailedAt !== undefined && { firstFailedAt }),
      ...(entry.detail && { delayMs: entry.detail.delayMs }),
      ...(deadlineAt !== undefined && { deadlineAt }),
      ...(unknown && { unknown }),
    },
  };
}

function toDeadLetterQueue(
  state: ItemState,
  entry: HistoryEntry,
  report: FailureReport,
  reason: ExhaustionReason,
): Dispatch {
  const dispatchId = successorOf(state.itemId, entry);
  const { firstFailedAt, lastFailedAt } = state;
  const { error, unreadable, unknown } = report;
  return {
    destination: "dead-letter",
    dispatchId,
    delaySeconds: 0,
    context: {
      itemId: state.itemId,
      generation: entry.generation,
      attempt: entry.attempt,
      dispatchId,
      deadLetter: {
        reason,
        at: entry.detail?.at ?? lastFailedAt ?? 0,
        ...(firstFailedAt !== undefined && { firstFailedAt }),
        ...(lastFailedAt !== undefined && { lastFailedAt }),
        ...(error && { error }),
        ...(unreadable && { original: unreadable.original }),
      },
      ...(unknown && { unknown }),
    },
  };
}
