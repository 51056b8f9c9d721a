import { RemovalPolicy } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  CfnFunction,
  EventSourceMapping,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { printConfiguration } from "../core/configuration.ts";
import { handlerCode } from "./handler-code.ts";
import type { PipelineSettings } from "./pipeline-settings.ts";

export interface IngestFunctionProps {
  readonly ingestQueue: IQueue;
  readonly workQueue: IQueue;
  readonly deadLetterQueue: IQueue;
  readonly stateTable: Table;
  readonly settings: PipelineSettings;
  readonly idAttribute?: string | undefined;
  readonly reservedConcurrency?: number | undefined;
}

/** The function that reads the ingest queue, with a role that allows it exactly its work. */
export class IngestFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: IngestFunctionProps) {
    super(scope, id);
    const { ingestQueue, settings, idAttribute } = props;
    const logGroup = new LogGroup(this, "Logs", {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.function = new LambdaFunction(this, "Function", {
      description: "Takes failure reports and sends each item back to its work queue, or to the dead-letter queue",
      code: handlerCode(),
      handler: "ingest.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: settings.functionTimeout,
      role: roleFor(this, props, logGroup),
      logGroup,
      tracing: Tracing.DISABLED,
      // AWS's net stays: our sends carry no lineage, so only a loop that is not ours is stopped.
      recursiveLoop: RecursiveLoop.TERMINATE,
      environment: printConfiguration({
        policy: settings.policy,
        workQueueUrl: props.workQueue.queueUrl,
        deadLetterQueueUrl: props.deadLetterQueue.queueUrl,
        stateTableName: props.stateTable.tableName,
        ingestQueueName: ingestQueue.queueName,
        workMaxReceiveCount: settings.maxReceiveCount,
        reportLifetimeMs: settings.reportLifetimeMs,
        rowLifetimeMs: settings.rowLifetimeMs,
        ...(idAttribute !== undefined && { idAttribute }),
      }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
    });
    omitNeedlessDependency(this.function, props.workQueue);
    new EventSourceMapping(this, "Mapping", {
      target: this.function,
      eventSourceArn: ingestQueue.queueArn,
      batchSize: settings.batchSize,
      maxBatchingWindow: settings.batchingWindow,
      maxConcurrency: settings.maxConcurrency,
      reportBatchItemFailures: true,
    });
  }
}

/** The CDK lets the function wait for its role, which it refers to anyway: cfn-lint warns of that. */
function omitNeedlessDependency({ node }: LambdaFunction, { encryptionMasterKey }: IQueue): void {
  // With a key the role has a policy resource of its own, for which the function does have to wait.
  if (encryptionMasterKey === undefined && node.defaultChild instanceof CfnFunction) {
    node.defaultChild.addDeletionOverride("DependsOn");
  }
}

/** Inline policies, so that they are there before the mapping first polls. */
function roleFor(scope: Construct, props: IngestFunctionProps, logGroup: LogGroup): Role {
  const { ingestQueue, workQueue, deadLetterQueue, stateTable } = props;
  const allow = (actions: string[], ...resources: string[]) =>
    new PolicyStatement({ effect: Effect.ALLOW, actions, resources });
  const role = new Role(scope, "Role", {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: "Reads one ingest queue, sends to one work queue and one dead-letter queue, keeps one table",
    inlinePolicies: {
      Ingest: new PolicyDocument({
        statements: [
          allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], ingestQueue.queueArn),
          allow(["sqs:SendMessage"], workQueue.queueArn, deadLetterQueue.queueArn),
          allow(["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem"], stateTable.tableArn),
          allow(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn),
        ],
      }),
    },
  });
  workQueue.encryptionMasterKey?.grant(role, "kms:Decrypt", "kms:GenerateDataKey*");
  return role;
}
