import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  type TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/** All alarms look at whole minutes. */
export const PERIOD = Duration.minutes(1);

export interface AlarmSpec {
  readonly metric: IMetric;
  /** It rings above this. */
  readonly above: number;
  /** What it means and what to do, in a sentence or two. */
  readonly description: string;
  /** Section of docs/runbook.md. */
  readonly runbook: string;
  readonly treatMissingData: TreatMissingData;
  /** @default 1 */
  readonly minutes?: number;
}

/** An alarm that says when it rings and when it stops; "above" is strict, so a threshold of 0 is not red for ever. */
export function addAlarm(scope: Construct, id: string, spec: AlarmSpec, action: IAlarmAction): Alarm {
  const alarm = new Alarm(scope, id, {
    metric: spec.metric,
    threshold: spec.above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: spec.minutes ?? 1,
    treatMissingData: spec.treatMissingData,
    alarmDescription: `${spec.description} Runbook: docs/runbook.md#${spec.runbook}`,
  });
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}
