import { describe, expect, it } from "vitest";
import { planMapping } from "../../../lib/sandbox/assembly/mapping-plan.ts";
import { aResource, aScope } from "./plans.ts";

const QUEUE = "arn:aws:sqs:us-east-1:000000000000:work";

const plan = (properties: object, EventSourceArn = QUEUE) =>
  planMapping(
    aResource("AWS::Lambda::EventSourceMapping", { EventSourceArn, FunctionName: "it", ...properties }),
    aScope(),
  );

describe("an event source mapping of the template", () => {
  it("has Lambda's defaults", () => {
    expect(plan({})).toMatchObject({
      queueArn: QUEUE,
      functionName: "it",
      batchSize: 10,
      batchingWindowMs: 0,
      reportsItemFailures: false,
    });
  });

  it("has what the template says", () => {
    const properties = {
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: 7 },
    };

    expect(plan(properties)).toMatchObject({
      batchSize: 100,
      batchingWindowMs: 1000,
      reportsItemFailures: true,
      maxConcurrency: 7,
    });
  });

  it.each([
    "it",
    "arn:aws:lambda:us-east-1:000000000000:function:it",
    "000000000000:function:it",
    "arn:aws:lambda:us-east-1:000000000000:function:it:live",
  ])("knows its function by %s", (FunctionName) => {
    expect(plan({ FunctionName })?.functionName).toBe("it");
  });

  it("is none when it is switched off", () => {
    expect(plan({ Enabled: false })).toBeUndefined();
  });

  it.each([
    [{ BatchSize: 100 }, QUEUE, /MaximumBatchingWindowInSeconds' must be at least 1 with a BatchSize above 10, got 0/],
    [
      { BatchSize: 10_001, MaximumBatchingWindowInSeconds: 1 },
      QUEUE,
      /BatchSize' must be between 1 and 10000, got 10001/,
    ],
    [{ BatchSize: 11, MaximumBatchingWindowInSeconds: 1 }, `${QUEUE}.fifo`, /BatchSize' must be between 1 and 10/],
    [{ ScalingConfig: { MaximumConcurrency: 1 } }, QUEUE, /MaximumConcurrency' must be between 2 and 1000, got 1/],
    [{ FilterCriteria: { Filters: [] } }, QUEUE, /filters are not run here/],
    [{}, "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/s", /must be the ARN of a queue/],
  ])("is refused as Lambda would, or as nothing that runs here: %j", (properties, source, message) => {
    expect(() => plan(properties, source)).toThrow(message);
  });
});
