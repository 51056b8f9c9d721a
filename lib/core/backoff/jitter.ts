import type { RetryPolicy } from "./policy.ts";

/** The range that a delay is drawn from, in milliseconds. */
export interface DelayWindow {
  readonly lowMs: number;
  readonly highMs: number;
}

/**
 * The window that the policy's jitter mode makes, before any limit is put on it.
 *
 * `nominalMs` is the backoff after this attempt; `previousMs`, the delay before this one, counts for mode
 * `decorrelated` alone. `full`, `equal` and `decorrelated` are those of the AWS Architecture Blog ("Exponential Backoff
 * And Jitter"), `proportional` is that of Google's Dart package `retry`, `absolute` that of Spring Framework 7.
 */
export function jitterWindow(
  { jitter, baseMs }: Pick<RetryPolicy, "jitter" | "baseMs">,
  nominalMs: number,
  previousMs: number,
): DelayWindow {
  switch (jitter.mode) {
    case "none":
      return { lowMs: nominalMs, highMs: nominalMs };
    case "full":
      return { lowMs: 0, highMs: nominalMs };
    case "equal":
      return { lowMs: nominalMs / 2, highMs: nominalMs };
    case "decorrelated":
      return { lowMs: baseMs, highMs: Math.max(baseMs, 3 * previousMs) };
    case "proportional":
      return { lowMs: nominalMs * (1 - jitter.ratio), highMs: nominalMs * (1 + jitter.ratio) };
    case "additive":
      return { lowMs: nominalMs, highMs: nominalMs * (1 + jitter.ratio) };
    case "absolute": {
      const spreadMs = jitter.spreadMs * (nominalMs / baseMs);
      return { lowMs: Math.max(baseMs, nominalMs - spreadMs), highMs: nominalMs + spreadMs };
    }
  }
}

/**
 * Brings both ends of a window between the policy's smallest delay and its cap; where these contradict, the cap wins.
 *
 * This comes before the draw. A limit on the drawn value instead would pile up items on the limit.
 */
export function limitWindow(
  { minDelayMs, capMs }: Pick<RetryPolicy, "minDelayMs" | "capMs">,
  { lowMs, highMs }: DelayWindow,
): DelayWindow {
  const limit = (ms: number) => Math.min(capMs, Math.max(minDelayMs, ms));
  return { lowMs: limit(lowMs), highMs: limit(highMs) };
}
