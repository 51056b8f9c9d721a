import type { QueueDepth } from "../queues/queue-depth.ts";
import type { QueueEvent } from "../sqs/index.ts";
import type { MetricStore } from "./metric-store.ts";

const NAMESPACE = "AWS/SQS";

/** Events that SQS counts; what it moves by itself is not counted as sent. */
const COUNTERS: Readonly<Partial<Record<QueueEvent["type"], string>>> = {
  sent: "NumberOfMessagesSent",
  received: "NumberOfMessagesReceived",
  deleted: "NumberOfMessagesDeleted",
};

/** Records what a queue holds at a time, under the names of AWS/SQS. */
export function recordDepth(metrics: MetricStore, queueName: string, depth: QueueDepth, at: number): void {
  const record = (name: string, value: number) =>
    metrics.record({ namespace: NAMESPACE, name, dimensions: { QueueName: queueName } }, value, at);
  record("ApproximateNumberOfMessagesVisible", depth.visible);
  record("ApproximateNumberOfMessagesNotVisible", depth.notVisible);
  record("ApproximateNumberOfMessagesDelayed", depth.delayed);
  if (depth.oldestAgeMs !== undefined) record("ApproximateAgeOfOldestMessage", Math.floor(depth.oldestAgeMs / 1000));
}

/** Counts what happened to a message. */
export function recordEvent(metrics: MetricStore, { type, queueName, at }: QueueEvent): void {
  const name = COUNTERS[type];
  if (name !== undefined) metrics.record({ namespace: NAMESPACE, name, dimensions: { QueueName: queueName } }, 1, at);
}
