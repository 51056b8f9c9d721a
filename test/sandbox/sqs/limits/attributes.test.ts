import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../../lib/sandbox/sqs/index.ts";
import { refusalName } from "../fixtures/setup.ts";

const { checkedAttributes } = limits;

const refused = (attributes: unknown): string | undefined => refusalName(() => checkedAttributes(attributes));
const text = (StringValue: unknown, DataType: unknown = "String"): object => ({ DataType, StringValue });

describe("attribute names", () => {
  it.each(["a", "A-b_c.d9", "RetryContext", "x".repeat(256), "awsome", "AWS"])("'%s' is accepted", (name) => {
    expect(refused({ [name]: text("v") })).toBeUndefined();
  });

  it.each(["", ".a", "a.", "a..b", "a b", "ä", "x".repeat(257), "AWS.a", "aws.a", "Amazon.a", "AMAZON.a"])(
    "'%s' is refused",
    (name) => {
      expect(refused({ [name]: text("v") })).toBe("InvalidParameterValue");
    },
  );
});

describe("attribute types and values", () => {
  it.each(["String", "String.foo", "String.application/json"])("type %s takes a text", (DataType) => {
    expect(checkedAttributes({ a: text("v", DataType) })).toEqual({ a: { DataType, StringValue: "v" } });
  });

  it.each(["", "Text", "string", "String.", "Stringfoo", `String.${"x".repeat(250)}`, undefined, 7])(
    "type %j is refused",
    (DataType) => {
      expect(refused({ a: { DataType, StringValue: "v" } })).toBe("InvalidParameterValue");
    },
  );

  it("binary types keep their bytes, as a copy", () => {
    const bytes = Uint8Array.of(0, 255);
    const checked = checkedAttributes({ a: { DataType: "Binary.png", BinaryValue: bytes } });
    bytes.fill(1);
    expect(checked).toEqual({ a: { DataType: "Binary.png", BinaryValue: Uint8Array.of(0, 255) } });
  });

  it("FC-06: an attribute that the SDK emptied, in the shape of a Lambda event, is refused", () => {
    expect(refused({ a: {} })).toBe("InvalidParameterValue");
    expect(refused({ a: { dataType: "String", stringValue: "v" } })).toBe("InvalidParameterValue");
  });

  it("empty values, values of the other kind and list values are refused", () => {
    const wrong = [
      text(""),
      { DataType: "Binary", BinaryValue: new Uint8Array() },
      { DataType: "Binary", StringValue: "v" },
      { DataType: "String", BinaryValue: Uint8Array.of(1) },
      { ...text("v"), BinaryValue: Uint8Array.of(1) },
      { ...text("v"), StringListValues: ["v"] },
      "v",
    ];
    expect(wrong.map((value) => refused({ a: value }))).toEqual(wrong.map(() => "InvalidParameterValue"));
    expect(refused({ a: { ...text("v"), StringListValues: [], BinaryListValues: [] } })).toBeUndefined();
  });
});

describe("Number attributes", () => {
  it.each(["0", "-1", "+1.5", ".5", "1.", "1e10", "1E-7", `${"9".repeat(38)}`, `0.000${"1".repeat(38)}`])(
    "'%s' is a number",
    (value) => {
      expect(refused({ a: text(value, "Number.int") })).toBeUndefined();
    },
  );

  it.each(["seven", "1,5", "0x10", "NaN", "Infinity", "1e", ".", "1 ", "--1", "9".repeat(39)])(
    "'%s' is no number",
    (value) => {
      expect(refused({ a: text(value, "Number") })).toBe("InvalidParameterValue");
    },
  );

  it("takes every number that JavaScript prints", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(refused({ a: text(String(value), "Number") })).toBeUndefined();
      }),
    );
  });
});

describe("characters", () => {
  it("agrees with the documented ranges on every code unit", () => {
    const allowed = (unit: number): boolean =>
      unit === 0x9 ||
      unit === 0xa ||
      unit === 0xd ||
      (unit >= 0x20 && unit <= 0xd7ff) ||
      (unit >= 0xe000 && unit <= 0xfffd);
    const wrong = Array.from({ length: 0x10000 }, (_, unit) => unit).filter(
      (unit) => limits.illegalCharacterAt(String.fromCharCode(unit)) < 0 !== allowed(unit),
    );
    expect(wrong).toEqual([]);
  });

  it("finds the first illegal character behind pairs of surrogates", () => {
    expect(limits.illegalCharacterAt("🙂🙂\u0000")).toBe(4);
  });
});
