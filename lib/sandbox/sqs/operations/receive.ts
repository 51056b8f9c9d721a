import type { Message, ReceiveMessageResult } from "@aws-sdk/client-sqs";
import { SqsError } from "../errors.ts";
import { checkedReceive, type Input, LIMITS, type ReceiveRequest } from "../limits/index.ts";
import { moveToDeadLetterQueue } from "../model/dead-letter.ts";
import { md5OfAttributes } from "../model/digests.ts";
import type { Engine } from "../model/engine.ts";
import type { QueuedMessage } from "../model/message.ts";
import type { Queue } from "../model/queue.ts";
import { receiptHandle } from "../model/receipt-handle.ts";
import { systemAttributes } from "../model/system-attributes.ts";

/** ReceiveMessage without waiting. */
export function receiveMessage(engine: Engine, input: Input, now: number): ReceiveMessageResult {
  const queue = engine.queueOf(input, now);
  return receiveFrom(engine, queue, checkedReceive(input, queue.identity.fifo), now);
}

/** @throws SqsError OverLimit with 120,000 messages in flight on a standard queue (a FIFO queue then gives none) */
export function receiveFrom(engine: Engine, queue: Queue, request: ReceiveRequest, now: number): ReceiveMessageResult {
  const room = LIMITS.inFlight - queue.counts.notVisible;
  if (room <= 0 && !queue.identity.fifo) {
    throw new SqsError("OverLimit", `The queue has reached the maximum of ${LIMITS.inFlight} messages in flight.`);
  }
  const seconds = request.visibilitySeconds ?? queue.settings.visibilitySeconds;
  const received = queue.receive(Math.min(request.limit, room), engine.clock.realMs(seconds * 1000), now, (message) =>
    moveToDeadLetterQueue(engine, queue, message, now),
  );
  if (received.length === 0) return {};
  return { Messages: received.map((message) => answered(queue, message, request)) };
}

function answered(queue: Queue, message: QueuedMessage, request: ReceiveRequest): Message {
  const { body, bodyMd5 } = message.content;
  const attributes = Object.fromEntries(
    Object.entries(message.content.attributes).filter(([name]) => request.wantsAttribute(name)),
  );
  const attributesMd5 = md5OfAttributes(attributes);
  const system = systemAttributes(message, request.wantsSystemAttribute);
  return {
    MessageId: message.messageId,
    ReceiptHandle: receiptHandle({
      queueKey: queue.identity.key,
      messageId: message.messageId,
      serial: message.receipt,
    }),
    Body: body,
    MD5OfBody: bodyMd5,
    ...(attributesMd5 === undefined ? {} : { MessageAttributes: attributes, MD5OfMessageAttributes: attributesMd5 }),
    ...(Object.keys(system).length === 0 ? {} : { Attributes: system }),
  };
}
