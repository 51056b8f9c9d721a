import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength, cut, legalise } from "../../../lib/core/item/sqs-text.ts";
import { isLegal } from "./legal-characters.ts";

const anyText = fc.string({ unit: "binary" });

describe("legalising a text", () => {
  it.each([
    ["NUL", "bad byte \u0000", "bad byte \ufffd"],
    ["an escape sequence", "\u001b[31mboom\u001b[0m", "\ufffd[31mboom\ufffd[0m"],
    ["U+FFFE and U+FFFF", "\ufffe\uffff", "\ufffd\ufffd"],
    ["a lone high surrogate", "a\ud800b", "a\ufffdb"],
    ["a lone low surrogate", "a\udc00", "a\ufffd"],
  ])("replaces %s", (_name, text, legal) => {
    expect(legalise(text)).toBe(legal);
  });

  it.each(["tab\tline\nreturn\r", "é", "emoji 😀", "\u007f\u0085\ud7ff\ue000\ufffd", "\u{10ffff}"])(
    "leaves '%s' as it is",
    (text) => {
      expect(legalise(text)).toBe(text);
    },
  );

  it("leaves nothing that SQS refuses, and nothing of its own to do the second time", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const legal = legalise(text);
        expect(isLegal(legal)).toBe(true);
        expect(legalise(legal)).toBe(legal);
      }),
    );
  });
});

describe("cutting a text", () => {
  it.each([
    ["é".repeat(5), 5, "éé"],
    ["😀😀", 7, "😀"],
    ["abc", 3, "abc"],
    ["abc", 2, "ab"],
    ["a", 0, ""],
  ])("of '%s' to %i bytes ends on a whole code point: '%s'", (text, bytes, start) => {
    expect(cut(text, bytes)).toBe(start);
  });

  it("gives the longest start that fits", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 40 }), (text, bytes) => {
        const start = cut(text, bytes);
        const next = String.fromCodePoint(text.codePointAt(start.length) ?? 0);
        expect(text.startsWith(start)).toBe(true);
        expect(byteLength(start)).toBeLessThanOrEqual(bytes);
        if (start !== text) expect(byteLength(start) + byteLength(next)).toBeGreaterThan(bytes);
      }),
    );
  });
});
