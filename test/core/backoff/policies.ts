import fc from "fast-check";
import {
  DEFAULT_POLICY,
  JITTER_MODES,
  type Jitter,
  type JitterMode,
  type RetryPolicy,
} from "../../../lib/core/backoff/policy.ts";

/** The default policy with some of it replaced. */
export function aPolicy(changes: Partial<RetryPolicy> = {}): RetryPolicy {
  return { ...DEFAULT_POLICY, ...changes };
}

/** A jitter of the given mode, with a parameter where the mode needs one. */
function aJitter(mode: JitterMode, { ratio = 0.25, spreadMs = 2_000 } = {}): Jitter {
  if (mode === "proportional" || mode === "additive") return { mode, ratio };
  return mode === "absolute" ? { mode, spreadMs } : { mode };
}

/** The default policy in each of the seven modes. */
export const EVERY_MODE = JITTER_MODES.map((mode) => ({ mode, policy: aPolicy({ jitter: aJitter(mode) }) }));

const MAX_CAP_MS = 14 * 86_400_000;

/** Any policy that `parsePolicy` accepts. */
export const anyPolicy: fc.Arbitrary<RetryPolicy> = fc
  .record({
    capMs: fc.oneof(fc.integer({ min: 1, max: MAX_CAP_MS }), fc.integer({ min: 1, max: 900_000 })),
    base: fc.double({ min: 0, max: 1, noNaN: true }),
    least: fc.double({ min: 0, max: 1, noNaN: true }),
    factor: fc.oneof(fc.constantFrom(1, 2, 100, 1000), fc.double({ min: 1, max: 1000, noNaN: true })),
    mode: fc.constantFrom(...JITTER_MODES),
    ratio: fc.double({ min: 0, max: 1, noNaN: true }),
    spread: fc.double({ min: 0, max: 1, noNaN: true }),
    maxAttempts: fc.integer({ min: 1, max: 1000 }),
    maxElapsedMs: fc.option(fc.integer({ min: 1, max: 365 * 86_400_000 }), { nil: undefined }),
  })
  .map(({ capMs, base, least, factor, mode, ratio, spread, maxAttempts, maxElapsedMs }) => {
    const baseMs = Math.max(1, Math.round(base * capMs));
    const jitter = aJitter(mode, { ratio, spreadMs: Math.round(spread * baseMs) });
    // A whole second must lie between the two limits.
    const minDelayMs = Math.round(least * Math.floor(capMs / 1000) * 1000);
    const limits = { baseMs, factor, capMs, minDelayMs, maxAttempts };
    return maxElapsedMs === undefined ? { ...limits, jitter } : { ...limits, jitter, maxElapsedMs };
  });

/** Attempt numbers around every place where some implementation overflowed. */
export const EXTREME_ATTEMPTS = [
  1,
  2,
  10,
  11,
  31,
  32,
  53,
  63,
  64,
  65,
  66,
  1023,
  1024,
  1025,
  5_000,
  5_000_000,
  Number.MAX_SAFE_INTEGER,
] as const;

export const anyAttempt = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  fc.constantFrom(...EXTREME_ATTEMPTS),
);
