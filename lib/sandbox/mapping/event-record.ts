import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";

/** A received message with the record that a function sees of it. */
export interface EventRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly traceHeader?: string;
  /** The record of the event, as JSON. */
  readonly json: string;
}

/**
 * The record that Lambda makes of a message
 * (https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event).
 */
export function eventRecord(message: Message, queueArn: string): EventRecord {
  const { MessageId = "", ReceiptHandle = "", Body, Attributes = {}, MessageAttributes = {} } = message;
  const record = {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, value]) => [name, attributeOf(value)]),
    ),
    ...(message.MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(":")[3],
  };
  const traceHeader = Attributes.AWSTraceHeader;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    ...(traceHeader !== undefined && { traceHeader }),
    json: JSON.stringify(record),
  };
}

function attributeOf({ StringValue, BinaryValue, DataType }: MessageAttributeValue) {
  return {
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType,
  };
}

/** The event of a batch, as JSON. */
export function eventOf(records: readonly EventRecord[]): string {
  return `{"Records":[${records.map(({ json }) => json).join(",")}]}`;
}
