import type { Attribute, Attributes } from "./message.ts";

/** An SQS message as Lambda hands it to a function: the fields that this product reads. */
export interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: {
    readonly ApproximateReceiveCount: string;
    /** Epoch ms, as text. */
    readonly ApproximateFirstReceiveTimestamp?: string | undefined;
    readonly AWSTraceHeader?: string | undefined;
    readonly MessageGroupId?: string | undefined;
    /** There when SQS itself moved the message here, by a redrive policy. */
    readonly DeadLetterQueueSourceArn?: string | undefined;
  };
  readonly messageAttributes: Readonly<Record<string, RecordAttribute>>;
}

/** An attribute in a Lambda event: binary values are base64 text, and the list fields are never used by SQS. */
export interface RecordAttribute {
  readonly dataType: string;
  readonly stringValue?: string | null | undefined;
  readonly binaryValue?: string | null | undefined;
}

/** The attributes of a record in their own form, bytes as bytes; one with neither text nor bytes is no attribute. */
export function readAttributes(record: QueueRecord): Attributes {
  const attributes: [string, Attribute][] = [];
  for (const [name, { dataType, stringValue, binaryValue }] of Object.entries(record.messageAttributes)) {
    if (dataType.startsWith("Binary") && binaryValue) {
      attributes.push([name, { dataType, bytes: Buffer.from(binaryValue, "base64") }]);
    } else if (typeof stringValue === "string") {
      attributes.push([name, { dataType, text: stringValue }]);
    }
  }
  // Not by assignment to an object: `__proto__` is a legal name of an attribute.
  return Object.fromEntries(attributes);
}
