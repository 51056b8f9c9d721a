import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContext } from "../../lib/core/item/read-context.ts";
import { runAwsCommand } from "./aws-command.ts";
import { eventually, type RunningProduct, runProduct } from "./running-product.ts";

describe("an existing work queue, wired by the command in the outputs, with a worker that knows nothing of us", () => {
  let product: RunningProduct;

  beforeAll(async () => {
    const workQueueArn = "arn:aws:sqs:us-east-1:000000000000:mail";
    product = await runProduct({ Mail: { workQueueArn, maxAttempts: 3, base: "1s" } }, { speed: 60 });
  });

  afterAll(() => product.stop());

  it("items fail, come back, exhaust, and get a full budget when SQS moves their copy back to the work queue", async () => {
    const { sandbox } = product;
    const work = sandbox.output("MailWorkQueueUrl");
    const dead = sandbox.output("MailDeadLetterQueueUrl");
    const service = sandbox.service;
    await runAwsCommand(sandbox.output("MailWiringCommand"), sandbox.sqs, {});
    await runAwsCommand(`aws sqs send-message --queue-url ${work} --message-body hello`, sandbox.sqs, {});

    const attempts: number[] = [];
    /** The worker: takes the message and hands it back at once, until it is in the dead-letter queue. */
    const failUntilDead = (generation: number) =>
      eventually(async () => {
        const { Messages = [] } = (await runAwsCommand(
          `aws sqs receive-message --queue-url ${work} --message-attribute-names All --visibility-timeout 0`,
          sandbox.sqs,
          {},
        )) as { Messages?: { MessageAttributes?: Record<string, { StringValue?: string }> }[] };
        for (const { MessageAttributes } of Messages) {
          const reading = readContext(MessageAttributes?.RetryContext?.StringValue ?? '{"itemId":"first"}');
          if (reading.kind === "readable" && !reading.context.deadLetter) attempts.push(reading.context.attempt);
        }
        const [copy] = service?.inspect(dead).messages ?? [];
        const attribute = copy?.attributes.RetryContext;
        const reading = readContext(attribute && "StringValue" in attribute ? attribute.StringValue : "");
        return reading.kind === "readable" && reading.context.generation === generation ? reading.context : undefined;
      }, `the dead letter of generation ${generation}`);

    const first = await failUntilDead(1);
    expect(first).toMatchObject({ attempt: 3, deadLetter: { reason: "attempts" } });
    expect([...new Set(attempts)]).toEqual([1, 2, 3]);

    attempts.length = 0;
    const arns = `--source-arn ${sandbox.output("MailDeadLetterQueueArn")} --destination-arn ${sandbox.output("MailWorkQueueArn")}`;
    await runAwsCommand(`aws sqs start-message-move-task ${arns}`, sandbox.sqs, {});

    const second = await failUntilDead(2);
    expect(second).toMatchObject({ itemId: first.itemId, attempt: 3, deadLetter: { reason: "attempts" } });
    expect([...new Set(attempts)]).toEqual([2, 3]);
  });
});
