import { execFileSync } from "node:child_process";
import { Stack } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { redriveCommand, sendCommand, wiringCommand } from "../../lib/constructs/commands.ts";
import { anApp } from "./synthesized.ts";

const ARN = "arn:aws:sqs:eu-west-1:123456789012:";
const URL_OF = (name: string) => `https://sqs.eu-west-1.amazonaws.com/123456789012/${name}`;

function setup() {
  const stack = new Stack(anApp(), "Test", { env: { account: "123456789012", region: "eu-west-1" } });
  const queue = (name: string) =>
    Queue.fromQueueAttributes(stack, name, { queueArn: ARN + name, queueUrl: URL_OF(name) });
  return { stack, work: queue("work"), ingest: queue("ingest"), dead: queue("dead") };
}

/** The arguments that a shell makes of a command. */
function words(command: string): readonly string[] {
  return execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\n' "$word"; done`], { encoding: "utf8" })
    .trimEnd()
    .split("\n");
}

describe("the commands in the outputs", () => {
  it("report a failed item", () => {
    const { stack, ingest } = setup();

    expect(words(sendCommand(stack, ingest))).toEqual(
      ["aws", "sqs", "send-message", "--region", "eu-west-1"].concat(
        ["--queue-url", URL_OF("ingest")],
        ["--message-body", '{"order":42}'],
      ),
    );
  });

  it("redrive from the dead-letter queue to the ingest queue, which is always named", () => {
    const { stack, dead, ingest } = setup();

    expect(words(redriveCommand(stack, dead, ingest))).toEqual(
      ["aws", "sqs", "start-message-move-task", "--region", "eu-west-1"].concat(
        ["--source-arn", `${ARN}dead`],
        ["--destination-arn", `${ARN}ingest`],
      ),
    );
  });

  it("wire an existing work queue by a redrive policy that a shell leaves whole", () => {
    const { stack, work, ingest } = setup();
    const wiring = words(wiringCommand(stack, work, ingest, 3));
    const attributes: { RedrivePolicy: string } = JSON.parse(wiring.at(-1) ?? "");

    expect(wiring.slice(0, -1)).toEqual(
      ["aws", "sqs", "set-queue-attributes", "--region", "eu-west-1"].concat(
        ["--queue-url", URL_OF("work")],
        ["--attributes"],
      ),
    );
    expect(JSON.parse(attributes.RedrivePolicy)).toEqual({ deadLetterTargetArn: `${ARN}ingest`, maxReceiveCount: "3" });
  });
});
