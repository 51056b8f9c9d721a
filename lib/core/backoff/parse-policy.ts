import { parseJitter } from "./parse-jitter.ts";
import { DEFAULT_POLICY, type RetryPolicy } from "./policy.ts";
import { type FieldReader, hasFields, readFields } from "./read-fields.ts";
import { type Violation, violation } from "./violation.ts";

const DAY_MS = 86_400_000;

/** The longest cap that any pipeline may have: 14 days, SQS's longest retention. */
const LONGEST_CAP_MS = 14 * DAY_MS;

/** The longest `maxElapsedMs`; what is above it is a mistake of unit. */
const LONGEST_ELAPSED_MS = 365 * DAY_MS;

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: RetryPolicy }
  | { readonly ok: false; readonly violations: readonly Violation[] };

const FIELDS = ["baseMs", "factor", "capMs", "minDelayMs", "jitter", "maxAttempts", "maxElapsedMs"];

/**
 * Makes a policy of what a user gave, or says all that is wrong with it at once. Fields that are absent (or undefined)
 * take the default policy's value, `maxElapsedMs` stays absent; fields that do not exist are violations.
 *
 * `maxCapMs` is the longest delay that the pipeline can carry out, 14 days unless given.
 */
export function parsePolicy(input: unknown, { maxCapMs = LONGEST_CAP_MS }: { maxCapMs?: number } = {}): ParsedPolicy {
  if (!hasFields(input)) {
    return { ok: false, violations: [violation("policy", input, `an object with ${FIELDS.join(", ")}`)] };
  }
  const fields = readFields(input);
  const number = (name: Exclude<keyof RetryPolicy, "jitter" | "maxElapsedMs">, least: number, most: number) =>
    fields.number(name, { least, most, whole: name !== "factor" }, DEFAULT_POLICY[name]);
  const limits = {
    baseMs: number("baseMs", 1, maxCapMs),
    factor: number("factor", 1, 1000),
    capMs: number("capMs", 1, maxCapMs),
    minDelayMs: number("minDelayMs", 0, maxCapMs),
    maxAttempts: number("maxAttempts", 1, 1000),
  };
  const elapsedRange = { least: 1, most: LONGEST_ELAPSED_MS, whole: true };
  const maxElapsedMs = fields.number("maxElapsedMs", elapsedRange, Number.POSITIVE_INFINITY);
  const { jitter, violations: jitterViolations } = parseJitter(fields.get("jitter"), limits.baseMs);
  refuseAboveCap(fields, limits);
  fields.refuseOthers(FIELDS);

  const violations = [...fields.violations, ...jitterViolations];
  if (violations.length > 0) return { ok: false, violations };
  return { ok: true, policy: { ...limits, jitter, ...(Number.isFinite(maxElapsedMs) && { maxElapsedMs }) } };
}

function refuseAboveCap(
  fields: FieldReader,
  { baseMs, capMs, minDelayMs }: Pick<RetryPolicy, "baseMs" | "capMs" | "minDelayMs">,
): void {
  if (baseMs > capMs) fields.refuse("baseMs", `a whole number between 1 and ${capMs} (the cap)`, baseMs);
  if (minDelayMs > capMs) {
    fields.refuse("minDelayMs", `a whole number between 0 and ${capMs} (the cap)`, minDelayMs);
  } else if (Math.ceil(minDelayMs / 1000) > Math.floor(capMs / 1000)) {
    // SQS delays are whole seconds: without one between the two limits, only one of the limits could be kept.
    const mostMs = Math.floor(capMs / 1000) * 1000;
    fields.refuse("minDelayMs", `a whole number between 0 and ${mostMs} (the whole seconds of the cap)`, minDelayMs);
  }
}
