import type { RetryPolicy } from "./policy.ts";

/**
 * The nominal wait after attempt `attempt` (1-based): `min(cap, base × factor^(attempt − 1))`, in milliseconds.
 *
 * Whether the power reaches the cap is decided on logarithms, before it is computed: so it never overflows, and there
 * is no largest attempt number.
 *
 * @throws RangeError when `attempt` is not a whole number from 1 to `Number.MAX_SAFE_INTEGER`.
 */
export function backoffMs(policy: Pick<RetryPolicy, "baseMs" | "factor" | "capMs">, attempt: number): number {
  if (!Number.isSafeInteger(attempt) || attempt < 1) {
    throw new RangeError(`'attempt' must be a whole number between 1 and ${Number.MAX_SAFE_INTEGER}, got ${attempt}`);
  }
  const { baseMs, factor, capMs } = policy;
  const growths = attempt - 1;
  if (growths * Math.log(factor) >= Math.log(capMs / baseMs)) return capMs;
  return Math.min(capMs, baseMs * factor ** growths);
}
