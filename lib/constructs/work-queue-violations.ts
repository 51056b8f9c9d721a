import { Stack, Token } from "aws-cdk-lib";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** What is wrong with a work queue that is given to a pipeline, as far as it is known at synthesis. */
export function workQueueViolations(scope: Construct, workQueue: IQueue): readonly string[] {
  const { account, region } = Stack.of(scope);
  const rules: readonly (readonly [broken: boolean, message: string])[] = [
    [
      isFifo(workQueue),
      "'workQueue' must be a standard queue, got a FIFO queue: SQS delays no single message there, and FIFO work queues " +
        "come with the parking queue in a later release",
    ],
    [
      differ(account, workQueue.env.account),
      `'workQueue' must be in the stack's account ${account}, got one in ${workQueue.env.account}`,
    ],
    [
      differ(region, workQueue.env.region),
      `'workQueue' must be in the stack's Region ${region}, got one in ${workQueue.env.region}`,
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

function isFifo({ fifo, queueName }: IQueue): boolean {
  return fifo || (!Token.isUnresolved(queueName) && queueName.endsWith(".fifo"));
}

/** Both are known, and are not the same. */
function differ(mine: string, theirs: string): boolean {
  return !Token.isUnresolved(mine) && !Token.isUnresolved(theirs) && mine !== theirs;
}
