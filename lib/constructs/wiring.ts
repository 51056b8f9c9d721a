import { Stack } from "aws-cdk-lib";
import { CfnQueue, type IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { daysText } from "./prop-violations.ts";
import { knownRetention } from "./retention.ts";

/**
 * Makes the ingest queue the redrive target of a work queue of the same stack.
 *
 * @param maxReceiveCount deliveries that make one attempt
 * @throws Error where the queue's redrive policy cannot be set here
 */
export function wire(scope: Construct, workQueue: IQueue, ingestQueue: IQueue, maxReceiveCount: number): void {
  const resource = wireable(scope, workQueue);
  if (typeof resource === "string") {
    throw new Error(`${scope.node.path}: the work queue '${workQueue.node.path}' cannot be wired: ${resource}`);
  }
  resource.redrivePolicy = { deadLetterTargetArn: ingestQueue.queueArn, maxReceiveCount };
}

/** The resource whose redrive policy can be set, or why there is none. */
function wireable(scope: Construct, workQueue: IQueue): CfnQueue | string {
  const resource = workQueue.node.defaultChild;
  if (!(resource instanceof CfnQueue))
    return "it is not defined in this app; set its redrive policy where it is defined";
  if (Stack.of(resource) !== Stack.of(scope)) {
    return "it is in another stack, and the two would depend on each other; put the pipeline into the same stack";
  }
  return resource.redrivePolicy === undefined ? resource : "it has a dead-letter queue already; take that away";
}

/**
 * What is wrong with a work queue whose redrive policy names the ingest queue, however it came to do so: SQS's own move
 * keeps a message's first enqueue time, so a message that waited long could expire on its way.
 */
export function wiringViolations(workQueue: IQueue, ingestQueue: IQueue): readonly string[] {
  const resource = workQueue.node.defaultChild;
  const [work, ingest] = [knownRetention(workQueue), knownRetention(ingestQueue)];
  if (!(resource instanceof CfnQueue) || !work || !ingest) return [];
  const stack = Stack.of(resource);
  const policy: { deadLetterTargetArn?: unknown } | undefined = stack.resolve(resource.redrivePolicy);
  const target = JSON.stringify(policy?.deadLetterTargetArn);
  const isWired = target === JSON.stringify(stack.resolve(ingestQueue.queueArn));
  if (!isWired || work.toSeconds() + 86_400 <= ingest.toSeconds()) return [];
  return [
    `the retention of the wired work queue '${workQueue.node.path}' must be at least a day below the ingest queue's ` +
      `${daysText(ingest)}, got ${daysText(work)}; shorten it, or lengthen 'ingestRetention'`,
  ];
}
