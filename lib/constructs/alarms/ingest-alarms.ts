import { type Alarm, type IAlarmAction, type IMetric, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { addAlarm, PERIOD } from "./alarm-family.ts";

/** Reports are handled within seconds; older than one longest delay and one redelivery means that they are not. */
const LONGEST_WAIT_SECONDS = 900;

/** Alarms on the way from the ingest queue through the function. None of their metrics is reported without traffic. */
export function ingestAlarms(
  scope: Construct,
  queue: IQueue,
  ingestFunction: IFunction,
  sharedIdentities: IMetric,
  visibilityTimeoutSeconds: number,
  action: IAlarmAction,
): readonly Alarm[] {
  const treatMissingData = TreatMissingData.NOT_BREACHING;
  const sum = { statistic: "Sum", period: PERIOD };
  return [
    addAlarm(
      scope,
      "ReportsWaiting",
      {
        metric: queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", period: PERIOD }),
        above: LONGEST_WAIT_SECONDS + visibilityTimeoutSeconds,
        description:
          "Failure reports wait in the ingest queue: retries are late. Look at the function's errors and throttles.",
        runbook: "reports-waiting",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "IngestErrors",
      {
        metric: ingestFunction.metricErrors(sum),
        above: 0,
        description: "The ingest function failed as a whole: a crash, a time-out, or a wrong setting named in its log.",
        runbook: "ingest-errors",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "IngestThrottles",
      {
        metric: ingestFunction.metricThrottles(sum),
        above: 0,
        description:
          "The ingest function is throttled: the account's concurrency is used up. Retries are late, none is lost.",
        runbook: "ingest-throttles",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "RecursionStopped",
      {
        metric: new Metric({
          namespace: "AWS/Lambda",
          metricName: "RecursiveInvocationsDropped",
          dimensionsMap: { FunctionName: ingestFunction.functionName },
          ...sum,
        }),
        above: 0,
        description:
          "Lambda took retries for an endless loop and dropped invocations; their reports stay in the ingest queue.",
        runbook: "recursion-stopped",
        treatMissingData,
      },
      action,
    ),
    addAlarm(
      scope,
      "SharedIdentities",
      {
        metric: sharedIdentities,
        above: 0,
        description:
          "Different messages bear one item id, so they share a budget. Choose an id attribute that is unique.",
        runbook: "shared-identities",
        treatMissingData,
      },
      action,
    ),
  ];
}
