import type { QueueRecord, RecordAttribute } from "../../lib/core/item/queue-record.ts";

export interface RecordOptions {
  readonly messageId?: string;
  readonly body?: string;
  /** The value of `RetryContext`: fields, or any text. */
  readonly context?: object | string;
  readonly attributes?: Readonly<Record<string, RecordAttribute>>;
  readonly receives?: number;
  /** SQS moved the message here from the work queue. */
  readonly moved?: boolean;
  readonly traceHeader?: string;
  readonly groupId?: string;
}

let records = 0;

/** A record of an event, by hand: what a test does not name is a plain first report that somebody sent. */
export function aRecord(options: RecordOptions = {}): QueueRecord {
  records += 1;
  const { messageId = `message-${records}`, body = "{}", context, attributes = {}, receives = 1 } = options;
  const { moved = false, traceHeader, groupId } = options;
  return {
    messageId,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      ...(moved && { DeadLetterQueueSourceArn: "arn:aws:sqs:us-east-1:000000000000:work" }),
      ...(traceHeader !== undefined && { AWSTraceHeader: traceHeader }),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
    },
    messageAttributes: {
      ...attributes,
      ...(context !== undefined && {
        RetryContext: {
          dataType: "String",
          stringValue: typeof context === "string" ? context : JSON.stringify({ v: 1, min: 1, ...context }),
        },
      }),
    },
  };
}
