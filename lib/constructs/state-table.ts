import { AttributeType, BillingMode, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import type { PipelineSettings } from "./pipeline-settings.ts";

/** One row per item. Retained with point-in-time recovery: it is all that is known of items on their way. */
export function stateTable(scope: Construct, { tableRemovalPolicy }: PipelineSettings): Table {
  return new Table(scope, "StateTable", {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.DEFAULT,
    timeToLiveAttribute: "expiresAt",
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: tableRemovalPolicy,
  });
}
