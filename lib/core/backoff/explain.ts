import { backoffMs } from "./backoff.ts";
import { previousDelayMs } from "./decorrelated.ts";
import { drawFrom, seededDraw, wholeSeconds } from "./draw.ts";
import { type DelayWindow, jitterWindow, limitWindow } from "./jitter.ts";
import type { JitterMode, RetryPolicy } from "./policy.ts";

/** What a delay depends on besides the policy. */
export interface DelaySubject {
  readonly itemId: string;
  readonly generation: number;
  /** The attempt that failed, 1-based. */
  readonly attempt: number;
  /** The delay before this one, for mode `decorrelated`; absent: derived again from the seed. */
  readonly previousDelayMs?: number | undefined;
  /** The failure's Retry-After. What is not a finite number from 0 up counts as absent. */
  readonly retryAfterMs?: number | undefined;
}

/** Why an item waits as long as it does. Durations are milliseconds, but for `delaySeconds`. */
export interface DelayExplanation {
  readonly mode: JitterMode;
  readonly attempt: number;
  /** The backoff after this attempt; mode `decorrelated` makes its window of `previousMs` instead. */
  readonly nominalMs: number;
  /** The window that was drawn from: limits and hint are in it. */
  readonly window: DelayWindow;
  /** The seeded draw, in [0, 1). */
  readonly draw: number;
  readonly drawnMs: number;
  /** The drawn wait as SQS gets it. */
  readonly delaySeconds: number;
  /**
   * What holds the window: `cap`, its high end stands at the cap; else `minimum`, its low end was raised to the smallest
   * delay; else `none`.
   */
  readonly clamp: "none" | "minimum" | "cap";
  /** What the delay was computed by. */
  readonly rule: string;
  /** Present if the failure gave a usable Retry-After. `appliedMs` is what the cap left of it. */
  readonly hint?: { readonly retryAfterMs: number; readonly appliedMs: number };
  /** The delay before this one; mode `decorrelated` only. */
  readonly previousMs?: number;
}

/**
 * The delay after a failed attempt, with everything that led to it.
 *
 * A Retry-After hint moves the low end of the window up to itself, never down, and the high end to the hint plus the
 * window's width, so that hinted items spread as well; neither end passes the cap. The delay is never rounded to below
 * the hint.
 *
 * @throws RangeError when `attempt` is not a whole number from 1 to `Number.MAX_SAFE_INTEGER`.
 */
export function explain(policy: RetryPolicy, subject: DelaySubject): DelayExplanation {
  const { itemId, generation, attempt } = subject;
  const { mode } = policy.jitter;
  const drawAt = (n: number) => seededDraw(itemId, generation, n);
  const nominalMs = backoffMs(policy, attempt);
  const previousMs =
    mode === "decorrelated" ? previousDelayMs(policy, attempt, subject.previousDelayMs, drawAt) : undefined;
  const jittered = jitterWindow(policy, nominalMs, previousMs ?? policy.baseMs);
  const limited = limitWindow(policy, jittered);
  const hint = usableHint(policy, subject.retryAfterMs);
  const window = hint === undefined ? limited : moveUpTo(hint.appliedMs, limited, policy.capMs);
  const draw = drawAt(attempt);
  const drawnMs = drawFrom(window, draw);
  return {
    mode,
    attempt,
    nominalMs,
    window,
    draw,
    drawnMs,
    delaySeconds: wholeSeconds(policy, drawnMs, Math.max(policy.minDelayMs, hint?.appliedMs ?? 0)),
    clamp: clampOf(policy, jittered, window),
    rule: "policy",
    ...(hint !== undefined && { hint }),
    ...(previousMs !== undefined && { previousMs }),
  };
}

/**
 * The delay after attempt `attempt` of an item, in whole seconds; see {@link explain}.
 *
 * `previousMs` is the delay before this one, for mode `decorrelated`.
 */
export function delay(
  policy: RetryPolicy,
  itemKey: string,
  generation: number,
  attempt: number,
  previousMs?: number,
): number {
  return explain(policy, { itemId: itemKey, generation, attempt, previousDelayMs: previousMs }).delaySeconds;
}

function usableHint({ capMs }: RetryPolicy, retryAfterMs: number | undefined): DelayExplanation["hint"] {
  if (typeof retryAfterMs !== "number" || !Number.isFinite(retryAfterMs) || retryAfterMs < 0) return undefined;
  return { retryAfterMs, appliedMs: Math.min(retryAfterMs, capMs) };
}

function moveUpTo(hintMs: number, window: DelayWindow, capMs: number): DelayWindow {
  if (hintMs <= window.lowMs) return window;
  return { lowMs: hintMs, highMs: Math.min(capMs, hintMs + (window.highMs - window.lowMs)) };
}

function clampOf(policy: RetryPolicy, jittered: DelayWindow, window: DelayWindow): DelayExplanation["clamp"] {
  if (window.highMs === policy.capMs) return "cap";
  return jittered.lowMs < policy.minDelayMs && window.lowMs === policy.minDelayMs ? "minimum" : "none";
}
