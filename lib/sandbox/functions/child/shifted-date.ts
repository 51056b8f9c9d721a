import type { ClockSettings } from "../../clock.ts";

/**
 * Makes `Date` tell sandbox time: `Date.now()`, `new Date()` and `Date()`. Timers, `performance.now()` and dates made of
 * a given time stay as they are.
 */
export function shiftDate({ startedAt, speed }: ClockSettings): void {
  const RealDate = globalThis.Date;
  const realNow = RealDate.now;
  const now = () => Math.floor(startedAt + (realNow() - startedAt) * speed);
  const ShiftedDate = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.now = now;
  RealDate.prototype.constructor = ShiftedDate;
  globalThis.Date = ShiftedDate;
}
