import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ItemError } from "../../../lib/core/item/retry-context.ts";
import { byteLength } from "../../../lib/core/item/sqs-text.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import { decodeError, encodeError } from "../../../lib/core/state/compact-history.ts";
import { countError } from "../../../lib/core/state/errors-seen.ts";
import type { SeenError } from "../../../lib/core/state/item-state.ts";
import { aReport, NOW, SETTINGS } from "../factories.ts";

function seenAfter(...errors: readonly (ItemError | undefined)[]): readonly SeenError[] {
  return errors.reduce<readonly SeenError[]>((seen, error) => countError(seen, error).errors, []);
}

describe("the errors of an item", () => {
  it("are its distinct ones, with how often each was seen, the newest last", () => {
    expect(
      seenAfter({ type: "A", message: "x" }, { type: "B" }, { type: "A", message: "x" }, { type: "A", message: "y" }),
    ).toEqual([
      { key: "b", type: "B", message: "", count: 1 },
      { key: "a", type: "A", message: "x", count: 2 },
      { key: "c", type: "A", message: "y", count: 1 },
    ]);
  });

  it("stay as they are where a report says nothing, and call an error without a type unspecified", () => {
    const seen = seenAfter({ message: "boom" });

    expect(seen).toEqual([{ key: "a", type: "unspecified", message: "boom", count: 1 }]);
    expect(countError(seen, undefined)).toEqual({ errors: seen });
  });

  it("are one line each, without the bar that separates fields, legal and short", () => {
    const [error] = seenAfter({ type: "Bad|Type\u0000", message: `two\n\tlines ${"é".repeat(100)}` });

    expect(error).toEqual({ key: "a", type: "Bad Type\ufffd", message: `two lines ${"é".repeat(25)}`, count: 1 });
  });

  it("have a type of at most 40 bytes and a message of at most 60", () => {
    const [error] = seenAfter({ type: "T".repeat(41), message: "m".repeat(61) });

    expect(error).toMatchObject({ type: "T".repeat(40), message: "m".repeat(60) });
  });

  it("have room of 200 bytes: the one longest not seen is forgotten, never the newest", () => {
    const errors = ["A", "B", "C"].map((type) => ({ type, message: "m".repeat(60) }));

    expect(seenAfter(...errors).map(({ type }) => type)).toEqual(["B", "C"]);
    expect(seenAfter(...errors.slice(0, 2), errors[0], errors[2]).map(({ type }) => type)).toEqual(["A", "C"]);
  });

  it("are each named by the history entry that brought it", () => {
    const first = advance(undefined, aReport({ error: { type: "A" } }), SETTINGS, NOW);
    const second = advance(first.state, aReport({ attempt: 2, error: { type: "B" } }), SETTINGS, NOW);
    const third = advance(second.state, aReport({ attempt: 3 }), SETTINGS, NOW);

    expect(third.state?.history.map(({ detail }) => detail?.error)).toEqual(["a", "b", undefined]);
    expect(third.state?.errors.map(({ key, type }) => key + type)).toEqual(["aA", "bB"]);
  });

  it("keep distinct keys, small size and their text form, whatever they are", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 90 }),
      fc.constantFrom("a", "b", "c", "|", "\n"),
    );
    const error = fc.record({ type: text, message: text }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(error, { maxLength: 60, size: "max" }), (errors) => {
        const seen = seenAfter(...errors);
        expect(new Set(seen.map(({ key }) => key)).size).toBe(seen.length);
        for (const each of seen) expect(decodeError(encodeError(each))).toEqual(each);
        expect(seen.reduce((sum, each) => sum + byteLength(encodeError(each)), 0)).toBeLessThanOrEqual(250);
      }),
    );
  });
});
