import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContext } from "../../../lib/core/item/read-context.ts";
import { aContext } from "../factories.ts";

const readObject = (fields: object) => readContext(JSON.stringify({ itemId: "order-42", ...fields }));

function contextOf(value: string) {
  const reading = readContext(value);
  return reading.kind === "readable" ? reading.context : reading;
}

describe("versions", () => {
  it.each([{}, { v: 1 }, { min: 1 }, { v: 7, min: 1 }, { v: 1, min: null }])("%j may be acted on", (versions) => {
    expect(readObject(versions).kind).toBe("readable");
  });

  it("a newer 'min' is left to newer code, even if nothing else makes sense", () => {
    expect(readContext('{"min":2,"itemId":{"moved":"elsewhere"},"attempt":"seven"}')).toEqual({
      kind: "newer",
      min: 2,
    });
  });

  it.each([0, -1, 1.5, "2", true, [2]])("a 'min' of %j is none", (min) => {
    expect(readObject({ min })).toMatchObject({ kind: "unreadable", why: expect.stringContaining("'min'") });
  });

  it("keeps the fields of a newer writer", () => {
    expect(readObject({ v: 2, priority: { level: 3 } })).toMatchObject({
      context: { unknown: { priority: { level: 3 } } },
    });
  });
});

describe("a context that anybody wrote", () => {
  it("needs an item id only", () => {
    expect(contextOf('{"itemId":"order-42"}')).toEqual(aContext());
  });

  it("may hold an error as plain text, with other types than text, or none", () => {
    expect(readObject({ error: "boom" })).toMatchObject({ context: { error: { message: "boom" } } });
    expect(readObject({ error: { type: 42, message: ["a"] } })).toMatchObject({ context: { error: { type: "42" } } });
    expect(readObject({ error: null })).toEqual({ kind: "readable", context: aContext() });
    expect(readObject({ error: {} })).toEqual({ kind: "readable", context: aContext() });
  });

  it("keeps no hint that makes no sense, rather than costing the item its retry", () => {
    for (const retryAfterMs of ["30", -1, null, { seconds: 3 }]) {
      expect(readObject({ retryAfterMs })).toEqual({ kind: "readable", context: aContext() });
    }
  });

  it.each([
    ["not JSON", "not json"],
    ["empty", ""],
    ["a byte order mark before it", '\ufeff{"itemId":"a"}'],
    ["an array", '[{"itemId":"a"}]'],
    ["null", "null"],
    ["a number", "42"],
    ["a text", '"text"'],
    ["deeply nested", "[".repeat(1_000) + "]".repeat(1_000)],
    ["one byte too long", JSON.stringify({ itemId: "a", x: `xx${"é".repeat(1_013)}` })],
    ["without an item id", '{"attempt":1}'],
    ["an empty item id", '{"itemId":""}'],
    ["an item id that is a number", '{"itemId":42}'],
    ["an item id only on its prototype", '{"__proto__":{"itemId":"a"}}'],
  ])("%s is unreadable, with the reason", (_name, value) => {
    expect(readContext(value)).toEqual({ kind: "unreadable", why: expect.stringMatching(/^(it|'itemId') must /) });
  });

  it("may have 2,048 bytes", () => {
    const x = "x".repeat(2_048 - JSON.stringify({ itemId: "a", x: "" }).length);

    expect(readContext(JSON.stringify({ itemId: "a", x })).kind).toBe("readable");
  });

  it.each([
    ["attempt", ["0", "-1", "1.5", '"1"', '"NaN"', "null", "1e400", "9007199254740992", "[1]", "{}"]],
    ["generation", ["0", "-3", "2.5", '"2"', "null", "1e400", "true"]],
    ["v", ["0", '"1"', "null", "1e400"]],
    ["dispatchId", ['""', "7", "null", "{}", JSON.stringify("d".repeat(41))]],
    ["firstFailedAt", ["-1", '"NaN"', "1e400", "true"]],
    ["deadlineAt", ["-1", '"tomorrow"', "1e16"]],
    ["delayMs", ["-1", '"5"']],
    ["kind", ['"done"', "null", "1"]],
    ["retryable", ['"false"', "0", "null"]],
    ["error", ["1", "true", "[]"]],
    ["deadLetter", ["null", "true", "[]"]],
    ["deadLetter.reason", ["{}", '{"reason":"boredom"}', '{"reason":["attempts"]}']],
  ])("a wrong '%s' is named", (name, values) => {
    const field = name.split(".")[0];
    for (const value of values) {
      expect(readContext(`{"itemId":"a","${field}":${value}}`), value).toEqual({
        kind: "unreadable",
        why: expect.stringContaining(`'${name}' must be`),
      });
    }
  });

  it("an error whose parts cannot become text does not stop it", () => {
    const hostile = '{"itemId":"order-42","error":{"type":{"toString":1,"valueOf":1},"message":{"toString":null}}}';

    expect(readContext(hostile)).toMatchObject({ kind: "readable", context: { itemId: "order-42" } });
  });

  it("cannot reach a prototype", () => {
    const reading = readContext('{"itemId":"a","__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}');

    expect(reading.kind).toBe("readable");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(reading)).toBe(Object.prototype);
  });

  it("never throws, whatever it is", () => {
    const field = fc.constantFrom("itemId", "min", "v", "attempt", "error", "deadLetter", "dispatchId", "unknown", "x");
    const hostileObject = fc.dictionary(field, fc.jsonValue()).map((fields) => JSON.stringify(fields));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), hostileObject), (value) => {
        expect(["readable", "newer", "unreadable"]).toContain(readContext(value).kind);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("texts in a context", () => {
  it("are made legal and short: error, item id and the start of an unreadable original", () => {
    const error = { type: "\u0000".repeat(60), message: "é".repeat(250) };
    const deadLetter = { reason: "attempts", at: 1, original: `\u0007${"o".repeat(550)}` };

    expect(readObject({ itemId: "a\u0000", error, deadLetter })).toMatchObject({
      context: {
        itemId: "a\ufffd",
        error: { type: "\ufffd".repeat(33), message: "é".repeat(200) },
        deadLetter: { original: `\ufffd${"o".repeat(497)}` },
      },
    });
  });

  it("may hold lone surrogates, escaped as JSON allows", () => {
    expect(contextOf('{"itemId":"a\\ud800b","error":"\\ufffe"}')).toEqual(
      aContext({ itemId: "a\ufffdb", error: { message: "\ufffd" } }),
    );
  });
});
