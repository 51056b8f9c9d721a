import { byteLength, cut, legalise } from "./sqs-text.ts";

/** Name of the one message attribute that is ours. */
export const CONTEXT_ATTRIBUTE = "RetryContext";

/** Longest value of that attribute, in bytes. */
export const MAX_CONTEXT_BYTES = 2_048;

/** Version that this code writes, and the newest `min` that it may act on. */
export const CONTEXT_VERSION = 1;

/** Why an item was exhausted. Readers refuse a reason that they do not know, so a new one raises `min`. */
export const EXHAUSTION_REASONS = [
  "attempts",
  "elapsed",
  "deadline",
  "not-retryable",
  "unreadable-context",
  "shared-budget",
] as const;

export type ExhaustionReason = (typeof EXHAUSTION_REASONS)[number];

/** What went wrong, in the words of whoever reports it. */
export interface ItemError {
  readonly type?: string;
  readonly message?: string;
}

/** The part of a context that only a dead-letter copy has: it tells an operator why the item is there. */
export interface DeadLetterNote {
  readonly reason: ExhaustionReason;
  /** When the decision was made. */
  readonly at: number;
  readonly firstFailedAt?: number;
  readonly lastFailedAt?: number;
  readonly error?: ItemError;
  /** Start of a context that could not be read. */
  readonly original?: string;
}

/** Our data on a message: which item it is, which attempt, and on a failure report what happened. Times in epoch ms. */
export interface RetryContext {
  readonly itemId: string;
  /** Which budget the item is on: 1, and one more with every redrive. */
  readonly generation: number;
  /** On a dispatch the attempt that it is, on a report the one that ended, on a dead-letter copy the last one made. */
  readonly attempt: number;
  /** Names the send that brought the message here; absent on a report of an item's first delivery. */
  readonly dispatchId?: string;
  readonly firstFailedAt?: number;
  /** The delay that this dispatch was given. */
  readonly delayMs?: number;
  /** Absent on a dispatch; a dispatch that SQS moved to the ingest queue counts as `failed`. */
  readonly kind?: "failed" | "succeeded";
  readonly error?: ItemError;
  /** `false`: no further attempt can succeed. */
  readonly retryable?: boolean;
  /** Not before this long from now. */
  readonly retryAfterMs?: number;
  /** No attempt may start later than this. Travels with the item. */
  readonly deadlineAt?: number;
  readonly deadLetter?: DeadLetterNote;
  /** Fields of a newer writer: carried on as they are. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const ERROR_TYPE_BYTES = 100;
const ERROR_MESSAGE_BYTES = 400;
const ORIGINAL_BYTES = 500;

/** An error whose texts SQS takes, cut to what a message and a row have room for; undefined when it says nothing. */
export function shortError(error: ItemError | undefined): ItemError | undefined {
  const type = error?.type && cut(legalise(error.type), ERROR_TYPE_BYTES);
  const message = error?.message && cut(legalise(error.message), ERROR_MESSAGE_BYTES);
  if (!type && !message) return undefined;
  return { ...(type && { type }), ...(message && { message }) };
}

/** The start of a text that was no context, legal and short enough to travel in a fresh one. */
export function shortOriginal(text: string): string {
  return cut(legalise(text), ORIGINAL_BYTES);
}

/**
 * The context as the value of its attribute: JSON of at most {@link MAX_CONTEXT_BYTES} bytes in characters that SQS
 * takes, its error short and legal. Where it would be longer, what a newer writer added goes first, then error texts and
 * the unreadable original; what accounting needs always fits, as item ids are short.
 */
export function encodeContext(context: RetryContext): string {
  const { unknown, error, ...rest } = context;
  const short = shortError(error);
  const known: RetryContext = { ...rest, ...(short && { error: short }) };
  const candidates = [{ ...unknown, ...known }, known, withoutTexts(known)];
  const values = candidates.map((fields) => sqsJson({ v: CONTEXT_VERSION, min: 1, ...fields }));
  return values.find((value) => byteLength(value) <= MAX_CONTEXT_BYTES) ?? (values.at(-1) as string);
}

function withoutTexts({ error: _, deadLetter, ...rest }: RetryContext): RetryContext {
  if (!deadLetter) return rest;
  const { error: __, original: ___, ...note } = deadLetter;
  return { ...rest, deadLetter: note };
}

/** JSON escapes all control characters already, but leaves two code points raw that SQS refuses. */
function sqsJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
}
