import { Duration } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { pipelinesFromContext } from "../../lib/constructs/pipelines-context.ts";

describe("the context 'pipelines'", () => {
  it("is one pipeline with all defaults where it is absent", () => {
    expect(pipelinesFromContext(undefined)).toEqual({ Retry: {} });
  });

  it("gives each pipeline its own policy and, if named, an existing work queue", () => {
    const workQueueArn = "arn:aws:sqs:eu-west-1:123456789012:payments";
    const read = pipelinesFromContext({
      Payments: { workQueueArn, base: "500ms", cap: "10m", jitter: "equal", maxAttempts: 6, maxElapsed: "2h" },
      Mail: { jitter: { mode: "proportional", ratio: 0.25 }, idAttribute: "mailId" },
    });

    expect(read.Payments).toEqual({
      workQueueArn,
      base: Duration.millis(500),
      cap: Duration.millis(600_000),
      jitter: { mode: "equal" },
      maxAttempts: 6,
      maxElapsed: Duration.millis(7_200_000),
    });
    expect(read.Mail).toEqual({ jitter: { mode: "proportional", ratio: 0.25 }, idAttribute: "mailId" });
  });

  it("may be JSON text, as -c passes it", () => {
    expect(pipelinesFromContext('{"Mail":{"maxAttempts":3}}')).toEqual({ Mail: { maxAttempts: 3 } });
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{Mail", "'pipelines' must be an object of at least one name and its settings"],
    ["a list", [], "'pipelines' must be an object of at least one name and its settings, got []"],
    ["nothing in it", {}, "'pipelines' must be an object of at least one name and its settings, got {}"],
    ["a name that is no construct id", { "my-mail": {} }, "'pipelines.my-mail' must be named by letters and digits"],
    ["settings that are none", { Mail: 3 }, "'pipelines.Mail' must be an object of settings, got 3"],
    [
      "an unknown setting",
      { Mail: { maxRetries: 3 } },
      "'pipelines.Mail.maxRetries' must be left out (known are base, cap",
    ],
    ["a duration without a unit", { Mail: { base: 10 } }, "'pipelines.Mail.base' must be a duration like \"500ms\""],
    ["a duration of another unit", { Mail: { base: "10 s" } }, "'pipelines.Mail.base' must be a duration"],
    ["a number as text", { Mail: { maxAttempts: "3" } }, "'pipelines.Mail.maxAttempts' must be a number, got \"3\""],
    ["an unknown jitter", { Mail: { jitter: "Full" } }, "'pipelines.Mail.jitter' must be one of none, full, equal"],
    [
      "no ARN",
      { Mail: { workQueueArn: "mail" } },
      "'pipelines.Mail.workQueueArn' must be the ARN of a standard SQS queue",
    ],
    [
      "a FIFO queue's ARN",
      { Mail: { workQueueArn: "arn:aws:sqs:eu-west-1:123456789012:mail.fifo" } },
      "'pipelines.Mail.workQueueArn' must be the ARN of a standard SQS queue",
    ],
    [
      "a number out of its range",
      { Mail: { batchSize: 0 } },
      "'pipelines.Mail.batchSize' must be a whole number between 1 and 10000, got 0",
    ],
    [
      "a cap that is too long",
      { Mail: { cap: "1h" } },
      "'pipelines.Mail.cap' must be between 1 and 900 seconds, got 3600",
    ],
    [
      "a jitter object with a wrong ratio",
      { Mail: { jitter: { mode: "additive", ratio: 2 } } },
      "'pipelines.Mail.jitter.ratio' must be a number between 0 and 1, got 2",
    ],
    [
      "a setting of a created work queue for a given one",
      { Mail: { workQueueArn: "arn:aws:sqs:eu-west-1:123456789012:mail", workQueueVisibilityTimeout: "1m" } },
      "'pipelines.Mail.workQueueVisibilityTimeout' must be left out with a workQueue of your own",
    ],
    ["a wrong attribute name type", { Mail: { idAttribute: 3 } }, "'pipelines.Mail.idAttribute' must be a text, got 3"],
  ])("is refused where it is %s", (_, context, message) => {
    expect(() => pipelinesFromContext(context)).toThrow(message);
  });

  it("is refused where two pipelines have one work queue", () => {
    const workQueueArn = "arn:aws:sqs:eu-west-1:123456789012:payments";

    expect(() => pipelinesFromContext({ Payments: { workQueueArn }, Orders: {}, Refunds: { workQueueArn } })).toThrow(
      "'pipelines.Refunds.workQueueArn' must not be that of another pipeline, got that of 'Payments'",
    );
  });

  it("is refused with everything that is wrong at once", () => {
    expect(() => pipelinesFromContext({ Mail: { base: 10 }, Orders: { cap: "x", retries: 1, factor: 0 } })).toThrow(
      /wrong context, to be corrected in cdk.json: .*Mail\.base.*Orders\.cap.*Orders\.retries.*Orders\.factor/,
    );
  });
});
