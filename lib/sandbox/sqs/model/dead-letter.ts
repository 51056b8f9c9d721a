import type { Engine } from "./engine.ts";
import type { QueuedMessage } from "./message.ts";
import type { Queue } from "./queue.ts";

/**
 * Moves a message to its queue's dead-letter queue. On standard queues id, `SentTimestamp` and enqueue time stay, so
 * retention goes on; on FIFO queues the enqueue time starts again (developer guide, dead-letter queue retention).
 *
 * @returns false when the dead-letter queue is gone
 */
export function moveToDeadLetterQueue(engine: Engine, source: Queue, message: QueuedMessage, now: number): boolean {
  const targetArn = source.settings.redrive?.targetArn;
  const target = targetArn === undefined ? undefined : engine.queueByArn(targetArn);
  if (!target || target === source) return false;
  const { messageId, content, sentAt, enqueuedAt, receiveCount, firstReceivedAt, sequenceNumber, receipt } = message;
  source.remove(message);
  target.progress(now);
  target.enter(
    {
      messageId,
      content,
      sentAt,
      enqueuedAt: source.identity.fifo ? now : enqueuedAt,
      deadLetterSourceArn: source.identity.arn,
      receiveCount,
      receipt,
      delayMs: 0,
      ...(firstReceivedAt === undefined ? {} : { firstReceivedAt }),
      ...(sequenceNumber === undefined ? {} : { sequenceNumber }),
    },
    engine.nextOrder(),
    now,
  );
  engine.events.record({
    type: "moved",
    by: "redrive",
    queueName: source.identity.name,
    messageId,
    toQueueName: target.identity.name,
    toMessageId: messageId,
    at: now,
  });
  return true;
}
