/** One setting that is wrong, with all that a message about it needs. */
export interface Violation {
  readonly name: string;
  /** The value got; undefined if there was none. */
  readonly value: unknown;
  /** What the setting must be, in words that follow "must be". */
  readonly allowed: string;
  /** The whole sentence, for example `'capMs' must be a whole number between 1 and 900000, got 1200000`. */
  readonly message: string;
}

/** Numbers that a setting may have, both ends included. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** Whether fractions are refused. */
  readonly whole: boolean;
}

/** A violation with its sentence; `isDefault` says that the value was not given but is the default. */
export function violation(name: string, value: unknown, allowed: string, isDefault = false): Violation {
  const got = isDefault && value !== undefined ? `${valueText(value)}, the default` : valueText(value);
  return { name, value, allowed, message: `'${name}' must be ${allowed}, got ${got}` };
}

/** What is wrong with a number; undefined if nothing is. */
export function numberViolation(name: string, value: unknown, range: NumberRange): Violation | undefined {
  const { least, most, whole } = range;
  const fits = whole ? Number.isInteger(value) : Number.isFinite(value);
  if (typeof value === "number" && fits && value >= least && value <= most) return undefined;
  return violation(name, value, `a ${whole ? "whole " : ""}number between ${least} and ${most}`);
}

/** Long enough to recognise a value, short enough for a log line. */
const MAX_TEXT = 100;

function valueText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") {
    return JSON.stringify(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
  }
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
