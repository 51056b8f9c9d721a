import { invalidParameter, missingParameter } from "../errors.ts";
import type { Range } from "./values.ts";

/** A request as it came: nothing in it is trusted to have the type that the service model gives it. */
export type Input = Readonly<Record<string, unknown>>;

/** Whether `value` is an object with fields (not an array, not bytes). */
export function isRecord(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** A text that must be there. @throws SqsError MissingParameter, InvalidParameterValue */
export function requiredText(input: Input, name: string): string {
  const text = optionalText(input, name);
  if (text === undefined || text === "") throw missingParameter(name);
  return text;
}

/** A text or undefined. @throws SqsError InvalidParameterValue when it is something else */
export function optionalText(input: Input, name: string): string | undefined {
  const value = input[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalidParameter(name, value, "Must be a string.");
}

/** A whole number inside `range`, or undefined. Text such as "NaN" is refused like a fraction. */
export function optionalInteger(input: Input, name: string, range: Range): number | undefined {
  const value = input[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < range.min || value > range.max) {
    throw invalidParameter(name, value, `Must be an integer from ${range.min} to ${range.max}.`);
  }
  return value;
}

/** A list of texts; absent means empty. */
export function textList(input: Input, name: string): readonly string[] {
  const value = input[name] ?? [];
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value;
  throw invalidParameter(name, value, "Must be a list of strings.");
}

/** A map of texts; absent means empty. */
export function textMap(input: Input, name: string): ReadonlyMap<string, string> {
  const value = input[name] ?? {};
  if (!isRecord(value)) throw invalidParameter(name, value, "Must be a map of strings.");
  const map = new Map<string, string>();
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== "string") throw invalidParameter(`${name}.${key}`, entry, "Must be a string.");
    map.set(key, entry);
  }
  return map;
}
