import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXHAUSTION_REASONS } from "../../../lib/core/item/retry-context.ts";
import { decodeError, decodeHistory, encodeError, encodeHistory } from "../../../lib/core/state/compact-history.ts";
import type { HistoryEntry, Outcome } from "../../../lib/core/state/item-state.ts";
import { anEntry, NOW } from "../factories.ts";

const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const name = fc.string({ unit: fc.constantFrom(..."0123456789abcdefghijklmnopqrstuv"), minLength: 10, maxLength: 10 });
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>({ kind: "retry" }, { kind: "succeeded" }),
  fc.record({
    kind: fc.constant("exhaust" as const),
    reason: fc.constantFrom(...EXHAUSTION_REASONS),
    sent: fc.boolean(),
  }),
);
const detail = fc
  .record(
    { at: fc.nat({ max: Number.MAX_SAFE_INTEGER }), seconds: fc.nat({ max: 900 }), error: fc.constantFrom("a", "z") },
    { requiredKeys: ["at", "seconds"] },
  )
  .map(({ seconds, ...rest }) => ({ ...rest, delayMs: seconds * 1_000 }));
const entry: fc.Arbitrary<HistoryEntry> = fc.record(
  { generation: count, attempt: fc.nat(), dispatchId: name, reportId: name, outcome, detail },
  { requiredKeys: ["generation", "attempt", "dispatchId", "reportId", "outcome"] },
);

describe("a history in a row", () => {
  it("is one short word an entry", () => {
    const { detail: _, ...folded } = anEntry();
    const exhausted = anEntry({
      attempt: 10,
      outcome: { kind: "exhaust", reason: "not-retryable", sent: true },
      detail: { at: NOW, delayMs: 0, error: "c" },
    });

    expect(encodeHistory([folded, anEntry(), exhausted])).toBe(
      "1.1.r.original00.report0000 1.1.r.original00.report0000.mx2i4g00.5. 1.10.dn.original00.report0000.mx2i4g00.0.c",
    );
    expect(encodeHistory([])).toBe("");
  });

  it("reads back as it was written", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 64 }), (history) => {
        expect(decodeHistory(encodeHistory(history))).toEqual(history);
      }),
    );
  });

  it.each([
    " ",
    "1.1.r.d",
    "1.1.q.d.r",
    "1.1.x.d.r",
    "1.1.xz.d.r",
    "1.1.ra.d.r",
    "1.1.r.d.r.mx2",
    "1.1.r.d.r.mx2.5.ab",
    "x.1.r.d.r",
    "1.1.r.d.r  1.2.r.d.r",
    "1.1.r.a b.r",
  ])("'%s' is none, and is quoted", (line) => {
    expect(() => decodeHistory(line)).toThrow(SyntaxError);
  });

  it("has one code for each reason, and they never change: rows are older than releases", () => {
    const codes = EXHAUSTION_REASONS.map((reason) =>
      encodeHistory([anEntry({ outcome: { kind: "exhaust", reason, sent: false } })])
        .split(".")
        .at(2),
    );

    expect(codes).toEqual(["xa", "xe", "xd", "xn", "xu", "xb"]);
  });
});

describe("an error in a row", () => {
  it("is key, count, type and message between bars", () => {
    const error = { key: "b", count: 3, type: "Timeout", message: "no answer, twice" };

    expect(encodeError(error)).toBe("b|3|Timeout|no answer, twice");
    expect(decodeError(encodeError(error))).toEqual(error);
  });

  it.each(["", "b|3|Timeout", "b|3|Timeout|a|b", "B|3|T|m", "b|x|T|m", "bb|3|T|m", "b|1234567890123456|T|m"])(
    "'%s' is none, and is quoted",
    (line) => {
      expect(() => decodeError(line)).toThrow(`got '${line}'`);
    },
  );
});
