import type { SendMessageBatchResult, SendMessageBatchResultEntry, SendMessageResult } from "@aws-sdk/client-sqs";
import { checkBatchSize, checkedEntries, checkedMessage, type Input, requestBytes } from "../limits/index.ts";
import { contentDeduplicationId, md5OfAttributes, md5OfBody, md5OfTraceHeader } from "../model/digests.ts";
import type { Engine } from "../model/engine.ts";
import { sequenceNumber } from "../model/move-task.ts";
import type { Queue } from "../model/queue.ts";
import { forEachEntry } from "./batches.ts";

export function sendMessage(engine: Engine, input: Input, now: number): SendMessageResult {
  return send(engine, engine.queueOf(input, now), input, now);
}

export function sendMessageBatch(engine: Engine, input: Input, now: number): SendMessageBatchResult {
  const queue = engine.queueOf(input, now);
  checkBatchSize(checkedEntries(input).reduce((sum, entry) => sum + requestBytes(entry.input), 0));
  return forEachEntry(input, ({ id, input: entry }): SendMessageBatchResultEntry => {
    return { Id: id, ...send(engine, queue, entry, now) };
  });
}

type Sent = SendMessageResult & { readonly MessageId: string; readonly MD5OfMessageBody: string };

function send(engine: Engine, queue: Queue, input: Input, now: number): Sent {
  const message = checkedMessage(input, queue.settings);
  const { body, attributes, traceHeader, groupId } = message;
  const bodyMd5 = md5OfBody(body);
  const attributesMd5 = md5OfAttributes(attributes);
  const traceMd5 = traceHeader === undefined ? undefined : md5OfTraceHeader(traceHeader);
  const digests = {
    MD5OfMessageBody: bodyMd5,
    ...(attributesMd5 === undefined ? {} : { MD5OfMessageAttributes: attributesMd5 }),
    ...(traceMd5 === undefined ? {} : { MD5OfMessageSystemAttributes: traceMd5 }),
  };
  const deduplicationId = queue.identity.fifo ? (message.deduplicationId ?? contentDeduplicationId(body)) : undefined;
  const repeatKey = deduplicationId === undefined ? undefined : repeatKeyOf(queue, groupId, deduplicationId);
  const first = repeatKey === undefined ? undefined : queue.deduplication.find(repeatKey, now);
  if (first) return { ...digests, MessageId: first.messageId, SequenceNumber: first.sequenceNumber };

  const order = engine.nextOrder();
  const messageId = engine.newId();
  const sequence = sequenceNumber(order);
  if (repeatKey !== undefined) {
    queue.deduplication.remember(repeatKey, { messageId, sequenceNumber: sequence, at: now });
  }
  queue.enter(
    {
      messageId,
      content: {
        body,
        bodyMd5,
        attributes,
        senderId: engine.accountId,
        ...(traceHeader === undefined ? {} : { traceHeader }),
        ...(groupId === undefined ? {} : { groupId }),
        ...(deduplicationId === undefined ? {} : { deduplicationId }),
      },
      sentAt: now,
      enqueuedAt: now,
      delayMs: (message.delaySeconds ?? queue.settings.delaySeconds) * 1000,
      ...(queue.identity.fifo ? { sequenceNumber: sequence } : {}),
    },
    order,
    now,
  );
  engine.events.record({ type: "sent", queueName: queue.identity.name, messageId, at: now });
  return { ...digests, MessageId: messageId, ...(queue.identity.fifo ? { SequenceNumber: sequence } : {}) };
}

function repeatKeyOf(queue: Queue, groupId: string | undefined, deduplicationId: string): string {
  return queue.settings.deduplicatesPerGroup ? `${groupId ?? ""} ${deduplicationId}` : deduplicationId;
}
