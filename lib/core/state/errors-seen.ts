import type { ItemError } from "../item/retry-context.ts";
import { byteLength, cut, legalise } from "../item/sqs-text.ts";
import type { SeenError } from "./item-state.ts";

/** Room for one error's texts, and for all of them together, in bytes: a row has to stay below 1,000. */
const TYPE_BYTES = 40;
const MESSAGE_BYTES = 60;
const ALL_BYTES = 200;

const KEYS = "abcdefghijklmnopqrstuvwxyz";

/** What an error looks like where nothing is said about it. */
const UNSPECIFIED = "unspecified";

/**
 * The errors with one more occurrence, and the key that a history entry names it by. Equal short texts are one error.
 * Where room runs out, the error longest not seen is forgotten, never the newest.
 */
export function countError(
  seen: readonly SeenError[],
  error: ItemError | undefined,
): { readonly errors: readonly SeenError[]; readonly key?: string } {
  if (!error) return { errors: seen };
  const type = cut(oneLine(error.type ?? UNSPECIFIED), TYPE_BYTES);
  const message = cut(oneLine(error.message ?? ""), MESSAGE_BYTES);
  const known = seen.find((each) => each.type === type && each.message === message);
  const key = known?.key ?? freeKey(seen);
  const newest: SeenError = { key, type, message, count: (known?.count ?? 0) + 1 };
  return { errors: withinRoom([...seen.filter((each) => each !== known), newest]), key };
}

function withinRoom(errors: readonly SeenError[]): readonly SeenError[] {
  const bytes = errors.reduce((sum, { type, message }) => sum + byteLength(type) + byteLength(message) + 12, 0);
  return bytes > ALL_BYTES && errors.length > 1 ? withinRoom(errors.slice(1)) : errors;
}

function freeKey(seen: readonly SeenError[]): string {
  const last = seen.at(-1);
  const next = last ? (KEYS.indexOf(last.key) + 1) % KEYS.length : 0;
  for (let step = 0; step < KEYS.length; step++) {
    const key = KEYS.charAt((next + step) % KEYS.length);
    if (!seen.some((each) => each.key === key)) return key;
  }
  return KEYS.charAt(next);
}

/** Rows are read by people in tables, and the bar separates an error's fields there. */
function oneLine(text: string): string {
  return legalise(text)
    .replace(/[\s|]+/g, " ")
    .trim();
}
