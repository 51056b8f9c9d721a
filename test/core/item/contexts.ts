import fc from "fast-check";
import { toItemId } from "../../../lib/core/item/item-id.ts";
import {
  EXHAUSTION_REASONS,
  type RetryContext,
  shortError,
  shortOriginal,
} from "../../../lib/core/item/retry-context.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 600, size: "max" }),
  fc.string({ unit: fc.constantFrom('"', "\\", "\t", "é", "😀", "a"), minLength: 1, maxLength: 600, size: "max" }),
);
const count = fc.integer({ min: 1, max: 1_000_000_000 });
const time = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const error = fc
  .record({ type: anyText, message: anyText }, { requiredKeys: ["message"] })
  .map((each) => shortError(each) ?? { message: "x" });
const note = fc.record(
  {
    reason: fc.constantFrom(...EXHAUSTION_REASONS),
    at: time,
    firstFailedAt: time,
    lastFailedAt: time,
    error,
    original: anyText.map(shortOriginal),
  },
  { requiredKeys: ["reason", "at"] },
);

/** Fields that no release knows yet. */
const unknownFields = fc
  .dictionary(
    fc.string({ minLength: 1 }).map((name) => `x${name}`),
    fc.jsonValue(),
    { minKeys: 1 },
  )
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>);

/** Any context that this code may come to write. */
export const anyContext: fc.Arbitrary<RetryContext> = fc.record(
  {
    itemId: anyText.map(toItemId),
    generation: count,
    attempt: count,
    dispatchId: fc.string({
      unit: fc.constantFrom(..."0123456789abcdefghijklmnopqrstuv"),
      minLength: 10,
      maxLength: 10,
    }),
    firstFailedAt: time,
    delayMs: time,
    kind: fc.constantFrom("failed", "succeeded"),
    error,
    retryable: fc.boolean(),
    retryAfterMs: time,
    deadlineAt: time,
    deadLetter: note,
    unknown: unknownFields,
  },
  { requiredKeys: ["itemId", "generation", "attempt"] },
);
