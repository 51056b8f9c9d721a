import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { RetryOrchestratorProps, RetryPolicyProps } from "./props.ts";
import { RETENTION } from "./retention.ts";

/** The props with their defaults; `props.ts` states the same defaults to readers. */
export function completeProps(props: RetryOrchestratorProps) {
  const { reservedConcurrency, queueRemovalPolicy } = props;
  return {
    functionTimeout: props.functionTimeout ?? Duration.seconds(60),
    batchSize: props.batchSize ?? 100,
    batchingWindow: props.batchingWindow ?? Duration.seconds(1),
    maxConcurrency: props.maxConcurrency ?? Math.min(10, Math.max(2, reservedConcurrency ?? 10)),
    maxReceiveCount: props.maxReceiveCount ?? 2,
    workQueueVisibilityTimeout: props.workQueueVisibilityTimeout ?? Duration.minutes(6),
    workQueueRetention: props.workQueueRetention ?? RETENTION.work,
    ingestRetention: props.ingestRetention ?? RETENTION.ingest,
    tableRemovalPolicy: props.tableRemovalPolicy ?? RemovalPolicy.RETAIN,
    queueRemovalPolicy: queueRemovalPolicy ?? RemovalPolicy.DESTROY,
    deadLetterRemovalPolicy: queueRemovalPolicy ?? RemovalPolicy.RETAIN,
  };
}

/** The policy's props as core's `parsePolicy` takes them. */
export function policyInput({ base, factor, cap, minDelay, jitter, maxAttempts, maxElapsed }: RetryPolicyProps) {
  return {
    baseMs: base?.toMilliseconds(),
    factor,
    capMs: cap?.toMilliseconds(),
    minDelayMs: minDelay?.toMilliseconds(),
    jitter,
    maxAttempts,
    maxElapsedMs: maxElapsed?.toMilliseconds(),
  };
}
