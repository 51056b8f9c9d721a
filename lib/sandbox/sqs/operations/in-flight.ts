import type { ChangeMessageVisibilityBatchResult, DeleteMessageBatchResult } from "@aws-sdk/client-sqs";
import { invalidParameter, missingParameter, SqsError } from "../errors.ts";
import { type Input, LIMITS, optionalInteger, requiredText } from "../limits/index.ts";
import type { Engine } from "../model/engine.ts";
import type { QueuedMessage } from "../model/message.ts";
import type { Queue } from "../model/queue.ts";
import { readReceiptHandle } from "../model/receipt-handle.ts";
import { forEachEntry } from "./batches.ts";

export function deleteMessage(engine: Engine, input: Input, now: number): object {
  deleteByHandle(engine.queueOf(input, now), input, now);
  return {};
}

export function deleteMessageBatch(engine: Engine, input: Input, now: number): DeleteMessageBatchResult {
  const queue = engine.queueOf(input, now);
  return forEachEntry(input, ({ id, input: entry }) => {
    deleteByHandle(queue, entry, now);
    return { Id: id };
  });
}

export function changeMessageVisibility(engine: Engine, input: Input, now: number): object {
  changeByHandle(engine, engine.queueOf(input, now), input, now);
  return {};
}

export function changeMessageVisibilityBatch(
  engine: Engine,
  input: Input,
  now: number,
): ChangeMessageVisibilityBatchResult {
  const queue = engine.queueOf(input, now);
  return forEachEntry(input, ({ id, input: entry }) => {
    changeByHandle(engine, queue, entry, now);
    return { Id: id };
  });
}

interface Held {
  readonly handle: string;
  readonly message: QueuedMessage | undefined;
  /** Whether the handle is that of the latest receive. */
  readonly latest: boolean;
}

function held(queue: Queue, input: Input): Held {
  const handle = requiredText(input, "ReceiptHandle");
  const receipt = readReceiptHandle(handle, queue.identity.key);
  const message = queue.message(receipt.messageId);
  return { handle, message, latest: message?.receipt === receipt.serial };
}

/**
 * A message that is gone counts as deleted. On standard queues an older handle succeeds and deletes nothing, and the
 * latest one deletes even after its visibility timeout; on FIFO queues an expired handle is refused.
 */
function deleteByHandle(queue: Queue, input: Input, now: number): void {
  const { handle, message, latest } = held(queue, input);
  if (!message) return;
  if (queue.identity.fifo && !(latest && message.state === "notVisible")) {
    throw invalidParameter("ReceiptHandle", handle, "The receipt handle has expired.");
  }
  if (latest) queue.delete(message, now);
}

function changeByHandle(engine: Engine, queue: Queue, input: Input, now: number): void {
  const seconds = optionalInteger(input, "VisibilityTimeout", LIMITS.visibilitySeconds);
  if (seconds === undefined) throw missingParameter("VisibilityTimeout");
  const { handle, message, latest } = held(queue, input);
  if (!message) {
    const reason = "Message does not exist or is not available for visibility timeout change.";
    throw invalidParameter("ReceiptHandle", handle, reason);
  }
  if (!latest || message.state !== "notVisible") {
    throw new SqsError("MessageNotInflight", "The specified message isn't in flight.");
  }
  const hiddenMs = engine.clock.realMs(seconds * 1000);
  const sinceReceiveMs = now - (message.lastReceivedAt ?? now);
  if (sinceReceiveMs + hiddenMs > engine.clock.realMs(LIMITS.visibilitySeconds.max * 1000)) {
    const limit = LIMITS.visibilitySeconds.max;
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${limit} seconds].`;
    throw invalidParameter("VisibilityTimeout", seconds, reason);
  }
  queue.hideUntil(message, now + hiddenMs, now);
}
