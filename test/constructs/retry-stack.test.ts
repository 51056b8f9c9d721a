import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { RetryStack } from "../../lib/constructs/index.ts";
import { anApp, aRetryStack, FUNCTION, type Json, QUEUE, TABLE } from "./synthesized.ts";

describe("the stack", () => {
  it("names the parts of each pipeline in its outputs, with the commands ready to use", () => {
    const { template } = aRetryStack({ Payments: {} });
    const outputs: Json = template.toJSON().Outputs;
    const text = (name: string) => JSON.stringify(outputs[`Payments${name}`].Value);

    expect(Object.keys(outputs).sort()).toEqual(
      [
        "AlarmTopicArn",
        "DeadLetterQueueArn",
        "DeadLetterQueueUrl",
        "IngestQueueArn",
        "IngestQueueUrl",
        "RedriveCommand",
        "SendCommand",
        "StateTableName",
        "WorkQueueArn",
        "WorkQueueUrl",
      ].map((name) => `Payments${name}`),
    );
    expect(text("SendCommand")).toContain("aws sqs send-message");
    expect(text("RedriveCommand")).toMatch(
      /start-message-move-task.*--source-arn .*DeadLetterQueue.*--destination-arn .*IngestQueue/,
    );
  });

  it("gives the command that wires an existing work queue", () => {
    const { template } = aRetryStack({
      Mail: { workQueueArn: "arn:aws:sqs:eu-west-1:123456789012:mail", maxReceiveCount: 3 },
    });
    const command = JSON.stringify(template.toJSON().Outputs.MailWiringCommand.Value);

    expect(command).toContain("set-queue-attributes");
    expect(command).toContain("deadLetterTargetArn");
    expect(command).toContain('maxReceiveCount\\\\\\":\\\\\\"3');
    template.resourceCountIs(QUEUE, 2);
  });

  it("holds several pipelines, each with its own queues, function, table and policy", () => {
    const { template } = aRetryStack({ Payments: { maxAttempts: 4 }, Mail: { maxAttempts: 7 } });
    const attempts = Object.values(template.findResources(FUNCTION)).map(
      ({ Properties }) => Properties.Environment.Variables.RETRY_MAX_ATTEMPTS,
    );

    template.resourceCountIs(QUEUE, 6);
    template.resourceCountIs(TABLE, 2);
    expect(attempts.sort()).toEqual(["4", "7"]);
  });

  it("FC-26: does not clash with a second one in the same app", () => {
    const app = anApp();
    const stacks = ["First", "Second"].map((id) => new RetryStack(app, id, { pipelines: { Retry: {} } }));

    for (const stack of stacks) {
      const resources = Object.values(Template.fromStack(stack).toJSON().Resources as Record<string, Json>);
      const named = resources.filter(({ Properties = {} }) =>
        ["QueueName", "TableName", "FunctionName", "TopicName", "AlarmName", "RoleName", "LogGroupName"].some(
          (name) => name in Properties && Properties[name] !== undefined && typeof Properties[name] === "string",
        ),
      );
      expect(named).toEqual([]);
    }
  });

  it("takes any two names for its pipelines, even if one is the other's with a part's name behind it", () => {
    const workQueueArn = "arn:aws:sqs:eu-west-1:123456789012:mail";

    expect(() => aRetryStack({ Mail: { workQueueArn }, MailWorkQueue: {}, MailIngestQueueUrl: {} })).not.toThrow();
  });
});
