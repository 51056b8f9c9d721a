import { describe, expect, it } from "vitest";
import { contentDeduplicationId, md5OfAttributes, md5OfBody } from "../../../../lib/sandbox/sqs/model/digests.ts";

describe("digests", () => {
  it("of bodies are those of their UTF-8 bytes", () => {
    expect(md5OfBody("hello")).toBe("5d41402abc4b2a76b9719d911017c592");
    expect(md5OfBody("🙂")).toBe("5c8d6d302301d0e25c0e051418dff305");
    expect(contentDeduplicationId("hello")).toBe("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  });

  it("of attributes agree with another implementation of the documented algorithm (moto 5.2.1)", () => {
    const digest = md5OfAttributes({
      text: { DataType: "String.foo", StringValue: "é 🙂" },
      bytes: { DataType: "Binary", BinaryValue: Uint8Array.of(0, 1, 254, 255) },
      Number: { DataType: "Number", StringValue: "7" },
    });
    expect(digest).toBe("69f1719015d28bdb777ac9bf3cd2007a");
  });

  it("do not exist without attributes", () => {
    expect(md5OfAttributes({})).toBeUndefined();
  });
});
