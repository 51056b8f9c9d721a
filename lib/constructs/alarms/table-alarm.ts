import { type Alarm, type IAlarmAction, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { addAlarm, PERIOD } from "./alarm-family.ts";

/** The alarm on throttled reads and writes of the state table; DynamoDB reports the metrics only when there are some. */
export function tableAlarm(scope: Construct, table: Table, action: IAlarmAction): Alarm {
  const throttles = (metricName: string) =>
    new Metric({
      namespace: "AWS/DynamoDB",
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: "Sum",
      period: PERIOD,
    });
  return addAlarm(
    scope,
    "TableThrottled",
    {
      metric: new MathExpression({
        expression: "FILL(reads, 0) + FILL(writes, 0)",
        usingMetrics: { reads: throttles("ReadThrottleEvents"), writes: throttles("WriteThrottleEvents") },
        period: PERIOD,
        label: "throttled reads and writes",
      }),
      above: 0,
      description:
        "DynamoDB throttles the state table. Reports are handed back and come again: retries are late, none is lost.",
      runbook: "table-throttled",
      treatMissingData: TreatMissingData.NOT_BREACHING,
    },
    action,
  );
}
