import type { SystemAttribute } from "../limits/index.ts";
import type { QueuedMessage } from "./message.ts";

/** The system attributes that `message` has and `wants` asks for. */
export function systemAttributes(
  message: QueuedMessage,
  wants: (name: SystemAttribute) => boolean,
): Readonly<Record<string, string>> {
  const { content } = message;
  const all: readonly (readonly [SystemAttribute, string | undefined])[] = [
    ["SenderId", content.senderId],
    ["SentTimestamp", timeText(message.sentAt)],
    ["ApproximateReceiveCount", String(message.receiveCount)],
    ["ApproximateFirstReceiveTimestamp", timeText(message.firstReceivedAt)],
    ["AWSTraceHeader", content.traceHeader],
    ["MessageGroupId", content.groupId],
    ["MessageDeduplicationId", content.deduplicationId],
    ["SequenceNumber", message.sequenceNumber],
    ["DeadLetterQueueSourceArn", message.deadLetterSourceArn],
  ];
  const present: Record<string, string> = {};
  for (const [name, value] of all) if (value !== undefined && wants(name)) present[name] = value;
  return present;
}

/** Whole epoch milliseconds; the clock may give fractions when it runs fast. */
function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : String(Math.floor(at));
}
