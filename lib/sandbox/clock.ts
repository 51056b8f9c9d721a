import type { EngineClock } from "./sqs/index.ts";

/** Where a sandbox's time started and how fast it runs; all that another process needs to tell the same time. */
export interface ClockSettings {
  /** Epoch milliseconds at which sandbox time and real time were the same. */
  readonly startedAt: number;
  /** Sandbox seconds in one real second. */
  readonly speed: number;
}

/** A clock that starts at real time and runs `speed` times as fast. */
export interface SandboxClock extends EngineClock {
  readonly settings: ClockSettings;
  /** Real milliseconds in which so many milliseconds of sandbox time pass. */
  toRealMs(sandboxMs: number): number;
}

/** Slowest and fastest that sandbox time may run: at the fastest, a minute of an alarm is 6 real milliseconds. */
const SPEEDS = { least: 1, most: 10_000 } as const;

/**
 * Starts a sandbox clock.
 *
 * @param speed sandbox seconds in one real second, 1 to 10,000
 * @param realNow the real time, in epoch milliseconds
 * @throws RangeError when the speed is out of range
 */
export function startClock(speed = 1, realNow: () => number = Date.now): SandboxClock {
  if (!(speed >= SPEEDS.least && speed <= SPEEDS.most)) {
    throw new RangeError(`'speed' must be between ${SPEEDS.least} and ${SPEEDS.most}, got ${speed}`);
  }
  const startedAt = realNow();
  return {
    settings: { startedAt, speed },
    now: () => Math.floor(startedAt + (realNow() - startedAt) * speed),
    realMs: (ms) => ms * speed,
    toRealMs: (sandboxMs) => sandboxMs / speed,
  };
}
