import { type NumberRange, numberViolation, type Violation, violation } from "./violation.ts";

/** Reads the fields of an untrusted object one by one and keeps what is wrong with them. */
export interface FieldReader {
  readonly violations: readonly Violation[];
  /** The field; undefined if it is absent. */
  get(name: string): unknown;
  /** The field, or `fallback` if it is absent. A wrong one gives NaN, of which no later comparison is true. */
  number(name: string, range: NumberRange, fallback: number): number;
  /** Notes that a field is wrong; `value` is what it came to, where the default stands in for an absent one. */
  refuse(name: string, allowed: string, value?: unknown): void;
  /** Notes every field that is present and not among the known ones. */
  refuseOthers(known: readonly string[]): void;
}

/** `path` stands before the names in violations. */
export function readFields(input: object, path = ""): FieldReader {
  const fields = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
  const violations: Violation[] = [];
  const refuse = (name: string, allowed: string, value = fields.get(name)) => {
    violations.push(violation(path + name, value, allowed, !fields.has(name)));
  };
  return {
    violations,
    refuse,
    get: (name) => fields.get(name),
    number(name, range, fallback) {
      if (!fields.has(name)) return fallback;
      const value = fields.get(name);
      const wrong = numberViolation(path + name, value, range);
      if (wrong === undefined) return Number(value) + 0; // −0 becomes 0
      violations.push(wrong);
      return Number.NaN;
    },
    refuseOthers(known) {
      for (const name of fields.keys()) {
        if (!known.includes(name)) refuse(name, `left out (known are ${known.join(", ")})`);
      }
    },
  };
}

/** Whether a value can be read field by field. */
export function hasFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
