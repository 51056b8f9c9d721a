import { Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Key } from "aws-cdk-lib/aws-kms";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator } from "../../lib/constructs/index.ts";
import { parseConfiguration } from "../../lib/core/configuration.ts";
import { anApp, aPipeline, FUNCTION, type Json, MAPPING, one, QUEUE, TABLE } from "./synthesized.ts";

const ROLE = "AWS::IAM::Role";
const POLICY = "AWS::IAM::Policy";
const getArn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

describe("the ingest function", () => {
  it("FC-26: runs on a runtime that is not deprecated, on arm64, with a log group of its own", () => {
    const { template } = aPipeline();
    const { properties } = one(template, FUNCTION);

    expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"], Timeout: 60 });
    expect(properties.LoggingConfig.LogGroup).toEqual({ Ref: one(template, "AWS::Logs::LogGroup").id });
    expect(one(template, "AWS::Logs::LogGroup").properties.RetentionInDays).toBe(90);
    expect(properties.FunctionName).toBeUndefined();
    expect(properties.TracingConfig).toBeUndefined();
  });

  it("FC-30: keeps AWS's loop guard as the net", () => {
    expect(one(aPipeline().template, FUNCTION).properties.RecursiveLoop).toBe("Terminate");
  });

  it("FC-13: says item by item which records failed", () => {
    const { template } = aPipeline();

    for (const { Properties } of Object.values(template.findResources(MAPPING))) {
      expect(Properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    }
  });

  it("FC-17: reads by a mapping of bounded concurrency, and reserves none unless told to", () => {
    const { template } = aPipeline();

    expect(one(template, MAPPING).properties).toMatchObject({
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 1,
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(one(template, FUNCTION).properties.ReservedConcurrentExecutions).toBeUndefined();
  });

  it("FC-17: never polls with more concurrency than is reserved", () => {
    const { template } = aPipeline({ reservedConcurrency: 5 });

    expect(one(template, FUNCTION).properties.ReservedConcurrentExecutions).toBe(5);
    expect(one(template, MAPPING).properties.ScalingConfig.MaximumConcurrency).toBe(5);
  });

  it("gets a configuration that its own parser accepts", () => {
    const { template } = aPipeline({
      base: Duration.seconds(2),
      cap: Duration.minutes(5),
      jitter: { mode: "proportional", ratio: 0.25 },
      maxAttempts: 6,
      maxElapsed: Duration.hours(2),
      idAttribute: "orderId",
      maxReceiveCount: 3,
    });
    const variables: Json = one(template, FUNCTION).properties.Environment.Variables;
    const ids = (queue: string) => ({ Ref: one(template, QUEUE, `Pipeline${queue}`).id });

    expect(variables.RETRY_WORK_QUEUE_URL).toEqual(ids("WorkQueue"));
    expect(variables.RETRY_DEAD_LETTER_QUEUE_URL).toEqual(ids("DeadLetterQueue"));
    expect(variables.RETRY_STATE_TABLE).toEqual({ Ref: one(template, TABLE).id });
    const configuration = parseConfiguration({
      ...variables,
      RETRY_WORK_QUEUE_URL: "https://work",
      RETRY_DEAD_LETTER_QUEUE_URL: "https://dead",
      RETRY_STATE_TABLE: "table",
      RETRY_INGEST_QUEUE_NAME: "ingest",
    });
    expect(configuration.policy).toEqual({
      baseMs: 2000,
      factor: 2,
      capMs: 300_000,
      minDelayMs: 1000,
      jitter: { mode: "proportional", ratio: 0.25 },
      maxAttempts: 6,
      maxElapsedMs: 7_200_000,
    });
    expect(configuration.idAttribute).toBe("orderId");
    expect(configuration.workMaxReceiveCount).toBe(3);
  });

  it("FC-19: keeps rows longer than a message can stay anywhere, and the longest delay on top", () => {
    const { template } = aPipeline();
    const { RETRY_ROW_LIFETIME_MS, RETRY_REPORT_LIFETIME_MS } = one(template, FUNCTION).properties.Environment
      .Variables;
    const retentions = Object.values(template.findResources(QUEUE)).map(
      ({ Properties }) => Properties.MessageRetentionPeriod,
    );
    const allRetentions = retentions.reduce((sum, seconds) => sum + seconds, 0);
    const ingest = one(template, QUEUE, "PipelineIngestQueue").properties;

    expect(Number(RETRY_ROW_LIFETIME_MS)).toBe((900 + allRetentions + 2 * 86_400) * 1000);
    expect(Number(RETRY_REPORT_LIFETIME_MS)).toBe(
      (ingest.RedrivePolicy.maxReceiveCount - 2) * ingest.VisibilityTimeout * 1000,
    );
  });
});

describe("the role of the ingest function", () => {
  it("may read one queue, send to two, keep one table and write one log, and nothing else", () => {
    const { template } = aPipeline();
    const queue = (name: string) => getArn(one(template, QUEUE, `Pipeline${name}`).id);
    const { properties } = one(template, ROLE);

    expect(properties.ManagedPolicyArns).toBeUndefined();
    expect(properties.Policies).toHaveLength(1);
    expect(properties.Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: "Allow",
        Action: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
        Resource: queue("IngestQueue"),
      },
      { Effect: "Allow", Action: "sqs:SendMessage", Resource: [queue("WorkQueue"), queue("DeadLetterQueue")] },
      {
        Effect: "Allow",
        Action: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem"],
        Resource: getArn(one(template, TABLE).id),
      },
      {
        Effect: "Allow",
        Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: getArn(one(template, "AWS::Logs::LogGroup").id),
      },
    ]);
    template.resourceCountIs(POLICY, 0);
  });

  it("FC-25: may use the customer's key of a given work queue, and that key only", () => {
    const stack = new Stack(anApp(), "Test");
    const key = new Key(stack, "Key");
    const workQueue = new Queue(stack, "Payments", { encryption: QueueEncryption.KMS, encryptionMasterKey: key });
    new RetryOrchestrator(stack, "Pipeline", { workQueue });
    const { PolicyDocument } = one(Template.fromStack(stack), POLICY).properties;

    expect(PolicyDocument.Statement).toEqual([
      {
        Effect: "Allow",
        Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
        Resource: stack.resolve(key.keyArn),
      },
    ]);
  });
});
