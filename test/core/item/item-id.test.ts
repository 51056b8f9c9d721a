import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_ITEM_ID_BYTES, toItemId } from "../../../lib/core/item/item-id.ts";
import { byteLength } from "../../../lib/core/item/sqs-text.ts";
import { isLegal } from "./legal-characters.ts";

describe("an item id", () => {
  it("is the caller's own, up to 100 bytes", () => {
    const longest = "é".repeat(50);

    expect(toItemId("order-42")).toBe("order-42");
    expect(toItemId(longest)).toBe(longest);
  });

  it("of more than 100 bytes is the start of the caller's and a hash of all of it", () => {
    const id = toItemId(`order-${"x".repeat(95)}`);

    expect(id).toMatch(/^order-x{61}~[0-9a-f]{32}$/);
    expect(byteLength(id)).toBe(MAX_ITEM_ID_BYTES);
  });

  it("tells long ids apart that differ in their last character only", () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => toItemId(`${"x".repeat(200)}${index}`));

    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is legal, not empty, at most 100 bytes and its own item id, whatever the caller's is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 300, size: "max" }), (callersId) => {
        const id = toItemId(callersId);
        expect(isLegal(id)).toBe(true);
        expect(id).not.toBe("");
        expect(byteLength(id)).toBeLessThanOrEqual(MAX_ITEM_ID_BYTES);
        expect(toItemId(id)).toBe(id);
      }),
    );
  });
});
