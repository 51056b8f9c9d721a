import { toItemId } from "./item-id.ts";
import {
  CONTEXT_VERSION,
  type DeadLetterNote,
  EXHAUSTION_REASONS,
  type ExhaustionReason,
  type ItemError,
  MAX_CONTEXT_BYTES,
  type RetryContext,
  shortError,
  shortOriginal,
} from "./retry-context.ts";
import { byteLength } from "./sqs-text.ts";

/** What the value of a `RetryContext` attribute turned out to be. */
export type ContextReading =
  | { readonly kind: "readable"; readonly context: RetryContext }
  /** Written by a release whose readers must know more than this code does: leave it to them. */
  | { readonly kind: "newer"; readonly min: number }
  | { readonly kind: "unreadable"; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

/** Far above any honest count, and far below where numbers lose their last digit: counts can be counted on from. */
const MOST = 1_000_000_000;

/** A field that is not what it must be; never leaves this file. */
class Unreadable extends Error {}

/**
 * Reads a context that anybody may have written. Only a version check, known fields of the right type and range, and
 * fields of a newer writer come out; everything else is `unreadable`, with the reason.
 */
export function readContext(value: string): ContextReading {
  try {
    const fields = parse(value);
    const min = fields.min ?? 1;
    if (!isCount(min)) throw new Unreadable(`'min' must be a whole number between 1 and 1000000000, got ${show(min)}`);
    if (min > CONTEXT_VERSION) return { kind: "newer", min };
    return { kind: "readable", context: toContext(fields) };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "unreadable", why: error.message };
    throw error;
  }
}

function parse(value: string): Fields {
  const bytes = byteLength(value);
  if (bytes > MAX_CONTEXT_BYTES) throw new Unreadable(`it must have at most ${MAX_CONTEXT_BYTES} bytes, got ${bytes}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Unreadable("it must be JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Unreadable(`it must be a JSON object, got ${show(parsed)}`);
  }
  return parsed as Fields;
}

function toContext(fields: Fields): RetryContext {
  const { v, min, itemId, generation, attempt, dispatchId, firstFailedAt, delayMs, ...more } = fields;
  const { kind, error, retryable, retryAfterMs, deadlineAt, deadLetter, ...unknown } = more;
  if (v !== undefined && !isCount(v))
    throw new Unreadable(`'v' must be a whole number between 1 and 1000000000, got ${show(v)}`);
  if (kind !== undefined && kind !== "failed" && kind !== "succeeded") {
    throw new Unreadable(`'kind' must be "failed" or "succeeded", got ${show(kind)}`);
  }
  if (retryable !== undefined && typeof retryable !== "boolean") {
    throw new Unreadable(`'retryable' must be true or false, got ${show(retryable)}`);
  }
  if (typeof itemId !== "string" || itemId === "") {
    throw new Unreadable(`'itemId' must be a text that is not empty, got ${show(itemId)}`);
  }
  return defined({
    itemId: toItemId(itemId),
    generation: generation === undefined ? 1 : count("generation", generation),
    attempt: attempt === undefined ? 1 : count("attempt", attempt),
    dispatchId: dispatchId === undefined ? undefined : shortText("dispatchId", dispatchId),
    firstFailedAt: duration("firstFailedAt", firstFailedAt),
    delayMs: duration("delayMs", delayMs),
    kind,
    error: readError("error", error),
    retryable,
    retryAfterMs: hint(retryAfterMs),
    deadlineAt: duration("deadlineAt", deadlineAt),
    deadLetter: deadLetter === undefined ? undefined : readNote(deadLetter),
    unknown: Object.keys(unknown).length === 0 ? undefined : unknown,
  });
}

function readNote(value: unknown): DeadLetterNote {
  const fields = object("deadLetter", value);
  const { reason, at, firstFailedAt, lastFailedAt, error, original } = fields;
  if (!EXHAUSTION_REASONS.includes(reason as ExhaustionReason)) {
    throw new Unreadable(`'deadLetter.reason' must be one of ${EXHAUSTION_REASONS.join(", ")}, got ${show(reason)}`);
  }
  return defined({
    reason: reason as ExhaustionReason,
    at: duration("deadLetter.at", at) ?? 0,
    firstFailedAt: duration("deadLetter.firstFailedAt", firstFailedAt),
    lastFailedAt: duration("deadLetter.lastFailedAt", lastFailedAt),
    error: readError("deadLetter.error", error),
    original: typeof original === "string" ? shortOriginal(original) : undefined,
  });
}

function readError(name: string, value: unknown): ItemError | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return shortError({ message: value });
  const { type, message } = object(name, value);
  return shortError({
    ...(type !== undefined && { type: asText(type) }),
    ...(message !== undefined && { message: asText(message) }),
  });
}

/** Not `String(value)`: that throws for an object whose own `toString` is no function. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : show(value);
}

function object(name: string, value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Unreadable(`'${name}' must be a JSON object, got ${show(value)}`);
  }
  return value as Fields;
}

function count(name: string, value: unknown): number {
  if (!isCount(value))
    throw new Unreadable(`'${name}' must be a whole number between 1 and 1000000000, got ${show(value)}`);
  return value;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST;
}

function duration(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    throw new Unreadable(`'${name}' must be a number of milliseconds from 0, got ${show(value)}`);
  }
  return Math.round(value);
}

/** A hint that makes no sense is no hint: it must not cost the item its retry. */
function hint(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : undefined;
}

function shortText(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > 40) {
    throw new Unreadable(`'${name}' must be a text of 1 to 40 characters, got ${show(value)}`);
  }
  return value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The same object without its undefined fields, so that optional fields are either there or absent. */
function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
