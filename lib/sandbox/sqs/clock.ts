/** The engine's only sense of time. */
export interface EngineClock {
  /** Now, in epoch milliseconds; may run faster than real time. */
  now(): number;
  /** A duration of real time (visibility timeout, long poll), in milliseconds, expressed in clock milliseconds. */
  realMs(ms: number): number;
}

/** The machine's own clock: clock time is real time. */
export const systemClock: EngineClock = { now: () => Date.now(), realMs: (ms) => ms };
