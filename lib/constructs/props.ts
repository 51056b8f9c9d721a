import type { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Jitter } from "../core/backoff/policy.ts";

/** When an item comes back, and when it does not come back any more. */
export interface RetryPolicyProps {
  /**
   * Backoff after attempt 1.
   * @default Duration.seconds(10)
   */
  readonly base?: Duration;
  /**
   * Growth of the backoff from one attempt to the next, 1 to 1000.
   * @default 2
   */
  readonly factor?: number;
  /**
   * No delay is ever longer; at most 15 minutes, SQS's longest.
   * @default Duration.minutes(15)
   */
  readonly cap?: Duration;
  /**
   * No delay is ever shorter.
   * @default Duration.seconds(1)
   */
  readonly minDelay?: Duration;
  /**
   * How delays are spread.
   * @default { mode: "full" }
   */
  readonly jitter?: Jitter;
  /**
   * All attempts, the first delivery included, 1 to 1000.
   * @default 10
   */
  readonly maxAttempts?: number;
  /**
   * No retry starts later than this after the first failure.
   * @default - no limit
   */
  readonly maxElapsed?: Duration;
}

/** A pipeline: one per work queue. */
export interface RetryOrchestratorProps extends RetryPolicyProps {
  /**
   * The queue whose items are retried: standard, in the stack's account and Region.
   * @default - a queue is created, and wired so that what fails there moves to the ingest queue
   */
  readonly workQueue?: IQueue;
  /**
   * User attribute that carries the caller's own item id. It must be unique: messages that share it share a budget.
   * @default - items are named by our context, or by the message id of their first report
   */
  readonly idAttribute?: string;
  /**
   * Visibility timeout of a created work queue; give it six times your worker's time limit.
   * @default Duration.minutes(6)
   */
  readonly workQueueVisibilityTimeout?: Duration;
  /**
   * How long messages stay in a created work queue, 1 minute to 12 days; at least a day less than `ingestRetention`.
   * @default Duration.days(4)
   */
  readonly workQueueRetention?: Duration;
  /**
   * Deliveries of a wired work queue that make one attempt, 1 to 100. For a work queue that is wired elsewhere, say what
   * its redrive policy says: SQS goes on counting receives in the ingest queue.
   * @default 2
   */
  readonly maxReceiveCount?: number;
  /**
   * How long failure reports stay in the ingest queue, 2 to 13 days. A message that SQS moves there brings its age along.
   * The dead-letter queue keeps messages for 14 days, the longest there is.
   * @default Duration.days(10)
   */
  readonly ingestRetention?: Duration;
  /**
   * Where all alarms go, when they ring and when they stop.
   * @default - a topic is created
   */
  readonly alarmTopic?: ITopic;
  /**
   * Time limit of the ingest function, 15 seconds to 15 minutes. The ingest queue's visibility timeout follows from it.
   * @default Duration.seconds(60)
   */
  readonly functionTimeout?: Duration;
  /**
   * Reports handled in one invocation, 1 to 10,000.
   * @default 100
   */
  readonly batchSize?: number;
  /**
   * How long a batch is collected, whole seconds up to 5 minutes.
   * @default Duration.seconds(1)
   */
  readonly batchingWindow?: Duration;
  /**
   * Invocations of the ingest function at the same time, 2 to 1000.
   * @default 10
   */
  readonly maxConcurrency?: number;
  /**
   * Concurrency set aside for the ingest function; not less than `maxConcurrency`, which follows it where it is not set.
   * @default - none
   */
  readonly reservedConcurrency?: number;
  /**
   * What becomes of the state table when the stack goes.
   * @default RemovalPolicy.RETAIN
   */
  readonly tableRemovalPolicy?: RemovalPolicy;
  /**
   * What becomes of the queues, and of what is in them, when the stack goes.
   * @default RemovalPolicy.DESTROY; the dead-letter queue RemovalPolicy.RETAIN
   */
  readonly queueRemovalPolicy?: RemovalPolicy;
}
