import { Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { CfnQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator, type RetryOrchestratorProps } from "../../lib/constructs/index.ts";
import { anApp, FUNCTION, one, QUEUE } from "./synthesized.ts";

/** A pipeline for a work queue of the same stack. */
function setup({ retention, ...props }: RetryOrchestratorProps & { retention?: Duration } = {}) {
  const stack = new Stack(anApp(), "Test");
  const workQueue = new Queue(stack, "Payments", { ...(retention && { retentionPeriod: retention }) });
  const pipeline = new RetryOrchestrator(stack, "Pipeline", { workQueue, ...props });
  return { stack, workQueue, pipeline };
}

describe("a work queue of the same stack", () => {
  it("is wired on demand: what fails there moves to the ingest queue", () => {
    const { stack, pipeline } = setup({ maxReceiveCount: 3 });
    pipeline.wireWorkQueue();
    const template = Template.fromStack(stack);

    expect(one(template, QUEUE, "Payments").properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { "Fn::GetAtt": [one(template, QUEUE, "PipelineIngestQueue").id, "Arn"] },
      maxReceiveCount: 3,
    });
  });

  it("is left alone unless that is asked for", () => {
    const { stack } = setup();

    expect(one(Template.fromStack(stack), QUEUE, "Payments").properties?.RedrivePolicy).toBeUndefined();
  });

  it("is refused if it has a dead-letter queue already", () => {
    const stack = new Stack(anApp(), "Test");
    const deadLetterQueue = { queue: new Queue(stack, "Dead"), maxReceiveCount: 5 };
    const workQueue = new Queue(stack, "Payments", { deadLetterQueue });
    const pipeline = new RetryOrchestrator(stack, "Pipeline", { workQueue });

    expect(() => pipeline.wireWorkQueue()).toThrow(
      "Test/Pipeline: the work queue 'Test/Payments' cannot be wired: it has a dead-letter queue already",
    );
  });

  it("FC-22: is refused at synthesis if messages may be too old when they are moved, however it is wired", () => {
    const tooLong =
      /retention of the wired work queue 'Test\/Payments' must be at least a day below the ingest queue's 10 days, got 9.5 days/;
    const asked = setup({ retention: Duration.hours(228) });
    asked.pipeline.wireWorkQueue();
    const byHand = setup({ retention: Duration.hours(228) });
    if (byHand.workQueue.node.defaultChild instanceof CfnQueue) {
      const deadLetterTargetArn = byHand.pipeline.ingestQueue.queueArn;
      byHand.workQueue.node.defaultChild.redrivePolicy = { deadLetterTargetArn, maxReceiveCount: 2 };
    }

    expect(() => Template.fromStack(asked.stack)).toThrow(tooLong);
    expect(() => Template.fromStack(byHand.stack)).toThrow(tooLong);
  });

  it("may have any retention where it is not wired, or a day less than the ingest queue where it is", () => {
    expect(() => Template.fromStack(setup({ retention: Duration.days(14) }).stack)).not.toThrow();

    const { stack, pipeline } = setup({ retention: Duration.days(12), ingestRetention: Duration.days(13) });
    pipeline.wireWorkQueue();
    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  it.each([
    ["its own retention, which is known", Duration.days(6), 6],
    ["SQS's default", undefined, 4],
  ])("FC-19: counts with %s in the life of rows", (_, retention, days) => {
    const { stack } = setup(retention ? { retention } : {});
    const { RETRY_ROW_LIFETIME_MS } = one(Template.fromStack(stack), FUNCTION).properties.Environment.Variables;

    expect(Number(RETRY_ROW_LIFETIME_MS)).toBe((900 + (days + 10 + 14 + 2) * 86_400) * 1000);
  });
});

describe("a work queue that is defined elsewhere", () => {
  it("cannot be wired here where it is deployed already", () => {
    const stack = new Stack(anApp(), "Test");
    const workQueue = Queue.fromQueueArn(stack, "Payments", "arn:aws:sqs:eu-west-1:123456789012:payments");
    const pipeline = new RetryOrchestrator(stack, "Pipeline", { workQueue });

    expect(() => pipeline.wireWorkQueue()).toThrow("it is not defined in this app");
  });

  it("cannot be wired from another stack, as the two would depend on each other", () => {
    const app = anApp();
    const workQueue = new Queue(new Stack(app, "Payments"), "Queue");
    const pipeline = new RetryOrchestrator(new Stack(app, "Test"), "Pipeline", { workQueue });

    expect(() => pipeline.wireWorkQueue()).toThrow("it is in another stack");
  });

  it("FC-19: counts with the longest retention there is in the life of rows", () => {
    const stack = new Stack(anApp(), "Test");
    const workQueue = Queue.fromQueueArn(stack, "Payments", "arn:aws:sqs:eu-west-1:123456789012:payments");
    new RetryOrchestrator(stack, "Pipeline", { workQueue });
    const { RETRY_ROW_LIFETIME_MS } = one(Template.fromStack(stack), FUNCTION).properties.Environment.Variables;

    expect(Number(RETRY_ROW_LIFETIME_MS)).toBe((900 + (14 + 10 + 14 + 2) * 86_400) * 1000);
  });
});
