import { describe, expect, it } from "vitest";
import type { RecordAttribute } from "../../../lib/core/item/queue-record.ts";
import { readRecord } from "../../../lib/core/item/read-record.ts";
import { aContext, aRecord } from "../factories.ts";

/** An attribute as the Lambda event has it: with list fields that SQS never fills. */
function inEvent(attribute: RecordAttribute): RecordAttribute {
  return { ...attribute, ...{ stringListValues: [], binaryListValues: null } };
}

function messageOf(record: ReturnType<typeof aRecord>) {
  const reading = readRecord(record);
  return reading.kind === "report" ? reading.message : undefined;
}

describe("the message that travels on", () => {
  it("has the user's attributes with names, types and suffixes; binary ones as bytes", () => {
    const attributes = {
      tenant: inEvent({ dataType: "String", stringValue: "a", binaryValue: null }),
      id: inEvent({ dataType: "String.uuid", stringValue: "5fea7756" }),
      prio: inEvent({ dataType: "Number", stringValue: "7" }),
      amount: inEvent({ dataType: "Number.decimal", stringValue: "1.10" }),
      sig: inEvent({ dataType: "Binary", binaryValue: "AQID", stringValue: null }),
      photo: inEvent({ dataType: "Binary.png", binaryValue: "/+8=" }),
    };

    expect(messageOf(aRecord({ attributes }))?.attributes).toEqual({
      tenant: { dataType: "String", text: "a" },
      id: { dataType: "String.uuid", text: "5fea7756" },
      prio: { dataType: "Number", text: "7" },
      amount: { dataType: "Number.decimal", text: "1.10" },
      sig: { dataType: "Binary", bytes: Buffer.from([1, 2, 3]) },
      photo: { dataType: "Binary.png", bytes: Buffer.from([255, 239]) },
    });
  });

  it("has no RetryContext and nothing that holds neither text nor bytes", () => {
    const attributes = { empty: inEvent({ dataType: "String", stringValue: null }) };

    expect(messageOf(aRecord({ attributes, context: aContext() }))?.attributes).toEqual({});
  });

  it("keeps attributes with the names of object properties", () => {
    const names = ["__proto__", "constructor", "toString"];
    const attributes: Record<string, RecordAttribute> = Object.fromEntries(
      names.map((name) => [name, { dataType: "String", stringValue: "a" }]),
    );

    expect(Object.keys(messageOf(aRecord({ attributes }))?.attributes ?? {})).toEqual(names);
  });

  it("keeps its fair-queue group", () => {
    expect(messageOf(aRecord({ groupId: "tenant-a" }))).toMatchObject({ groupId: "tenant-a" });
    expect(messageOf(aRecord())).not.toHaveProperty("groupId");
  });
});
