import {
  type Alarm,
  type IAlarmAction,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { addAlarm, PERIOD } from "./alarm-family.ts";

/**
 * Alarms on the dead-letter queue. They watch its depth, not `NumberOfMessagesSent`, which misses what SQS itself moves
 * there. SQS reports no depth for a queue that has been idle for hours, so no data means nothing is waiting.
 */
export function deadLetterAlarms(
  scope: Construct,
  queue: IQueue,
  exhausted: IMetric,
  redriveCommand: string,
  action: IAlarmAction,
): readonly Alarm[] {
  const depth = queue.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: PERIOD });
  const treatMissingData = TreatMissingData.NOT_BREACHING;
  return [
    addAlarm(
      scope,
      "DeadLettersWaiting",
      {
        metric: depth,
        above: 0,
        description: `Items wait in the dead-letter queue. Read their reasons, mend the cause, then redrive: ${redriveCommand}.`,
        runbook: "dead-letters-waiting",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "DeadLetterArrived",
      {
        metric: new MathExpression({
          expression: "DIFF(depth)",
          usingMetrics: { depth },
          period: PERIOD,
          label: "new dead letters",
        }),
        above: 0,
        description: "More items came into the dead-letter queue, while others may still wait there.",
        runbook: "dead-letter-arrived",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "ItemsExhausted",
      {
        metric: exhausted,
        above: 0,
        description:
          "Items ran out of attempts or time, or cannot be retried. Find out what fails before the next ones do.",
        runbook: "items-exhausted",
        treatMissingData,
      },
      action,
    ),
  ];
}
