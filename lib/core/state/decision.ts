import type { DelayExplanation } from "../backoff/explain.ts";
import type { ExhaustionReason, RetryContext } from "../item/retry-context.ts";
import type { ItemState } from "./item-state.ts";

/** One send: where to, when, under which name, and the context that goes on the message. */
export interface Dispatch {
  readonly destination: "work" | "dead-letter";
  /** The same for every repeat of this send. */
  readonly dispatchId: string;
  /** 0 to 900. */
  readonly delaySeconds: number;
  readonly context: RetryContext;
}

/** What a failure report leads to. */
export type Decision =
  | { readonly kind: "retry"; readonly send: Dispatch; readonly explanation: DelayExplanation }
  | { readonly kind: "exhaust"; readonly send: Dispatch; readonly reason: ExhaustionReason }
  /** The send of an earlier decision, once more: nobody can tell whether it went out. */
  | { readonly kind: "repeat"; readonly send: Dispatch }
  /** The dispatch was reported before and its item is elsewhere: this message is a copy, and ends here. */
  | { readonly kind: "stale" }
  /** This very report was recorded before, and what it led to is over. */
  | { readonly kind: "done" }
  | { readonly kind: "recovered" }
  /** A success of an item that never failed, or of an earlier generation. */
  | { readonly kind: "nothing" };

/** Things worth counting that a decision came across. */
export type Observation = "row-lost" | "shared-identity" | "without-identity" | "redriven" | "unreadable-context";

/** One application of `advance`. */
export interface Step {
  readonly decision: Decision;
  /** The item afterwards; the same object as before where nothing is to be written. */
  readonly state: ItemState | undefined;
  readonly observations: readonly Observation[];
}
