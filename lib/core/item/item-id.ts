import { hash64 } from "../hash.ts";
import { byteLength, cut, legalise } from "./sqs-text.ts";

/** Longest item id that is kept as it is, in bytes: a state row has to stay below 1,000. */
export const MAX_ITEM_ID_BYTES = 100;

/** A caller's id as an item id: itself, or, where it is too long, its start and a hash of all of it. */
export function toItemId(callersId: string): string {
  const id = legalise(callersId);
  if (byteLength(id) <= MAX_ITEM_ID_BYTES) return id;
  const digest = [1, 2].flatMap((seed) => hash64(id, seed)).map((half) => half.toString(16).padStart(8, "0"));
  return `${cut(id, MAX_ITEM_ID_BYTES - 33)}~${digest.join("")}`;
}
