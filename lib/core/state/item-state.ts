import type { ExhaustionReason } from "../item/retry-context.ts";

/**
 * Where an item is: on its way to a further attempt, decided to be exhausted, on the dead-letter queue (the send
 * succeeded), or done after at least one failure.
 */
export const STATUSES = ["retrying", "exhausted", "dead-lettered", "recovered"] as const;

type Status = (typeof STATUSES)[number];

/** All that is remembered of an item. Times in epoch ms; never the body. */
export interface ItemState {
  readonly itemId: string;
  readonly status: Status;
  /** Which budget the item is on: 1, and one more with every redrive. */
  readonly generation: number;
  /** Attempts of this generation that have ended in a failure. */
  readonly attempts: number;
  /** First failure of this generation; absent while a redriven item has not failed again. */
  readonly firstFailedAt?: number;
  readonly lastFailedAt?: number;
  /** When the pending retry is due. */
  readonly nextAttemptAt?: number;
  /** SQS message id of the last report that was recorded. */
  readonly lastReport: string;
  /** Why the item was last exhausted. */
  readonly reason?: ExhaustionReason;
  /** The distinct errors, oldest first. */
  readonly errors: readonly SeenError[];
  /** Every report that was recorded, oldest first; old ones folded. */
  readonly history: readonly HistoryEntry[];
  /** Rises by one with every change; the store swaps on it. */
  readonly revision: number;
  /** When the row may be forgotten. */
  readonly expiresAt: number;
}

/** One of an item's distinct errors. */
export interface SeenError {
  /** One character that history entries name it by. */
  readonly key: string;
  readonly type: string;
  readonly message: string;
  readonly count: number;
}

/** What a recorded report led to. */
export type Outcome =
  | { readonly kind: "retry" }
  | { readonly kind: "exhaust"; readonly reason: ExhaustionReason; readonly sent: boolean }
  | { readonly kind: "succeeded" };

/** What folding drops of an entry: when it was recorded, the delay that it led to, and which error it brought. */
export interface EntryDetail {
  readonly at: number;
  readonly delayMs: number;
  readonly error?: string;
  /** The report was already old when it was recorded, so SQS may give it up before its entry looks old. */
  readonly late?: true;
}

/** One recorded report: which dispatch it reported on, and what it led to. */
export interface HistoryEntry {
  readonly generation: number;
  /** Attempts of the generation after this report. */
  readonly attempt: number;
  /** The dispatch whose outcome was reported. */
  readonly dispatchId: string;
  /** The report; the id of the dispatch that it led to follows from it. */
  readonly reportId: string;
  readonly outcome: Outcome;
  readonly detail?: EntryDetail;
}
