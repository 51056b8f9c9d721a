import { setTimeout } from "node:timers/promises";
import {
  type MessageAttributeValue,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import pMap from "p-map";
import type { ComposedMessage } from "../../core/item/compose.ts";
import type { Attribute } from "../../core/item/message.ts";
import type { CallOptions } from "../call-options.ts";
import { inBatches } from "./batches.ts";
import { codeOf, isTransient } from "./error-codes.ts";

/** A message for one queue. */
export interface OutgoingMessage extends Pick<ComposedMessage, "body" | "attributes" | "groupId" | "bytes"> {
  /** 0 to 900. */
  readonly delaySeconds: number;
  /** Goes on the message as its `AWSTraceHeader`. */
  readonly traceHeader?: string;
}

/** What became of one message; `code` is SQS's, or `NotAnswered` where the answer did not name the message at all. */
export type SendResult =
  | { readonly sent: true; readonly messageId: string }
  | { readonly sent: false; readonly code: string; readonly transient: boolean; readonly detail: string };

/** Puts messages on queues. */
export interface MessageSender {
  /** Sends all messages to one queue; the results stand in the order of the messages. Never rejects. */
  send(queueUrl: string, messages: readonly OutgoingMessage[], options?: CallOptions): Promise<readonly SendResult[]>;
}

/** Waits before entries that SQS refused for the moment are sent again. */
const TRANSIENT_WAITS_MS = [50, 250];

const BATCHES_AT_ONCE = 10;

/** Sends by SendMessageBatch. An entry counts as sent only when the answer names it among the successful ones. */
export class SqsMessageSender implements MessageSender {
  readonly #client: SQSClient;
  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(client: SQSClient, wait: (ms: number) => Promise<unknown> = setTimeout) {
    this.#client = client;
    this.#wait = wait;
  }

  async send(
    queueUrl: string,
    messages: readonly OutgoingMessage[],
    options?: CallOptions,
  ): Promise<readonly SendResult[]> {
    const results = new Map<OutgoingMessage, SendResult>();
    let pending = messages;
    for (const waitMs of [...TRANSIENT_WAITS_MS, undefined]) {
      await pMap(
        inBatches(pending),
        async (batch) => {
          const answers = await this.#sendBatch(queueUrl, batch, options);
          for (const [index, message] of batch.entries()) results.set(message, answers[index] ?? NOT_ANSWERED);
        },
        { concurrency: BATCHES_AT_ONCE },
      );
      pending = pending.filter((message) => isWorthAnotherTry(results.get(message)));
      if (pending.length === 0 || waitMs === undefined || options?.abortSignal?.aborted) break;
      await this.#wait(waitMs);
    }
    return messages.map((message) => results.get(message) ?? NOT_ANSWERED);
  }

  async #sendBatch(
    queueUrl: string,
    batch: readonly OutgoingMessage[],
    options: CallOptions | undefined,
  ): Promise<readonly SendResult[]> {
    const Entries = batch.map((message, index) => toEntry(message, String(index)));
    try {
      const answer = await this.#client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }), options);
      const results: SendResult[] = batch.map(() => NOT_ANSWERED);
      for (const { Id, Code = "Unknown", Message } of answer.Failed ?? []) {
        results[Number(Id)] = { sent: false, code: Code, transient: isTransient(Code), detail: Message ?? "" };
      }
      for (const { Id, MessageId } of answer.Successful ?? []) {
        if (MessageId) results[Number(Id)] = { sent: true, messageId: MessageId };
      }
      return results;
    } catch (error) {
      // The SDK has retried what is worth it already; nobody knows whether the call took effect.
      const detail = error instanceof Error ? error.message : "";
      return batch.map(() => ({ sent: false, code: codeOf(error), transient: false, detail }));
    }
  }
}

const NOT_ANSWERED: SendResult = {
  sent: false,
  code: "NotAnswered",
  transient: false,
  detail: "the answer of SQS named the message neither as sent nor as failed",
};

function isWorthAnotherTry(result: SendResult | undefined): boolean {
  return result !== undefined && !result.sent && result.transient;
}

function toEntry(message: OutgoingMessage, id: string): SendMessageBatchRequestEntry {
  const { body, attributes, groupId, delaySeconds, traceHeader } = message;
  const entries = Object.entries(attributes).map(([name, attribute]) => [name, toSdkAttribute(attribute)] as const);
  return {
    Id: id,
    MessageBody: body,
    DelaySeconds: delaySeconds,
    ...(entries.length > 0 && { MessageAttributes: Object.fromEntries(entries) }),
    ...(groupId && { MessageGroupId: groupId }),
    ...(traceHeader && {
      MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue: traceHeader } },
    }),
  };
}

function toSdkAttribute(attribute: Attribute): MessageAttributeValue {
  return "text" in attribute
    ? { DataType: attribute.dataType, StringValue: attribute.text }
    : { DataType: attribute.dataType, BinaryValue: attribute.bytes };
}
