import { unitInterval } from "../hash.ts";
import type { DelayWindow } from "./jitter.ts";
import type { RetryPolicy } from "./policy.ts";

/**
 * The seeded draw in [0, 1) for the delay after one attempt: the same for a repeated report, another for every item.
 *
 * It is `unitInterval("<generation>/<attempt>/<itemId>")`, numbers in decimal digits. The id comes last, because it may
 * hold any character: so no two subjects share a text. The format must never change: a delay that was announced could
 * not be explained any more, and a repeat across a deployment would draw another one.
 */
export function seededDraw(itemId: string, generation: number, attempt: number): number {
  return unitInterval(`${generation}/${attempt}/${itemId}`);
}

/** The point of the window that the draw (0 to 1) stands for, in milliseconds. */
export function drawFrom({ lowMs, highMs }: DelayWindow, draw: number): number {
  return lowMs + draw * (highMs - lowMs);
}

/**
 * A drawn wait as `DelaySeconds`: rounded to the nearest second (halves go up), then brought between `leastMs` rounded
 * up and the cap rounded down; where these contradict, the cap wins.
 *
 * Rounding to nearest keeps the mean of a window that begins and ends on whole seconds exactly, and moves any other by
 * less than half a second. With `minDelayMs` of 1 or more no delay becomes 0; `minDelayMs: 0` permits it.
 */
export function wholeSeconds({ capMs }: Pick<RetryPolicy, "capMs">, drawnMs: number, leastMs: number): number {
  return Math.min(Math.floor(capMs / 1000), Math.max(Math.ceil(leastMs / 1000), Math.round(drawnMs / 1000)));
}
