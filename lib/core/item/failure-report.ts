import { shortHash } from "../hash.ts";
import type { ItemError, RetryContext } from "./retry-context.ts";

/** What tells which item a report is about. */
type IdentitySource = "context" | "alias" | "attribute" | "message";

/** A record of the ingest queue, understood: attempt n of this item ended, and how. Times in epoch ms. */
export interface FailureReport {
  /** Names this report: the same at every delivery of the same SQS message. */
  readonly reportId: string;
  /** The report's SQS message id, for people. */
  readonly messageId: string;
  readonly itemId: string;
  readonly identity: IdentitySource;
  readonly kind: "failed" | "succeeded";
  readonly generation: number;
  /** The attempt that ended. */
  readonly attempt: number;
  /** Names the dispatch (or the original delivery) whose outcome this is. */
  readonly dispatchId: string;
  /** The dispatch was one of ours, so a row must exist. */
  readonly dispatched: boolean;
  /** SQS moved the message here by a redrive policy. */
  readonly moved: boolean;
  /** When SQS first delivered the report, if it says so. */
  readonly firstReceivedAt?: number;
  /** The message is a dead-letter copy that came back; `tried` tells whether a worker has had it since. */
  readonly redrive?: { readonly tried: boolean };
  readonly error?: ItemError;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly deadlineAt?: number;
  readonly firstFailedAt?: number;
  /** Delay of the dispatch, where the context says it. */
  readonly previousDelayMs?: number;
  /** Set where the context could not be read: what it was, and why. */
  readonly unreadable?: { readonly original: string; readonly why: string };
  /** Fields of a newer writer's context. */
  readonly unknown?: RetryContext["unknown"];
}

/** What an alias row says of a message that our context could not travel with. */
export interface Alias {
  readonly itemId: string;
  readonly generation: number;
  readonly attempt: number;
  readonly dispatchId: string;
  /** The message is a dead-letter copy. */
  readonly deadLettered: boolean;
  /** No attempt of the item may start later than this, in epoch ms. */
  readonly deadlineAt?: number;
}

/** The short name of a report, or of an item's first delivery, after its SQS message id. */
export function reportIdOf(messageId: string): string {
  return shortHash(messageId);
}

/** The short name of the send that a report leads to: repeats of that send bear the same one. */
export function dispatchIdOf(itemId: string, generation: number, reportId: string): string {
  return shortHash(`${itemId}|${generation}|${reportId}`);
}

/** Whether a dispatch id may be one of ours. Others are not used as they are: a row has room for short plain names only. */
export function isDispatchId(text: string): boolean {
  return /^[0-9a-v]{10}$/.test(text);
}
