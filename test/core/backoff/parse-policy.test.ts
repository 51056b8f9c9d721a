import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_JITTER_RATIO } from "../../../lib/core/backoff/parse-jitter.ts";
import { parsePolicy } from "../../../lib/core/backoff/parse-policy.ts";
import { DEFAULT_POLICY, MAX_DELAY_MS, type RetryPolicy } from "../../../lib/core/backoff/policy.ts";
import { anyPolicy } from "./policies.ts";

/** The sentences about a policy; none for one that is accepted. */
function complaints(input: unknown, limits?: { maxCapMs?: number }): readonly string[] {
  const parsed = parsePolicy(input, limits);
  return parsed.ok ? [] : parsed.violations.map(({ message }) => message);
}

function accepted(input: unknown): RetryPolicy | undefined {
  const parsed = parsePolicy(input);
  return parsed.ok ? parsed.policy : undefined;
}

describe("a policy that is given", () => {
  it("is taken as it is, if it is valid", () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(parsePolicy(policy)).toEqual({ ok: true, policy });
      }),
    );
  });

  it("takes the default for everything that is absent or undefined", () => {
    expect(accepted({})).toEqual(DEFAULT_POLICY);
    expect(accepted({ baseMs: undefined, jitter: undefined, maxElapsedMs: undefined })).toEqual(DEFAULT_POLICY);
    expect(accepted({ maxAttempts: 3 })).toEqual({ ...DEFAULT_POLICY, maxAttempts: 3 });
  });

  it.each([
    { field: "baseMs", least: 1, most: 900_000 },
    { field: "factor", least: 1, most: 1000 },
    { field: "capMs", least: 10_000, most: 1_209_600_000 },
    { field: "minDelayMs", least: 0, most: 900_000 },
    { field: "maxAttempts", least: 1, most: 1000 },
    { field: "maxElapsedMs", least: 1, most: 31_536_000_000 },
  ])("may have a $field from $least to $most", ({ field, least, most }) => {
    expect(complaints({ [field]: least })).toEqual([]);
    expect(complaints({ [field]: most })).toEqual([]);
    expect(complaints({ [field]: least - 1 })).toHaveLength(1);
    expect(complaints({ [field]: most + 1 })).toHaveLength(1);
  });

  it.each([
    { field: "baseMs", allowed: "a whole number between 1 and 1209600000" },
    { field: "factor", allowed: "a number between 1 and 1000" },
    { field: "capMs", allowed: "a whole number between 1 and 1209600000" },
    { field: "minDelayMs", allowed: "a whole number between 0 and 1209600000" },
    { field: "maxAttempts", allowed: "a whole number between 1 and 1000" },
    { field: "maxElapsedMs", allowed: "a whole number between 1 and 31536000000" },
  ])("is refused if $field is no number in its range, with name, value and range", ({ field, allowed }) => {
    for (const value of ["5", "", null, true, Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      expect(parsePolicy({ [field]: value })).toEqual({
        ok: false,
        violations: [expect.objectContaining({ name: field, value, allowed })],
      });
    }
    expect(complaints({ [field]: "abc" })).toEqual([`'${field}' must be ${allowed}, got "abc"`]);
  });

  it.each(["baseMs", "capMs", "minDelayMs", "maxAttempts", "maxElapsedMs"])(
    "is refused if %s has a fraction",
    (field) => {
      expect(complaints({ baseMs: 1, minDelayMs: 0, [field]: 3.5 })).toEqual([expect.stringContaining("got 3.5")]);
    },
  );

  it("may have a factor with a fraction", () => {
    expect(accepted({ factor: 1.5 })?.factor).toBe(1.5);
  });

  it("comes out without a negative zero", () => {
    expect(Object.is(accepted({ minDelayMs: -0 })?.minDelayMs, 0)).toBe(true);
  });

  it("is told all that is wrong with it at once", () => {
    const input = {
      baseMs: 0,
      factor: 0.5,
      capMs: "x",
      minDelayMs: -5,
      jitter: { mode: "Full" },
      maxAttempts: 0,
      max: 1,
    };

    expect(complaints(input)).toEqual([
      "'baseMs' must be a whole number between 1 and 1209600000, got 0",
      "'factor' must be a number between 1 and 1000, got 0.5",
      `'capMs' must be a whole number between 1 and 1209600000, got "x"`,
      "'minDelayMs' must be a whole number between 0 and 1209600000, got -5",
      "'maxAttempts' must be a whole number between 1 and 1000, got 0",
      "'max' must be left out (known are baseMs, factor, capMs, minDelayMs, jitter, maxAttempts, maxElapsedMs), got 1",
      `'jitter.mode' must be one of none, full, equal, decorrelated, proportional, additive, absolute, got "Full"`,
    ]);
  });

  it("may have no longer cap than the pipeline can carry out", () => {
    expect(complaints({ capMs: 900_000 }, { maxCapMs: MAX_DELAY_MS })).toEqual([]);
    expect(complaints({ capMs: 900_001 }, { maxCapMs: MAX_DELAY_MS })).toEqual([
      "'capMs' must be a whole number between 1 and 900000, got 900001",
    ]);
  });

  it("may have neither base nor smallest delay above the cap", () => {
    expect(complaints({ baseMs: 60_000, capMs: 30_000, minDelayMs: 40_000 })).toEqual([
      "'baseMs' must be a whole number between 1 and 30000 (the cap), got 60000",
      "'minDelayMs' must be a whole number between 0 and 30000 (the cap), got 40000",
    ]);
  });

  it("is told where a default is what contradicts it", () => {
    expect(complaints({ capMs: 5_000 })).toEqual([
      "'baseMs' must be a whole number between 1 and 5000 (the cap), got 10000, the default",
    ]);
  });

  it("must leave room for a whole second between smallest delay and cap", () => {
    expect(complaints({ baseMs: 500, minDelayMs: 1_200, capMs: 1_900 })).toEqual([
      "'minDelayMs' must be a whole number between 0 and 1000 (the whole seconds of the cap), got 1200",
    ]);
    expect(complaints({ baseMs: 500, minDelayMs: 1_200, capMs: 2_000 })).toEqual([]);
    expect(complaints({ baseMs: 5, minDelayMs: 0, capMs: 5 })).toEqual([]);
  });

  it("FC-04: a base with a fraction, as of seconds where the unit is milliseconds, is refused with its name", () => {
    expect(complaints({ baseMs: 0.4 })).toEqual(["'baseMs' must be a whole number between 1 and 1209600000, got 0.4"]);
  });

  it.each([
    { input: undefined, got: "nothing" },
    { input: null, got: "null" },
    { input: 5, got: "5" },
    { input: "full", got: '"full"' },
    { input: [1], got: "a list" },
  ])("must be an object, not $got", ({ input, got }) => {
    expect(complaints(input)).toEqual([
      `'policy' must be an object with baseMs, factor, capMs, minDelayMs, jitter, maxAttempts, maxElapsedMs, got ${got}`,
    ]);
  });

  it("never makes a policy that breaks its own ranges, whatever it is made of", () => {
    const anyField = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constant(undefined), fc.constant({}));
    const anyInput = fc.record(
      { baseMs: anyField, factor: anyField, capMs: anyField, minDelayMs: anyField, maxAttempts: anyField },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), anyInput), (input) => {
        const parsed = parsePolicy(input);
        if (parsed.ok) {
          expect(parsePolicy(parsed.policy)).toEqual(parsed);
        } else {
          expect(parsed.violations.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("is quoted short in a complaint, however long it is", () => {
    expect(complaints({ baseMs: "9".repeat(10_000) })[0]?.length).toBeLessThan(250);
  });
});

describe("the jitter of a policy that is given", () => {
  it("takes the default for a parameter that its mode needs", () => {
    expect(accepted({ jitter: { mode: "proportional" } })?.jitter).toEqual({
      mode: "proportional",
      ratio: DEFAULT_JITTER_RATIO,
    });
    expect(accepted({ jitter: { mode: "absolute" } })?.jitter).toEqual({ mode: "absolute", spreadMs: 2_500 });
  });

  it.each(["proportional", "additive"])("may have a ratio from 0 to 1 in mode %s", (mode) => {
    expect(accepted({ jitter: { mode, ratio: 0 } })?.jitter).toEqual({ mode, ratio: 0 });
    expect(accepted({ jitter: { mode, ratio: 1 } })?.jitter).toEqual({ mode, ratio: 1 });
    for (const ratio of [-0.1, 1.1, Number.NaN, "0.5"]) {
      expect(complaints({ jitter: { mode, ratio } })).toEqual([
        expect.stringContaining("'jitter.ratio' must be a number between 0 and 1"),
      ]);
    }
  });

  it("may have an absolute spread up to the base", () => {
    expect(complaints({ baseMs: 2_000, jitter: { mode: "absolute", spreadMs: 2_000 } })).toEqual([]);
    expect(complaints({ baseMs: 2_000, jitter: { mode: "absolute", spreadMs: 2_001 } })).toEqual([
      "'jitter.spreadMs' must be a whole number between 0 and 2000, got 2001",
    ]);
  });

  it.each(["none", "full", "equal", "decorrelated", "absolute"])("must not have a ratio in mode %s", (mode) => {
    expect(complaints({ jitter: { mode, ratio: 0.5 } })).toEqual([
      `'jitter.ratio' must be left out in mode ${mode} (it belongs to proportional and additive), got 0.5`,
    ]);
  });

  it.each(["none", "full", "equal", "decorrelated", "proportional", "additive"])(
    "must not have a spread in mode %s",
    (mode) => {
      expect(complaints({ jitter: { mode, spreadMs: 5 } })).toEqual([
        `'jitter.spreadMs' must be left out in mode ${mode} (it belongs to absolute), got 5`,
      ]);
    },
  );

  it("is told all that is wrong with it at once, its base being wrong as well", () => {
    expect(complaints({ baseMs: -1, jitter: { mode: "ful", ratio: 7, spreadMs: -3, spread: 1 } })).toEqual([
      "'baseMs' must be a whole number between 1 and 1209600000, got -1",
      `'jitter.mode' must be one of none, full, equal, decorrelated, proportional, additive, absolute, got "ful"`,
      "'jitter.ratio' must be a number between 0 and 1, got 7",
      "'jitter.spreadMs' must be a whole number between 0 and 9007199254740991, got -3",
      "'jitter.spread' must be left out (known are mode, ratio, spreadMs), got 1",
    ]);
  });

  it.each(["full", 1, null, []])("must be an object, not %j", (jitter) => {
    expect(complaints({ jitter })).toEqual([expect.stringContaining("'jitter' must be an object with a mode")]);
  });
});
