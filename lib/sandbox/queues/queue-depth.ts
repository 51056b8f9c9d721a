import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from "@aws-sdk/client-sqs";
import type { QueueService } from "../sqs/index.ts";

/** What is in a queue, as CloudWatch is told. */
export interface QueueDepth {
  readonly visible: number;
  readonly notVisible: number;
  readonly delayed: number;
  /** Unknown with a foreign endpoint: no attribute says it. */
  readonly oldestAgeMs?: number;
}

export type ReadDepth = (queueUrl: string) => Promise<QueueDepth>;

/** Reads depths from the queue engine of this process. */
export function depthFromService(service: QueueService): ReadDepth {
  return async (queueUrl) => service.inspect(queueUrl);
}

const COUNTS: readonly QueueAttributeName[] = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
];

/** Reads depths over the network. */
export function depthFromEndpoint(sqs: SQSClient): ReadDepth {
  return async (queueUrl) => {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...COUNTS] });
    const { Attributes = {} } = await sqs.send(command);
    const [visible, notVisible, delayed] = COUNTS.map((name) => Number(Attributes[name] ?? 0));
    return { visible: visible ?? 0, notVisible: notVisible ?? 0, delayed: delayed ?? 0 };
  };
}
