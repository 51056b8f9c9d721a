import { Duration, type RemovalPolicy } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { parsePolicy } from "../core/backoff/parse-policy.ts";
import { MAX_DELAY_MS, type RetryPolicy } from "../core/backoff/policy.ts";
import { completeProps, policyInput } from "./complete-props.ts";
import { propViolations } from "./prop-violations.ts";
import type { RetryOrchestratorProps } from "./props.ts";
import { knownRetention, RETENTION, SQS_MOST_RETENTION } from "./retention.ts";
import { workQueueViolations } from "./work-queue-violations.ts";

/** So long reports wait out an outage of ours before SQS moves them to the dead-letter queue. */
const OUTAGE = Duration.hours(24);

/** SQS takes no greater `maxReceiveCount`. */
const SQS_MOST_RECEIVES = 1000;

/** A pipeline's settings, checked and complete. */
export interface PipelineSettings {
  readonly policy: RetryPolicy;
  readonly functionTimeout: Duration;
  readonly batchSize: number;
  readonly batchingWindow: Duration;
  readonly maxConcurrency: number;
  readonly ingestVisibilityTimeout: Duration;
  readonly ingestMaxReceiveCount: number;
  readonly ingestRetention: Duration;
  readonly workQueueVisibilityTimeout: Duration;
  readonly workQueueRetention: Duration;
  /** Deliveries of a wired work queue that make one attempt. */
  readonly maxReceiveCount: number;
  readonly tableRemovalPolicy: RemovalPolicy;
  readonly queueRemovalPolicy: RemovalPolicy;
  readonly deadLetterRemovalPolicy: RemovalPolicy;
  readonly reportLifetimeMs: number;
  readonly rowLifetimeMs: number;
}

/**
 * The settings that the props of a pipeline come to.
 *
 * @throws Error that names every wrong prop at once, with its value and what is allowed
 */
export function pipelineSettings(scope: Construct, props: RetryOrchestratorProps): PipelineSettings {
  const { workQueue } = props;
  const violations = [...propViolations(props), ...(workQueue ? workQueueViolations(scope, workQueue) : [])];
  if (violations.length > 0) throw new Error(`${scope.node.path}: ${violations.join("; ")}`);
  const parsed = parsePolicy(policyInput(props), { maxCapMs: MAX_DELAY_MS });
  if (!parsed.ok) throw new Error(`${scope.node.path}: ${parsed.violations.map(({ message }) => message).join("; ")}`);

  const complete = completeProps(props);
  const { functionTimeout, batchingWindow, ingestRetention } = complete;
  // AWS's advice for a queue that a function reads; derived, so that a longer time limit cannot leave it behind.
  const ingestVisibilityTimeout = Duration.seconds(6 * functionTimeout.toSeconds() + batchingWindow.toSeconds());
  const wanted = Math.max(10, Math.ceil(OUTAGE.toSeconds() / ingestVisibilityTimeout.toSeconds()));
  // SQS goes on counting when it moves a message, so what was received in the work queue comes on top.
  const ingestMaxReceiveCount = Math.min(SQS_MOST_RECEIVES, wanted + complete.maxReceiveCount);
  const ownReceives = ingestMaxReceiveCount - complete.maxReceiveCount;
  const workRetention = workQueue ? (knownRetention(workQueue) ?? SQS_MOST_RETENTION) : complete.workQueueRetention;
  const stays = [workRetention, ingestRetention, RETENTION.deadLetter, Duration.days(2)];
  return {
    ...complete,
    policy: parsed.policy,
    ingestVisibilityTimeout,
    ingestMaxReceiveCount,
    reportLifetimeMs: ownReceives * ingestVisibilityTimeout.toMilliseconds(),
    rowLifetimeMs: parsed.policy.capMs + stays.reduce((sum, stay) => sum + stay.toMilliseconds(), 0),
  };
}
