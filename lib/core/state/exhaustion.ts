import type { RetryPolicy } from "../backoff/policy.ts";
import type { FailureReport } from "../item/failure-report.ts";
import type { ExhaustionReason } from "../item/retry-context.ts";

/** A failed attempt, and the retry that would follow it. Times in epoch ms, durations in ms. */
export interface FailedAttempt {
  readonly attempts: number;
  readonly firstFailedAt: number;
  readonly delayMs: number;
  readonly now: number;
}

/**
 * Why no retry may follow, or undefined where one may. Time limits are checked predictively: a retry that could only
 * start after the limit is not sent. A first failure in the future (clocks differ) counts as no time gone.
 */
export function exhaustionReason(
  policy: RetryPolicy,
  report: Pick<FailureReport, "retryable" | "deadlineAt">,
  { attempts, firstFailedAt, delayMs, now }: FailedAttempt,
): ExhaustionReason | undefined {
  if (report.retryable === false) return "not-retryable";
  if (attempts >= policy.maxAttempts) return "attempts";
  const elapsedAtRetryMs = Math.max(0, now - firstFailedAt) + delayMs;
  if (policy.maxElapsedMs !== undefined && elapsedAtRetryMs > policy.maxElapsedMs) return "elapsed";
  if (report.deadlineAt !== undefined && now + delayMs > report.deadlineAt) return "deadline";
  return undefined;
}
