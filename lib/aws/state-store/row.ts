import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Alias } from "../../core/item/failure-report.ts";
import { EXHAUSTION_REASONS } from "../../core/item/retry-context.ts";
import { decodeError, decodeHistory, encodeError, encodeHistory } from "../../core/state/compact-history.ts";
import { type ItemState, STATUSES } from "../../core/state/item-state.ts";

/** A row of the state table, in DynamoDB's own form. */
export type Row = Record<string, AttributeValue>;

/** What a key of the state table holds. */
export type Found =
  | { readonly kind: "absent" }
  | { readonly kind: "item"; readonly state: ItemState }
  | { readonly kind: "alias"; readonly alias: Alias }
  /** A row that is there and says nothing: counts as lost, and is replaced. */
  | { readonly kind: "undecodable"; readonly row: Row; readonly why: string };

/** The row of an item. `expiresAt` is in whole epoch *seconds*, as DynamoDB's time to live wants it. */
export function itemRow(state: ItemState): Row {
  return {
    pk: { S: state.itemId },
    status: { S: state.status },
    generation: number(state.generation),
    attempts: number(state.attempts),
    ...(state.firstFailedAt !== undefined && { firstFailedAt: number(state.firstFailedAt) }),
    ...(state.lastFailedAt !== undefined && { lastFailedAt: number(state.lastFailedAt) }),
    ...(state.nextAttemptAt !== undefined && { nextAttemptAt: number(state.nextAttemptAt) }),
    ...(state.reason !== undefined && { reason: { S: state.reason } }),
    lastReport: { S: state.lastReport },
    ...(state.errors.length > 0 && { errors: { L: state.errors.map((error) => ({ S: encodeError(error) })) } }),
    history: { S: encodeHistory(state.history) },
    revision: number(state.revision),
    expiresAt: number(toEpochSeconds(state.expiresAt)),
  };
}

/** The row that stands for a context which could not travel: its key is the id that the send was answered with. */
export function aliasRow(messageId: string, alias: Alias, expiresAtMs: number): Row {
  return {
    pk: { S: messageId },
    aliasOf: { S: alias.itemId },
    generation: number(alias.generation),
    attempt: number(alias.attempt),
    dispatchId: { S: alias.dispatchId },
    deadLettered: { BOOL: alias.deadLettered },
    ...(alias.deadlineAt !== undefined && { deadlineAt: number(alias.deadlineAt) }),
    expiresAt: number(toEpochSeconds(expiresAtMs)),
  };
}

/** Reads any row of the table, whoever wrote it; never throws. A row past its expiry counts as absent. */
export function readRow(row: Row | undefined, now: number): Found {
  if (!row) return { kind: "absent" };
  try {
    if (requiredNumber(row, "expiresAt") <= Math.floor(now / 1000)) return { kind: "absent" };
    return row.aliasOf ? { kind: "alias", alias: readAlias(row) } : { kind: "item", state: readItem(row) };
  } catch (error) {
    return { kind: "undecodable", row, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Epoch milliseconds as the whole epoch seconds that DynamoDB's time to live wants. */
function toEpochSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

function readItem(row: Row): ItemState {
  const firstFailedAt = optionalNumber(row, "firstFailedAt");
  const lastFailedAt = optionalNumber(row, "lastFailedAt");
  const nextAttemptAt = optionalNumber(row, "nextAttemptAt");
  const reason = row.reason && oneOf(row, "reason", EXHAUSTION_REASONS);
  return {
    itemId: text(row, "pk"),
    status: oneOf(row, "status", STATUSES),
    generation: requiredNumber(row, "generation"),
    attempts: requiredNumber(row, "attempts"),
    ...(firstFailedAt !== undefined && { firstFailedAt }),
    ...(lastFailedAt !== undefined && { lastFailedAt }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    ...(reason && { reason }),
    lastReport: text(row, "lastReport"),
    errors: (row.errors?.L ?? []).map((line) => decodeError(line.S ?? "")),
    history: decodeHistory(text(row, "history")),
    revision: requiredNumber(row, "revision"),
    expiresAt: requiredNumber(row, "expiresAt") * 1000,
  };
}

function readAlias(row: Row): Alias {
  const deadlineAt = optionalNumber(row, "deadlineAt");
  return {
    itemId: text(row, "aliasOf"),
    generation: requiredNumber(row, "generation"),
    attempt: requiredNumber(row, "attempt"),
    dispatchId: text(row, "dispatchId"),
    deadLettered: row.deadLettered?.BOOL === true,
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}

function text(row: Row, name: string): string {
  const value = row[name]?.S;
  if (value === undefined) throw new TypeError(`'${name}' of a row must be a text`);
  return value;
}

function oneOf<T extends string>(row: Row, name: string, allowed: readonly T[]): T {
  const value = text(row, name);
  const match = allowed.find((each) => each === value);
  if (match === undefined)
    throw new TypeError(`'${name}' of a row must be one of ${allowed.join(", ")}, got '${value}'`);
  return match;
}

function requiredNumber(row: Row, name: string): number {
  const value = optionalNumber(row, name);
  if (value === undefined) throw new TypeError(`'${name}' of a row must be a whole number from 0`);
  return value;
}

function optionalNumber(row: Row, name: string): number | undefined {
  const value = Number(row[name]?.N);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
