/** The longest `DelaySeconds` that SQS takes. */
export const MAX_DELAY_SECONDS = 900;

/** The longest delay that one send to SQS can carry, in milliseconds. */
export const MAX_DELAY_MS = MAX_DELAY_SECONDS * 1000;

/** The jitter modes by name; each makes a window of the backoff (see `jitter.ts`). */
export const JITTER_MODES = ["none", "full", "equal", "decorrelated", "proportional", "additive", "absolute"] as const;

export type JitterMode = (typeof JITTER_MODES)[number];

/** How a policy spreads its delays. `ratio` is 0 to 1; `spreadMs` is the ± of mode `absolute` at the base, in ms. */
export type Jitter =
  | { readonly mode: "none" | "full" | "equal" | "decorrelated" }
  | { readonly mode: "proportional" | "additive"; readonly ratio: number }
  | { readonly mode: "absolute"; readonly spreadMs: number };

/** When an item comes back, and when it does not come back any more. Durations are milliseconds. */
export interface RetryPolicy {
  /** Backoff after attempt 1. */
  readonly baseMs: number;
  /** Growth of the backoff from one attempt to the next, at least 1. */
  readonly factor: number;
  /** No delay is ever longer. */
  readonly capMs: number;
  /** No delay is ever shorter. */
  readonly minDelayMs: number;
  readonly jitter: Jitter;
  /** All attempts, the first delivery included. */
  readonly maxAttempts: number;
  /** No retry starts later than this after the first failure; absent: no limit. */
  readonly maxElapsedMs?: number;
}

/** The policy of a pipeline that sets nothing. */
export const DEFAULT_POLICY: RetryPolicy = {
  baseMs: 10_000,
  factor: 2,
  capMs: 900_000,
  minDelayMs: 1_000,
  jitter: { mode: "full" },
  maxAttempts: 10,
};
