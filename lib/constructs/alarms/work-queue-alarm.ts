import { Duration } from "aws-cdk-lib";
import { type Alarm, type IAlarmAction, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { durationText } from "../../core/backoff/duration-text.ts";
import type { PipelineSettings } from "../pipeline-settings.ts";
import { addAlarm, PERIOD } from "./alarm-family.ts";

/** A message that is not taken within an hour has no reader. */
const UNREAD = Duration.hours(1);

/**
 * The alarm on a created work queue that nobody reads. A message that is worked on counts as waiting, so the time that
 * its deliveries may take comes on top.
 */
export function workQueueAlarm(
  scope: Construct,
  queue: IQueue,
  { workQueueVisibilityTimeout, maxReceiveCount }: PipelineSettings,
  action: IAlarmAction,
): Alarm {
  const seconds = UNREAD.toSeconds() + maxReceiveCount * workQueueVisibilityTimeout.toSeconds();
  return addAlarm(
    scope,
    "WorkQueueUnread",
    {
      metric: queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", period: PERIOD }),
      above: seconds,
      description: `Items wait in the work queue for over ${durationText(seconds * 1000)}: nobody reads it, or its worker is too slow.`,
      runbook: "work-queue-unread",
      treatMissingData: TreatMissingData.NOT_BREACHING,
    },
    action,
  );
}
