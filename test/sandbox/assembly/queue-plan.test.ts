import { describe, expect, it } from "vitest";
import { planQueue, planRedrive } from "../../../lib/sandbox/assembly/queue-plan.ts";
import { aResource, aScope } from "./plans.ts";

const plan = (properties: object) => planQueue(aResource("AWS::SQS::Queue", properties), "Stack", aScope());

describe("a queue of the template", () => {
  it("has all of its attributes as SQS takes them", () => {
    const properties = {
      DelaySeconds: 5,
      MessageRetentionPeriod: 864_000,
      VisibilityTimeout: 361,
      SqsManagedSseEnabled: true,
      Tags: [{ Key: "a", Value: "b" }],
    };

    expect(plan(properties)).toEqual({
      logicalId: "It",
      name: "Stack-It",
      attributes: {
        DelaySeconds: "5",
        MessageRetentionPeriod: "864000",
        VisibilityTimeout: "361",
        SqsManagedSseEnabled: "true",
      },
    });
  });

  it("is named .fifo when it is one", () => {
    expect(plan({ FifoQueue: true })).toMatchObject({ name: "Stack-It.fifo", attributes: { FifoQueue: "true" } });
  });

  it("says nothing of FIFO when it is none: SQS refuses the attribute on a standard queue", () => {
    expect(plan({ FifoQueue: false }).attributes).toEqual({});
  });

  it("keeps a name that the template gives", () => {
    expect(plan({ QueueName: "payments" }).name).toBe("payments");
  });

  it("is refused with a property that no queue has", () => {
    expect(() => plan({ VisibilityTimeOut: 3 })).toThrow(
      "'Resources.It.Properties.VisibilityTimeOut' must be left out: a queue has no such property, got 3",
    );
  });

  it("gets its redrive policies as JSON once the others are there", () => {
    const RedrivePolicy = { deadLetterTargetArn: { "Fn::GetAtt": ["It", "Arn"] }, maxReceiveCount: 3 };

    expect(planRedrive(aResource("AWS::SQS::Queue", { RedrivePolicy, DelaySeconds: 1 }), aScope())).toEqual({
      RedrivePolicy: '{"deadLetterTargetArn":"arn:it","maxReceiveCount":3}',
    });
  });
});
