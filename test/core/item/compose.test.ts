import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { composeMessage } from "../../../lib/core/item/compose.ts";
import { type Attributes, MAX_MESSAGE_BYTES } from "../../../lib/core/item/message.ts";
import { readRecord } from "../../../lib/core/item/read-record.ts";
import { encodeContext } from "../../../lib/core/item/retry-context.ts";
import { aContext, aRecord } from "../factories.ts";

const context = aContext({ attempt: 2, dispatchId: "2m5e8a0q4t" });
const ours = { dataType: "String", text: encodeContext(context) };

function attributes(count: number): Attributes {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`attribute${index}`, { dataType: "String", text: "v" }]),
  );
}

describe("composing a message", () => {
  it("adds the context as one String attribute, and counts bytes as SQS does", () => {
    const signature = { dataType: "Binary.sha", bytes: new Uint8Array([1, 2, 3]) };
    const composed = composeMessage({ body: "é", attributes: { signature }, groupId: "tenant-a" }, context);

    expect(composed).toEqual({
      body: "é",
      attributes: { signature, RetryContext: ours },
      groupId: "tenant-a",
      contextTravels: true,
      bytes: 2 + "signatureBinary.sha".length + 3 + "RetryContextString".length + ours.text.length,
    });
  });

  it.each([8, 9])("FC-07: %i user attributes and ours travel together", (count) => {
    const composed = composeMessage({ body: "a", attributes: attributes(count) }, context);

    expect(composed.contextTravels).toBe(true);
    expect(composed.attributes).toEqual({ ...attributes(count), RetryContext: ours });
  });

  it("FC-07: ten user attributes travel without ours", () => {
    const composed = composeMessage({ body: "a", attributes: attributes(10) }, context);

    expect(composed.contextTravels).toBe(false);
    expect(composed.attributes).toEqual(attributes(10));
  });

  it.each([
    ["(a) 1,048,576 bytes", "x".repeat(1_048_576), 1_048_576],
    ["(b) 1,048,566 bytes", "x".repeat(1_048_566), 1_048_566],
    ["(c) 524,288 characters of two bytes", "é".repeat(524_288), 1_048_576],
  ])("FC-08: a body of %s travels unchanged, without the context", (_name, body, bytes) => {
    const composed = composeMessage({ body, attributes: {} }, context);

    expect(composed).toMatchObject({ contextTravels: false, bytes, attributes: {} });
    expect(composed.body === body).toBe(true);
  });

  it("FC-08: the context travels up to the last byte", () => {
    const room = MAX_MESSAGE_BYTES - "RetryContextString".length - ours.text.length;

    expect(composeMessage({ body: "x".repeat(room), attributes: {} }, context)).toMatchObject({
      contextTravels: true,
      bytes: MAX_MESSAGE_BYTES,
    });
    expect(composeMessage({ body: "x".repeat(room + 1), attributes: {} }, context).contextTravels).toBe(false);
  });
});

describe("a body", () => {
  const opaque = ["not json", '\ufeff{"id":1}', "null", "42", "[1,2]", '"text"', " ", '{"id":1}'];
  const exact = ['{ "orderId":9007199254740993, "amount":1.10, "a":1, "a":2 }', "é and 😀 and \r\n"];

  it.each(opaque)("FC-11: '%s' is an item of its own, and travels as it is", (body) => {
    const reading = readRecord(aRecord({ messageId: "m1", body, moved: true }));

    expect(reading).toMatchObject({ kind: "report", report: { itemId: "m1", attempt: 1 }, message: { body } });
    expect(reading).not.toHaveProperty("report.unreadable");
  });

  it.each(exact)("FC-28: '%s' is the same byte for byte after three cycles and in the dead-letter queue", (body) => {
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    let record = aRecord({ body });
    for (let cycle = 1; cycle <= 4; cycle++) {
      const reading = readRecord(record);
      if (reading.kind !== "report") throw new Error("it must be readable");
      const composed = composeMessage(reading.message, context);
      record = aRecord({ body: composed.body, context });
      expect(hash(composed.body)).toBe(hash(body));
    }
  });
});
