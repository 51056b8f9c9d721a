import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { QueuePlan } from "../assembly/queue-plan.ts";

/** A queue as it is there. */
export interface SandboxQueue {
  readonly logicalId: string;
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  /** Visibility timeout, in seconds. */
  readonly visibilitySeconds: number;
}

/** Creates a queue without ties to others. @throws Error what SQS refuses, with the queue's logical id */
export async function createQueue(sqs: SQSClient, { logicalId, name, attributes }: QueuePlan): Promise<SandboxQueue> {
  return named(logicalId, async () => {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: { ...attributes } }));
    const AttributeNames = ["QueueArn" as const, "VisibilityTimeout" as const];
    const answer = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    const { QueueArn, VisibilityTimeout } = answer.Attributes ?? {};
    if (QueueUrl === undefined || QueueArn === undefined) throw new Error("the endpoint gives neither URL nor ARN");
    return { logicalId, name, url: QueueUrl, arn: QueueArn, visibilitySeconds: Number(VisibilityTimeout) };
  });
}

/** Ties a queue to others, when all of them are there. @throws Error what SQS refuses, with the queue's logical id */
export async function tieQueue(
  sqs: SQSClient,
  { logicalId, url }: SandboxQueue,
  attributes: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(attributes).length === 0) return;
  await named(logicalId, () =>
    sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { ...attributes } })),
  );
}

async function named<Result>(logicalId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`the queue ${logicalId} cannot be made as the template has it: ${message}`, { cause: error });
  }
}
