import { describe, expect, it } from "vitest";
import { limits } from "../../../../lib/sandbox/sqs/index.ts";
import { FIFO, refusalName, STANDARD } from "../fixtures/setup.ts";

const { checkedMessage, LIMITS } = limits;

function refused(input: object, rules = STANDARD): string | undefined {
  return refusalName(() => checkedMessage({ MessageBody: "x", ...input }, rules));
}

function attributes(count: number): object {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`a${index}`, { DataType: "String", StringValue: "v" }]),
  );
}

describe("the delay of a message", () => {
  it.each([0, 1, 900])("FC-02: %d s is accepted", (DelaySeconds) => {
    expect(checkedMessage({ MessageBody: "x", DelaySeconds }, STANDARD).delaySeconds).toBe(DelaySeconds);
  });

  it.each([901, 54_524, -1])("FC-02: %d s, beyond 0 to 900, is refused", (DelaySeconds) => {
    expect(refused({ DelaySeconds })).toBe("InvalidParameterValue");
  });

  it.each([12.7, 0.4, Number.NaN, Number.POSITIVE_INFINITY, "NaN", "12.7", "12", true, {}])(
    "FC-04: %j, no integer, is refused",
    (DelaySeconds) => {
      expect(refused({ DelaySeconds })).toBe("InvalidParameterValue");
    },
  );

  it("FC-05: a per-message delay on a FIFO queue is refused, 0 is let through", () => {
    const ids = { MessageGroupId: "g", MessageDeduplicationId: "d" };
    expect(refused({ ...ids, DelaySeconds: 5 }, FIFO)).toBe("InvalidParameterValue");
    expect(checkedMessage({ MessageBody: "x", ...ids, DelaySeconds: 0 }, FIFO).delaySeconds).toBeUndefined();
  });
});

describe("attributes and size of a message", () => {
  it("FC-07: ten attributes are accepted, the eleventh is refused", () => {
    expect(refused({ MessageAttributes: attributes(10) })).toBeUndefined();
    expect(refused({ MessageAttributes: attributes(11) })).toBe("InvalidParameterValue");
  });

  it("FC-08: a body of 1,048,576 bytes is accepted alone and refused with an attribute", () => {
    const MessageBody = "x".repeat(LIMITS.messageBytes);
    expect(refused({ MessageBody })).toBeUndefined();
    expect(refused({ MessageBody, MessageAttributes: attributes(1) })).toBe("InvalidParameterValue");
  });

  it("FC-08: bytes count, not characters", () => {
    expect(refused({ MessageBody: "é".repeat(524_288) })).toBeUndefined();
    expect(refused({ MessageBody: "é".repeat(524_289) })).toBe("InvalidParameterValue");
  });

  it("FC-08: name, type and value of an attribute count in bytes", () => {
    const MessageAttributes = {
      "tenant.x": { DataType: "String.ü", StringValue: "é" },
      b: { DataType: "Binary", BinaryValue: Uint8Array.of(1, 2, 3) },
    };
    const { bytes } = checkedMessage({ MessageBody: "🙂", MessageAttributes }, STANDARD);
    expect(bytes).toBe(4 + (8 + 9 + 2) + (1 + 6 + 3));
  });

  it("a queue's own maximum holds", () => {
    const rules = { ...STANDARD, maximumMessageSize: 1_024 };
    expect(refused({ MessageBody: "x".repeat(1_024) }, rules)).toBeUndefined();
    expect(refused({ MessageBody: "x".repeat(1_025) }, rules)).toBe("InvalidParameterValue");
  });

  it("an empty or absent body is refused", () => {
    expect(refused({ MessageBody: "" })).toBe("MissingParameter");
    expect(refused({ MessageBody: undefined })).toBe("MissingParameter");
    expect(refused({ MessageBody: 42 })).toBe("InvalidParameterValue");
  });
});

describe("characters of a message", () => {
  it.each(["\u001b[31mboom\u001b[0m", "bad byte \u0000", "\ufffe", "\uffff", "\u0007", "\u000b", "\ud800", "a\udc00"])(
    "FC-09: %j is refused in a body and in an attribute",
    (text) => {
      expect(refused({ MessageBody: text })).toBe("InvalidMessageContents");
      const MessageAttributes = { error: { DataType: "String", StringValue: text } };
      expect(refused({ MessageAttributes })).toBe("InvalidParameterValue");
    },
  );

  it.each(["\t\r\n", "\u0020", "\ud7ff", "\ue000", "\ufffd", "\u{10000}", "\u{10FFFF}", "\ufeff{}", "🙂"])(
    "FC-09: %j is accepted",
    (text) => {
      const MessageAttributes = { error: { DataType: "String", StringValue: text } };
      expect(refused({ MessageBody: text, MessageAttributes })).toBeUndefined();
    },
  );
});

describe("ids and system attributes of a message", () => {
  it("a FIFO message needs a group, and a deduplication id unless the queue makes one of the body", () => {
    expect(refused({}, FIFO)).toBe("MissingParameter");
    expect(refused({ MessageGroupId: "g" }, FIFO)).toBe("InvalidParameterValue");
    expect(refused({ MessageGroupId: "g" }, { ...FIFO, contentBasedDeduplication: true })).toBeUndefined();
  });

  it("a standard message may have a group, and no deduplication id", () => {
    expect(refused({ MessageGroupId: "tenant" })).toBeUndefined();
    expect(refused({ MessageDeduplicationId: "d" })).toBe("InvalidParameterValue");
  });

  it.each(["", "a b", "é", "g".repeat(129)])("the group id %j is refused", (MessageGroupId) => {
    expect(refused({ MessageGroupId })).toBe("InvalidParameterValue");
  });

  it("the only system attribute to send is AWSTraceHeader, a non-empty String", () => {
    const header = (value: object): object => ({ MessageSystemAttributes: { AWSTraceHeader: value } });
    expect(refused(header({ DataType: "String", StringValue: "Root=1" }))).toBeUndefined();
    expect(refused(header({ DataType: "Number", StringValue: "1" }))).toBe("InvalidParameterValue");
    expect(refused(header({ DataType: "String", StringValue: "" }))).toBe("InvalidParameterValue");
    expect(refused({ MessageSystemAttributes: { Other: {} } })).toBe("InvalidParameterValue");
  });
});
