import { readFileSync } from "node:fs";
import { Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator } from "../../lib/constructs/index.ts";
import { METRIC_DIMENSION, METRIC_NAMESPACE } from "../../lib/core/metrics.ts";
import { ALARM, anApp, aPipeline, FUNCTION, type Json, one, QUEUE, TABLE } from "./synthesized.ts";

const queueName = (id: string) => ({ "Fn::GetAtt": [id, "QueueName"] });

function alarm(name: string): Json {
  return one(aPipeline().template, ALARM, `Pipeline${name}`).properties;
}

describe("the alarms of a pipeline", () => {
  it("FC-23: watch the depth of the dead-letter queue, which both ways into it raise", () => {
    const { template } = aPipeline();

    expect(one(template, ALARM, "PipelineDeadLettersWaiting").properties).toMatchObject({
      Namespace: "AWS/SQS",
      MetricName: "ApproximateNumberOfMessagesVisible",
      Dimensions: [{ Name: "QueueName", Value: queueName(one(template, QUEUE, "PipelineDeadLetterQueue").id) }],
      Statistic: "Maximum",
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 0,
      ComparisonOperator: "GreaterThanThreshold",
    });
  });

  it("ring for each new arrival there, while others still wait", () => {
    const { Metrics, Threshold, ComparisonOperator } = alarm("DeadLetterArrived");

    expect(Metrics[0]).toMatchObject({ Expression: "DIFF(depth)" });
    expect(Metrics[1]).toMatchObject({ Id: "depth", ReturnData: false, MetricStat: { Stat: "Maximum", Period: 60 } });
    expect([Threshold, ComparisonOperator]).toEqual([0, "GreaterThanThreshold"]);
  });

  it("ring for exhausted items by our own metric, and again after a minute without", () => {
    const { template } = aPipeline();

    expect(one(template, ALARM, "PipelineItemsExhausted").properties).toMatchObject({
      Namespace: METRIC_NAMESPACE,
      MetricName: "Exhausted",
      Dimensions: [{ Name: METRIC_DIMENSION, Value: queueName(one(template, QUEUE, "PipelineIngestQueue").id) }],
      Statistic: "Sum",
      Period: 60,
      Threshold: 0,
    });
  });

  it("FC-24: all say what missing data means, ring strictly above their threshold, and say when they are over", () => {
    const { template } = aPipeline();
    const alarms = Object.values(template.findResources(ALARM));

    expect(alarms).toHaveLength(10);
    for (const { Properties } of alarms) {
      expect(Properties.TreatMissingData).toBe("notBreaching");
      expect(Properties.ComparisonOperator).toBe("GreaterThanThreshold");
      expect(Properties.AlarmActions).toEqual([{ Ref: one(template, "AWS::SNS::Topic").id }]);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
    }
  });

  it("ring when the oldest report is older than a longest delay and a redelivery", () => {
    const { Threshold, MetricName } = alarm("ReportsWaiting");

    expect([MetricName, Threshold]).toEqual(["ApproximateAgeOfOldestMessage", 900 + 361]);
  });

  it.each([
    ["IngestErrors", "Errors"],
    ["IngestThrottles", "Throttles"],
    ["RecursionStopped", "RecursiveInvocationsDropped"],
  ])("FC-30: %s watches %s of the function", (name, metric) => {
    const { template } = aPipeline();

    expect(one(template, ALARM, `Pipeline${name}`).properties).toMatchObject({
      Namespace: "AWS/Lambda",
      MetricName: metric,
      Dimensions: [{ Name: "FunctionName", Value: { Ref: one(template, FUNCTION).id } }],
      Statistic: "Sum",
      Threshold: 0,
    });
  });

  it("ring for throttled reads and writes of the table", () => {
    const { template } = aPipeline();
    const { Metrics } = one(template, ALARM, "PipelineTableThrottled").properties;
    const watched = Metrics.slice(1).map((each: Json) => each.MetricStat.Metric);

    expect(watched.map((each: Json) => each.MetricName).sort()).toEqual(["ReadThrottleEvents", "WriteThrottleEvents"]);
    for (const each of watched)
      expect(each.Dimensions).toEqual([{ Name: "TableName", Value: { Ref: one(template, TABLE).id } }]);
  });

  it("ring for shared identities, and for a created work queue that nobody reads", () => {
    expect(alarm("SharedIdentities").MetricName).toBe("SharedIdentities");
    expect(alarm("WorkQueueUnread").MetricName).toBe("ApproximateAgeOfOldestMessage");
  });

  it("allow a message of the work queue its deliveries and an hour before it counts as unread", () => {
    const { template } = aPipeline({ workQueueVisibilityTimeout: Duration.hours(2), maxReceiveCount: 3 });

    expect(alarm("WorkQueueUnread").Threshold).toBe(3600 + 2 * 360);
    expect(one(template, ALARM, "PipelineWorkQueueUnread").properties).toMatchObject({
      Threshold: 3600 + 3 * 7200,
      AlarmDescription: expect.stringContaining("over 7 h"),
    });
  });

  it("leave a given work queue to its owner, and go to a given topic", () => {
    const stack = new Stack(anApp(), "Test");
    const workQueue = new Queue(stack, "Payments");
    const alarmTopic = new Topic(stack, "OnCall");
    const pipeline = new RetryOrchestrator(stack, "Pipeline", { workQueue, alarmTopic });
    const template = Template.fromStack(stack);

    expect(pipeline.alarms).toHaveLength(9);
    template.resourceCountIs("AWS::SNS::Topic", 1);
    expect(one(template, ALARM, "PipelineDeadLettersWaiting").properties.AlarmActions).toEqual([
      stack.resolve(alarmTopic.topicArn),
    ]);
  });

  it("go to a topic that CloudWatch can publish to: its policy lets this account's alarms in, by TLS", () => {
    const { template } = aPipeline();
    const topic = one(template, "AWS::SNS::Topic");
    const statements: Json[] = one(template, "AWS::SNS::TopicPolicy").properties.PolicyDocument.Statement;

    expect(topic.properties?.KmsMasterKeyId).toBeUndefined();
    expect(statements).toHaveLength(2);
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Action: "sns:Publish",
        Resource: { Ref: topic.id },
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      }),
    );
  });

  it("name a section of the runbook each, and the one on waiting dead letters the command to redrive", () => {
    const runbook = readFileSync(new URL("../../docs/runbook.md", import.meta.url), "utf8");
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) =>
      heading.toLowerCase().replaceAll(" ", "-"),
    );
    const { template } = aPipeline();
    const sections = Object.values(template.findResources(ALARM)).map(({ Properties }) => {
      const text: string =
        typeof Properties.AlarmDescription === "string"
          ? Properties.AlarmDescription
          : Properties.AlarmDescription["Fn::Join"][1].at(-1);
      return text.split("docs/runbook.md#")[1];
    });

    expect([...sections].sort()).toEqual([...headings].sort());
    expect(JSON.stringify(alarm("DeadLettersWaiting").AlarmDescription)).toContain("aws sqs start-message-move-task");
  });
});
