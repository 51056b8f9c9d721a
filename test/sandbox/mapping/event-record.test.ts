import { describe, expect, it } from "vitest";
import { eventOf, eventRecord } from "../../../lib/sandbox/mapping/event-record.ts";

const ARN = "arn:aws:sqs:eu-west-1:123456789012:work";

describe("the event of a batch", () => {
  it("shows a message as Lambda shows it", () => {
    const message = {
      MessageId: "id",
      ReceiptHandle: "handle",
      Body: "héllo 🎈",
      MD5OfBody: "md5",
      MD5OfMessageAttributes: "md5a",
      Attributes: { ApproximateReceiveCount: "2", SentTimestamp: "1", AWSTraceHeader: "Root=1-2-3" },
      MessageAttributes: {
        text: { DataType: "String.custom", StringValue: "x" },
        bytes: { DataType: "Binary", BinaryValue: Uint8Array.from([0, 255]) },
      },
    };

    const record = eventRecord(message, ARN);

    expect(record).toMatchObject({ messageId: "id", receiptHandle: "handle", traceHeader: "Root=1-2-3" });
    expect(JSON.parse(eventOf([record]))).toEqual({
      Records: [
        {
          messageId: "id",
          receiptHandle: "handle",
          body: "héllo 🎈",
          attributes: message.Attributes,
          messageAttributes: {
            text: { stringValue: "x", stringListValues: [], binaryListValues: [], dataType: "String.custom" },
            bytes: { binaryValue: "AP8=", stringListValues: [], binaryListValues: [], dataType: "Binary" },
          },
          md5OfMessageAttributes: "md5a",
          md5OfBody: "md5",
          eventSource: "aws:sqs",
          eventSourceARN: ARN,
          awsRegion: "eu-west-1",
        },
      ],
    });
  });

  it("has no digest of attributes where there are none", () => {
    const record = JSON.parse(eventRecord({ MessageId: "id", Body: "x" }, ARN).json) as object;

    expect(record).toMatchObject({ messageAttributes: {}, attributes: {} });
    expect(record).not.toHaveProperty("md5OfMessageAttributes");
  });
});
