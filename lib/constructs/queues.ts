import { type IQueue, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { PipelineSettings } from "./pipeline-settings.ts";
import { RETENTION } from "./retention.ts";

const ENCRYPTED = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** Exhausted items with their reason, and raw reports that SQS moved because we could not handle them. */
export function deadLetterQueue(scope: Construct, settings: PipelineSettings): Queue {
  return new Queue(scope, "DeadLetterQueue", {
    ...ENCRYPTED,
    retentionPeriod: RETENTION.deadLetter,
    removalPolicy: settings.deadLetterRemovalPolicy,
  });
}

/**
 * Where failure reports arrive. It has no redrive allow policy: naming the work queue there, which names this queue,
 * would be a cycle in CloudFormation.
 */
export function ingestQueue(scope: Construct, settings: PipelineSettings, deadLetters: IQueue): Queue {
  return new Queue(scope, "IngestQueue", {
    ...ENCRYPTED,
    retentionPeriod: settings.ingestRetention,
    visibilityTimeout: settings.ingestVisibilityTimeout,
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: settings.ingestMaxReceiveCount },
    removalPolicy: settings.queueRemovalPolicy,
  });
}

/** A work queue that is wired: what a worker fails to delete moves to the ingest queue by itself. */
export function workQueue(scope: Construct, settings: PipelineSettings, ingest: IQueue): Queue {
  return new Queue(scope, "WorkQueue", {
    ...ENCRYPTED,
    retentionPeriod: settings.workQueueRetention,
    visibilityTimeout: settings.workQueueVisibilityTimeout,
    deadLetterQueue: { queue: ingest, maxReceiveCount: settings.maxReceiveCount },
    removalPolicy: settings.queueRemovalPolicy,
  });
}
