import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator } from "../../lib/constructs/index.ts";
import { METRIC_DIMENSION, METRIC_NAMESPACE, METRICS } from "../../lib/core/metrics.ts";
import { anApp, aPipeline, FUNCTION, one, QUEUE, TABLE } from "./synthesized.ts";

describe("a pipeline", () => {
  it("exposes its parts", () => {
    const { stack, pipeline, template } = aPipeline();
    const ref = (id: string) => ({ Ref: id });

    expect(stack.resolve(pipeline.ingestQueue.queueUrl)).toEqual(ref(one(template, QUEUE, "PipelineIngestQueue").id));
    expect(stack.resolve(pipeline.workQueue.queueUrl)).toEqual(ref(one(template, QUEUE, "PipelineWorkQueue").id));
    expect(stack.resolve(pipeline.deadLetterQueue.queueUrl)).toEqual(
      ref(one(template, QUEUE, "PipelineDeadLetterQueue").id),
    );
    expect(stack.resolve(pipeline.stateTable.tableName)).toEqual(ref(one(template, TABLE).id));
    expect(stack.resolve(pipeline.ingestFunction.functionName)).toEqual(ref(one(template, FUNCTION).id));
    expect(stack.resolve(pipeline.alarmTopic.topicArn)).toEqual(ref(one(template, "AWS::SNS::Topic").id));
  });

  it("gives each of its metrics by the names and the dimension that the handlers write", () => {
    const { stack, pipeline } = aPipeline();
    const metrics = {
      [METRICS.Retried]: pipeline.metricRetried(),
      [METRICS.Exhausted]: pipeline.metricExhausted(),
      [METRICS.Recovered]: pipeline.metricRecovered(),
      [METRICS.Redriven]: pipeline.metricRedriven(),
      [METRICS.HandedBack]: pipeline.metricHandedBack(),
      [METRICS.SharedIdentities]: pipeline.metricSharedIdentities(),
      [METRICS.DelaySeconds]: pipeline.metricDelaySeconds(),
      [METRICS.RowsLost]: pipeline.metric(METRICS.RowsLost),
    };

    for (const [name, metric] of Object.entries(metrics)) {
      expect(metric).toMatchObject({ namespace: METRIC_NAMESPACE, metricName: name });
      expect(stack.resolve(metric.dimensions)).toEqual({
        [METRIC_DIMENSION]: stack.resolve(pipeline.ingestQueue.queueName),
      });
      expect(metric.statistic).toBe(name === METRICS.DelaySeconds ? "Average" : "Sum");
    }
    expect(pipeline.metricRetried({ statistic: "Maximum" }).statistic).toBe("Maximum");
  });

  it("allows a worker to send failure reports, and nothing more", () => {
    const stack = new Stack(anApp(), "Test");
    const pipeline = new RetryOrchestrator(stack, "Pipeline");
    const worker = new Role(stack, "Worker", { assumedBy: new ServicePrincipal("ecs-tasks.amazonaws.com") });
    pipeline.grantReportFailures(worker);
    const policy = one(Template.fromStack(stack), "AWS::IAM::Policy", "Worker").properties.PolicyDocument;

    expect(policy.Statement).toEqual([
      {
        Effect: "Allow",
        Action: ["sqs:SendMessage", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"],
        Resource: stack.resolve(pipeline.ingestQueue.queueArn),
      },
    ]);
  });

  it("FC-30: may try an item more often than AWS's loop guard lets a chain go, as each send breaks the chain", () => {
    const { template } = aPipeline({ maxAttempts: 20 });
    const { RecursiveLoop, Environment } = one(template, FUNCTION).properties;

    expect(RecursiveLoop).toBe("Terminate");
    expect(Environment.Variables.RETRY_MAX_ATTEMPTS).toBe("20");
    expect(one(template, QUEUE, "PipelineIngestQueue").properties.RedrivePolicy.deadLetterTargetArn).toBeDefined();
  });

  it("names nothing: every policy statement has exact resources, and no resource a fixed name", () => {
    const { template } = aPipeline();
    const resources: readonly { Type: string; Properties?: Record<string, unknown> }[] = Object.values(
      template.toJSON().Resources,
    );

    for (const { Properties = {} } of resources) {
      expect(JSON.stringify(Properties)).not.toContain('"Resource":"*"');
      const names = Object.keys(Properties).filter((key) => key.endsWith("Name") && !NAMES_OF_OTHERS.includes(key));
      expect(names).toEqual([]);
    }
  });
});

/** Properties that name something else than the resource itself. */
const NAMES_OF_OTHERS = ["MetricName", "FunctionName"];
