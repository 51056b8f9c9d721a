import { backoffMs } from "./backoff.ts";
import { decorrelatedMeans } from "./decorrelated-mean.ts";
import { durationText } from "./duration-text.ts";
import { type DelayWindow, jitterWindow, limitWindow } from "./jitter.ts";
import type { RetryPolicy } from "./policy.ts";

/** What a policy gives after one failed attempt. Durations are milliseconds. */
export interface ScheduleRow {
  /** The attempt that failed; after the last one of the budget there is no retry, so no row. */
  readonly attempt: number;
  readonly nominalMs: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly meanMs: number;
  /** Mean time spent waiting, from the first failure to the retry that follows this attempt. */
  readonly sumMs: number;
}

/**
 * The delays of a policy in order, one row for each attempt but the last, before rounding to whole seconds.
 *
 * The mean is the middle of the window. Mode `decorrelated` has no fixed windows: its rows show the widest one that can
 * occur, and the expectation over all items (see {@link decorrelatedMeans}). `maxElapsedMs` is not applied: where it
 * cuts depends on how long the attempts themselves take.
 */
export function schedule(policy: RetryPolicy): readonly ScheduleRow[] {
  const attempts = Array.from({ length: policy.maxAttempts - 1 }, (_, index) => index + 1);
  const windows = policy.jitter.mode === "decorrelated" ? widestWindows(policy) : attempts.map(windowOf);
  const means =
    policy.jitter.mode === "decorrelated"
      ? decorrelatedMeans(policy, attempts.length)
      : windows.map(({ lowMs, highMs }) => (lowMs + highMs) / 2);
  let sumMs = 0;
  return windows.map((window, index) => {
    const meanMs = means[index] ?? 0;
    sumMs += meanMs;
    return { attempt: index + 1, nominalMs: backoffMs(policy, index + 1), ...window, meanMs, sumMs };
  });

  function windowOf(attempt: number): DelayWindow {
    return limitWindow(policy, jitterWindow(policy, backoffMs(policy, attempt), policy.baseMs));
  }
}

function widestWindows(policy: RetryPolicy): readonly DelayWindow[] {
  const windows: DelayWindow[] = [];
  let previousMs = policy.baseMs;
  while (windows.length < policy.maxAttempts - 1) {
    const window = limitWindow(policy, jitterWindow(policy, policy.baseMs, previousMs));
    windows.push(window);
    previousMs = window.highMs;
  }
  return windows;
}

/** A schedule as a Markdown table, times in readable units. */
export function formatSchedule(rows: readonly ScheduleRow[]): string {
  const lines = rows.map(({ attempt, nominalMs, lowMs, highMs, meanMs, sumMs }) => [
    String(attempt),
    durationText(nominalMs),
    lowMs === highMs ? durationText(lowMs) : `${durationText(lowMs)} … ${durationText(highMs)}`,
    durationText(meanMs),
    durationText(sumMs),
  ]);
  return [
    ["after attempt", "backoff", "window", "mean", "sum of means"],
    ["---:", "---:", "---:", "---:", "---:"],
    ...lines,
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
