import type { Message } from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { readContext } from "../../lib/core/item/read-context.ts";
import type { RetryContext } from "../../lib/core/item/retry-context.ts";
import { type InspectedMessage, QueueService } from "../../lib/sandbox/sqs/index.ts";
import type { JumpingClock } from "../sandbox/sqs/fixtures/jumping-clock.ts";

export const INGEST_VISIBILITY_SECONDS = 361;
export const INGEST_RECEIVES = 240;

export interface QueueOptions {
  /** Deliveries of the work queue before SQS moves a message to the ingest queue. @default 1 */
  readonly workReceives?: number;
}

/** The three queues of a pipeline in a strict SQS, wired as the constructs wire them. */
export function createQueues(clock: JumpingClock, { workReceives = 1 }: QueueOptions = {}) {
  const service = new QueueService({ clock });
  const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
  const queue = (name: string, Attributes: Record<string, string>) =>
    service.call("CreateQueue", { QueueName: name, Attributes }).QueueUrl ?? "";
  const redrive = (name: string, maxReceiveCount: number) =>
    JSON.stringify({ deadLetterTargetArn: arn(name), maxReceiveCount });
  const dead = queue("dead", { MessageRetentionPeriod: "1209600" });
  const ingest = queue("ingest", {
    VisibilityTimeout: String(INGEST_VISIBILITY_SECONDS),
    MessageRetentionPeriod: "864000",
    RedrivePolicy: redrive("dead", INGEST_RECEIVES),
  });
  const work = queue("work", { RedrivePolicy: redrive("ingest", workReceives) });

  const receive = (QueueUrl: string, more: object = {}): readonly Message[] =>
    service.call("ReceiveMessage", {
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["All"],
      ...more,
    }).Messages ?? [];
  const take = (url: string, atMost = 10_000, more: object = {}): readonly Message[] => {
    const taken: Message[] = [];
    while (taken.length < atMost) {
      const received = receive(url, { MaxNumberOfMessages: Math.min(10, atMost - taken.length), ...more });
      if (received.length === 0) break;
      taken.push(...received);
    }
    return taken;
  };

  return {
    service,
    urls: { ingest, work, dead },
    arn,
    send: (QueueUrl: string, MessageBody: string, more: object = {}): string =>
      service.call("SendMessage", { QueueUrl, MessageBody, ...more }).MessageId ?? "",
    receive,
    /** Receives everything that is visible, up to a number of messages. */
    take,
    remove: (QueueUrl: string, ReceiptHandle: string | undefined): void => {
      service.call("DeleteMessage", { QueueUrl, ReceiptHandle });
    },
    /** A worker that always fails: everything visible in the work queue moves to the ingest queue, as SQS does it. */
    failWork: (): void => {
      for (let round = 0; round <= workReceives; round++) take(work, 10_000, { VisibilityTimeout: 0 });
    },
    /** What is in a queue, with the contexts read. */
    look: (url: string): readonly Seen[] =>
      service.inspect(url).messages.map((message) => ({ ...message, context: contextOf(message) })),
    /** Moves what is in the dead-letter queue, as an operator's redrive does. */
    redriveTo: (name: "work" | "ingest"): void => {
      service.call("StartMessageMoveTask", { SourceArn: arn("dead"), DestinationArn: arn(name) });
      clock.advance(1);
      service.progress();
    },
  };
}

export interface Seen extends InspectedMessage {
  readonly context: RetryContext | undefined;
}

function contextOf({ attributes }: InspectedMessage): RetryContext | undefined {
  const { RetryContext: ours } = attributes;
  const reading = readContext(ours && "StringValue" in ours ? ours.StringValue : "");
  return reading.kind === "readable" ? reading.context : undefined;
}

/** A received message as Lambda's event source mapping puts it into an event. */
export function toRecord(message: Message): SQSRecord {
  const messageAttributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => {
    const { DataType = "", StringValue, BinaryValue } = value;
    const record = {
      dataType: DataType,
      stringListValues: [],
      binaryListValues: [],
      ...(StringValue !== undefined && { stringValue: StringValue }),
      ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
    };
    return [name, record] as const;
  });
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    attributes: message.Attributes as unknown as SQSRecord["attributes"],
    messageAttributes: Object.fromEntries(messageAttributes) as SQSRecord["messageAttributes"],
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:ingest",
    awsRegion: "us-east-1",
  };
}
