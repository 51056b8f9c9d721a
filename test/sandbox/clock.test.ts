import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startClock } from "../../lib/sandbox/clock.ts";

function setup(speed: number) {
  const real = { now: 1_700_000_000_000 };
  return { real, clock: startClock(speed, () => real.now) };
}

describe("the sandbox clock", () => {
  it("starts at real time", () => {
    expect(setup(60).clock.now()).toBe(1_700_000_000_000);
  });

  it("runs 'speed' times as fast from there", () => {
    const { real, clock } = setup(60);

    real.now += 1000;

    expect(clock.now()).toBe(1_700_000_000_000 + 60_000);
  });

  it("says how much sandbox time a real duration takes, and the other way round", () => {
    const { clock } = setup(60);

    expect(clock.realMs(1000)).toBe(60_000);
    expect(clock.toRealMs(60_000)).toBe(1000);
  });

  it("tells whole milliseconds at any speed", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 10_000, noNaN: true }), fc.nat(10 ** 9), (speed, passed) => {
        const { real, clock } = setup(speed);
        real.now += passed;
        expect(Number.isInteger(clock.now())).toBe(true);
        expect(clock.now()).toBeGreaterThanOrEqual(real.now);
      }),
    );
  });

  it.each([0, 0.5, -1, 10_001, Number.NaN])("refuses speed %d", (speed) => {
    expect(() => startClock(speed)).toThrow(`'speed' must be between 1 and 10000, got ${speed}`);
  });
});
