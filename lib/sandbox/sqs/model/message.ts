import type { MessageAttributes } from "../limits/index.ts";

export type MessageState = "visible" | "notVisible" | "delayed";

/** What a message carries wherever it goes. */
export interface MessageContent {
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: MessageAttributes;
  readonly senderId: string;
  readonly traceHeader?: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
}

/** A message in one queue. Times are clock milliseconds. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly content: MessageContent;
  readonly sequenceNumber?: string;
  /** `SentTimestamp`. */
  readonly sentAt: number;
  /** Retention runs from here. */
  readonly enqueuedAt: number;
  /** When it came into this queue. */
  readonly arrivedAt: number;
  /** Place among all arrivals of the service. */
  readonly order: number;
  /** The queue that SQS moved it from, if that is how it came. */
  readonly deadLetterSourceArn?: string;
  state: MessageState;
  /** When it becomes, or became, visible. */
  dueAt: number;
  /** Place among the visible messages of a standard queue. */
  turn: number;
  /** Receives over all queues. */
  receiveCount: number;
  /** Receives since it came into this queue: these count to `maxReceiveCount`. */
  receivesHere: number;
  firstReceivedAt?: number;
  lastReceivedAt?: number;
  /** Serial of the latest receipt handle. */
  receipt: number;
}
