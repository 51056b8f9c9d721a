import { MAX_MESSAGE_BYTES } from "../../core/item/message.ts";

/** SendMessageBatch takes so many entries. */
const ENTRIES_PER_BATCH = 10;

/** Messages in their order, in as few batches as that allows: at most ten, and at most 1 MiB together. */
export function inBatches<T extends { readonly bytes: number }>(messages: readonly T[]): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const current = batches.at(-1);
    if (current && current.length < ENTRIES_PER_BATCH && bytes + message.bytes <= MAX_MESSAGE_BYTES) {
      current.push(message);
      bytes += message.bytes;
    } else {
      batches.push([message]);
      bytes = message.bytes;
    }
  }
  return batches;
}
