import type { Stack } from "aws-cdk-lib";
import type { IQueue } from "aws-cdk-lib/aws-sqs";

/** The command that reports a failed item by hand. */
export function sendCommand(stack: Stack, ingestQueue: IQueue): string {
  return `aws sqs send-message --region ${stack.region} --queue-url ${ingestQueue.queueUrl} --message-body '{"order":42}'`;
}

/**
 * The command that redrives all dead letters. It always names the ingest queue: right for our copies and for raw reports
 * that SQS moved, while SQS refuses to guess a destination for messages that were sent.
 */
export function redriveCommand(stack: Stack, deadLetterQueue: IQueue, ingestQueue: IQueue): string {
  const queues = `--source-arn ${deadLetterQueue.queueArn} --destination-arn ${ingestQueue.queueArn}`;
  return `aws sqs start-message-move-task --region ${stack.region} ${queues}`;
}

/**
 * The command that makes the ingest queue the redrive target of a work queue which is deployed elsewhere.
 *
 * @param maxReceiveCount deliveries that make one attempt
 */
export function wiringCommand(stack: Stack, workQueue: IQueue, ingestQueue: IQueue, maxReceiveCount: number): string {
  const policy = `{\\"deadLetterTargetArn\\":\\"${ingestQueue.queueArn}\\",\\"maxReceiveCount\\":\\"${maxReceiveCount}\\"}`;
  return `aws sqs set-queue-attributes --region ${stack.region} --queue-url ${workQueue.queueUrl} --attributes '{"RedrivePolicy":"${policy}"}'`;
}
