import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator, type RetryOrchestratorProps } from "../../lib/constructs/index.ts";
import { anApp, aPipeline, FUNCTION, type Json, MAPPING, one, QUEUE } from "./synthesized.ts";

const getArn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

describe("the queues of a pipeline", () => {
  it("FC-25: are encrypted by SQS, and take TLS only", () => {
    const { template } = aPipeline();

    for (const { Properties } of Object.values(template.findResources(QUEUE))) {
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true });
    }
    const policies = Object.values(template.findResources("AWS::SQS::QueuePolicy"));
    expect(policies).toHaveLength(3);
    for (const { Properties } of policies) {
      expect(Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      );
    }
  });

  it("FC-16: give the function six time limits and a window of visibility, also when its time limit doubles", () => {
    for (const [functionTimeout, timeout] of [
      [undefined, 60],
      [Duration.seconds(120), 120],
    ] as const) {
      const { template } = aPipeline({ ...(functionTimeout && { functionTimeout }) });
      const { properties } = one(template, QUEUE, "PipelineIngestQueue");
      const window = one(template, MAPPING).properties.MaximumBatchingWindowInSeconds;

      expect(one(template, FUNCTION).properties.Timeout).toBe(timeout);
      expect(properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeout + window);
    }
  });

  it.each<[string, RetryOrchestratorProps]>([
    ["by default", {}],
    ["with more deliveries per attempt, which SQS goes on counting", { maxReceiveCount: 20 }],
    ["with a long visibility timeout", { functionTimeout: Duration.minutes(15), batchingWindow: Duration.minutes(5) }],
    ["with a short one", { functionTimeout: Duration.seconds(15), batchSize: 10, batchingWindow: Duration.seconds(0) }],
  ])("FC-17: keep a report through a day of our own outage before SQS moves it: %s", (_, props) => {
    const { template } = aPipeline(props);
    const { RedrivePolicy, VisibilityTimeout, ...ingest } = one(template, QUEUE, "PipelineIngestQueue").properties;
    const ownReceives = RedrivePolicy.maxReceiveCount - (props.maxReceiveCount ?? 2);

    expect(RedrivePolicy.deadLetterTargetArn).toEqual(getArn(one(template, QUEUE, "PipelineDeadLetterQueue").id));
    expect(ownReceives).toBeGreaterThanOrEqual(10);
    expect(ownReceives * VisibilityTimeout).toBeGreaterThanOrEqual(24 * 3600);
    expect(RedrivePolicy.maxReceiveCount).toBeLessThanOrEqual(1000);
    expect(ingest.RedriveAllowPolicy).toBeUndefined();
  });

  it("FC-22: keep dead letters for 14 days, longer than reports, and reports a day longer than work", () => {
    const { template } = aPipeline();
    const retention = (queue: string) => one(template, QUEUE, `Pipeline${queue}`).properties.MessageRetentionPeriod;

    expect(retention("DeadLetterQueue")).toBe(1_209_600);
    expect(retention("IngestQueue")).toBe(864_000);
    expect(retention("IngestQueue") - retention("WorkQueue")).toBeGreaterThanOrEqual(86_400);
  });

  it("wire a created work queue: what fails there moves to the ingest queue after two deliveries", () => {
    const { template } = aPipeline();
    const { RedrivePolicy, VisibilityTimeout } = one(template, QUEUE, "PipelineWorkQueue").properties;

    expect(RedrivePolicy).toEqual({
      deadLetterTargetArn: getArn(one(template, QUEUE, "PipelineIngestQueue").id),
      maxReceiveCount: 2,
    });
    expect(VisibilityTimeout).toBe(360);
  });

  it("take the work queue's visibility timeout and deliveries per attempt from the props", () => {
    const { template } = aPipeline({ workQueueVisibilityTimeout: Duration.minutes(30), maxReceiveCount: 5 });
    const work: Json = one(template, QUEUE, "PipelineWorkQueue").properties;

    expect([work.VisibilityTimeout, work.RedrivePolicy.maxReceiveCount]).toEqual([1800, 5]);
  });

  it("take the retentions from the props", () => {
    const { template } = aPipeline({ workQueueRetention: Duration.days(2), ingestRetention: Duration.days(5) });
    const retention = (queue: string) => one(template, QUEUE, `Pipeline${queue}`).properties.MessageRetentionPeriod;

    expect([retention("WorkQueue"), retention("IngestQueue")]).toEqual([2 * 86_400, 5 * 86_400]);
  });

  it("FC-26: have no fixed name, and a stated removal policy", () => {
    const { template } = aPipeline();
    const policies = Object.entries(template.findResources(QUEUE)).map(([id, { Properties, DeletionPolicy }]) => {
      expect(Properties.QueueName).toBeUndefined();
      return [id.replace(/^Pipeline|[0-9A-F]{8}$/g, ""), DeletionPolicy];
    });

    expect(Object.fromEntries(policies)).toEqual({
      DeadLetterQueue: "Retain",
      IngestQueue: "Delete",
      WorkQueue: "Delete",
    });
  });

  it("take another removal policy for all of them", () => {
    const { template } = aPipeline({ queueRemovalPolicy: RemovalPolicy.DESTROY });

    template.allResources(QUEUE, { DeletionPolicy: "Delete" });
  });

  it("are two where a work queue is given", () => {
    const stack = new Stack(anApp(), "Test");
    const workQueue = Queue.fromQueueArn(stack, "Payments", "arn:aws:sqs:eu-west-1:123456789012:payments");
    const pipeline = new RetryOrchestrator(stack, "Pipeline", { workQueue });

    Template.fromStack(stack).resourceCountIs(QUEUE, 2);
    expect(pipeline.workQueue).toBe(workQueue);
  });
});
