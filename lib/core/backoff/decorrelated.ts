import { drawFrom, wholeSeconds } from "./draw.ts";
import { jitterWindow, limitWindow } from "./jitter.ts";
import type { RetryPolicy } from "./policy.ts";

/** How far back the delay before this one is derived again when nobody remembers it. */
const MAX_REDERIVED_ATTEMPTS = 64;

/**
 * The delay before the one after `attempt`, in milliseconds, for mode `decorrelated`: `known` if it is given, else the
 * one that the seed gave, else (before the first delay) the base. What is not finite, below the base or above the cap
 * counts as the base.
 *
 * The derivation starts from the base, at most 64 attempts back: for items with up to 65 attempts it finds the delay
 * that was sent, unless a hint moved one. `drawAt` is the seeded draw of the item's attempt n.
 */
export function previousDelayMs(
  policy: RetryPolicy,
  attempt: number,
  known: number | undefined,
  drawAt: (attempt: number) => number,
): number {
  if (known !== undefined) return inRange(policy, known);
  let previousMs = policy.baseMs;
  for (let back = Math.min(MAX_REDERIVED_ATTEMPTS, attempt - 1); back >= 1; back--) {
    const window = limitWindow(policy, jitterWindow(policy, policy.baseMs, previousMs));
    const drawnMs = drawFrom(window, drawAt(attempt - back));
    previousMs = inRange(policy, wholeSeconds(policy, drawnMs, policy.minDelayMs) * 1000);
  }
  return previousMs;
}

function inRange({ baseMs, capMs }: RetryPolicy, ms: number): number {
  return ms >= baseMs && ms <= capMs ? ms : baseMs;
}
