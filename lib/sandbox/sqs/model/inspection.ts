import type { MessageAttributes } from "../limits/index.ts";
import type { MessageState, QueuedMessage } from "./message.ts";
import type { Queue } from "./queue.ts";
import { systemAttributes } from "./system-attributes.ts";

export interface InspectedMessage {
  readonly messageId: string;
  readonly body: string;
  /** The message attributes. */
  readonly attributes: MessageAttributes;
  readonly systemAttributes: Readonly<Record<string, string>>;
  readonly state: MessageState;
  /** When it becomes, or became, visible; clock milliseconds. */
  readonly dueAt: number;
}

/** A look into a queue at one moment. */
export interface QueueInspection {
  readonly visible: number;
  readonly notVisible: number;
  readonly delayed: number;
  /**
   * Age of the message that is longest in this queue, 0 when it is empty. As in `ApproximateAgeOfOldestMessage`, a
   * dead-letter queue counts from the move, not from the first send.
   */
  readonly oldestAgeMs: number;
  /** In order of arrival; made when first read. */
  readonly messages: readonly InspectedMessage[];
}

export function inspectedQueue(queue: Queue, now: number): QueueInspection {
  const present = queue.messages();
  const oldest = present.next().value;
  let messages: readonly InspectedMessage[] | undefined;
  return {
    ...queue.counts,
    oldestAgeMs: oldest === undefined ? 0 : Math.max(0, now - oldest.arrivedAt),
    get messages() {
      messages ??= [...queue.messages()].map(inspected);
      return messages;
    },
  };
}

function inspected(message: QueuedMessage): InspectedMessage {
  return {
    messageId: message.messageId,
    body: message.content.body,
    attributes: message.content.attributes,
    systemAttributes: systemAttributes(message, () => true),
    state: message.state,
    dueAt: message.dueAt,
  };
}
