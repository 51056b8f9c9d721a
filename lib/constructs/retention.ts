import { Duration, Token } from "aws-cdk-lib";
import { CfnQueue, type IQueue } from "aws-cdk-lib/aws-sqs";

/** SQS keeps no message longer. */
export const SQS_MOST_RETENTION = Duration.days(14);

/** How long messages stay. SQS's own move keeps a message's first enqueue time, so each stage has to outlast the last. */
export const RETENTION = {
  work: Duration.days(4),
  ingest: Duration.days(10),
  deadLetter: SQS_MOST_RETENTION,
} as const;

/** SQS's own default. */
const UNSET_SECONDS = 345_600;

/** The retention of a queue that this app defines; undefined for one that is deployed elsewhere. */
export function knownRetention(queue: IQueue): Duration | undefined {
  const resource = queue.node.defaultChild;
  if (!(resource instanceof CfnQueue)) return undefined;
  const seconds = resource.messageRetentionPeriod ?? UNSET_SECONDS;
  return Token.isUnresolved(seconds) ? undefined : Duration.seconds(seconds);
}
