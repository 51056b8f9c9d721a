import { invalidParameter, missingParameter, SqsError } from "../errors.ts";
import { type Input, isRecord } from "./input.ts";
import { LIMITS } from "./values.ts";

const ID = /^[A-Za-z0-9_-]+$/;

export interface BatchEntry {
  readonly id: string;
  readonly input: Input;
}

/**
 * The entries of any batch request.
 *
 * @throws SqsError EmptyBatchRequest, TooManyEntriesInBatchRequest, InvalidBatchEntryId, BatchEntryIdsNotDistinct:
 *   the whole call is refused, no entry is done
 */
export function checkedEntries(input: Input): readonly BatchEntry[] {
  const value = input.Entries ?? [];
  if (!Array.isArray(value)) throw invalidParameter("Entries", value, "Must be a list.");
  const list: readonly unknown[] = value;
  if (list.length === 0) {
    throw new SqsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (list.length > LIMITS.batchEntries) {
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request is ${LIMITS.batchEntries}. You have sent ${list.length}.`,
    );
  }
  const entries = list.map(toEntry);
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) throw new SqsError("BatchEntryIdsNotDistinct", `Id ${id} repeated.`);
    seen.add(id);
  }
  return entries;
}

function toEntry(entry: unknown): BatchEntry {
  if (!isRecord(entry)) throw invalidParameter("Entries", entry, "Each entry must be an object.");
  const id = entry.Id;
  if (id === undefined || id === null) throw missingParameter("Id");
  if (typeof id !== "string" || id.length > LIMITS.batchIdLength || !ID.test(id)) {
    throw new SqsError(
      "InvalidBatchEntryId",
      `A batch entry id can only contain alphanumeric characters, hyphens and underscores, 1 to ${LIMITS.batchIdLength}.`,
    );
  }
  return { id, input: entry };
}

/** @throws SqsError BatchRequestTooLong when the entries together are larger than 1 MiB */
export function checkBatchSize(bytes: number): void {
  if (bytes > LIMITS.messageBytes) {
    throw new SqsError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${LIMITS.messageBytes} bytes. You have sent ${bytes} bytes.`,
    );
  }
}
