import { App, Duration, Lazy, Stack } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { RetryOrchestrator, type RetryOrchestratorProps } from "../../lib/constructs/index.ts";
import { anApp, aPipeline } from "./synthesized.ts";

function refusal(props: RetryOrchestratorProps): string {
  try {
    aPipeline(props);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("the props were accepted");
}

describe("wrong props", () => {
  it.each<[string, RetryOrchestratorProps, string]>([
    [
      "a cap above 900 s",
      { cap: Duration.hours(6) },
      "'cap' must be between 1 and 900 seconds, got 21600: SQS delays no message longer, and longer delays come with the " +
        "parking queue in a later release",
    ],
    [
      "a cap of nothing",
      { cap: Duration.millis(0) },
      "'cap' in milliseconds must be a whole number between 1 and 900000, got 0",
    ],
    [
      "a smallest delay above the cap",
      { minDelay: Duration.minutes(2), cap: Duration.minutes(1) },
      "'minDelay' in milliseconds must be a whole number between 0 and 60000 (the cap), got 120000",
    ],
    [
      "an elapsed limit of nothing",
      { maxElapsed: Duration.millis(0) },
      "'maxElapsed' in milliseconds must be a whole number between 1 and 31536000000, got 0",
    ],
    [
      "a base of nothing",
      { base: Duration.millis(0) },
      "'base' in milliseconds must be a whole number between 1 and 900000, got 0",
    ],
    [
      "a base above the cap",
      { base: Duration.minutes(2), cap: Duration.minutes(1) },
      "'base' in milliseconds must be a whole number between 1 and 60000 (the cap), got 120000",
    ],
    ["a shrinking factor", { factor: 0.5 }, "'factor' must be a number between 1 and 1000, got 0.5"],
    ["no attempt", { maxAttempts: 0 }, "'maxAttempts' must be a whole number between 1 and 1000, got 0"],
    ["half an attempt", { maxAttempts: 2.5 }, "'maxAttempts' must be a whole number between 1 and 1000, got 2.5"],
    ["NaN attempts", { maxAttempts: Number.NaN }, "'maxAttempts' must be a whole number between 1 and 1000, got NaN"],
    ["a ratio above 1", { jitter: { mode: "proportional", ratio: 1.5 } }, "'jitter.ratio' must be"],
    [
      "a short time limit",
      { functionTimeout: Duration.seconds(5) },
      "'functionTimeout' must be a whole number of seconds between 15 and 900, got 5",
    ],
    [
      "a time limit of half seconds",
      { functionTimeout: Duration.millis(20_500) },
      "'functionTimeout' must be a whole number of seconds between 15 and 900, got 20.5",
    ],
    [
      "a window of half a second",
      { batchingWindow: Duration.millis(500) },
      "'batchingWindow' must be a whole number of seconds between 0 and 300, got 0.5",
    ],
    [
      "a visibility timeout that SQS does not take",
      { workQueueVisibilityTimeout: Duration.hours(13) },
      "'workQueueVisibilityTimeout' must be a whole number of seconds between 0 and 43200, got 46800",
    ],
    [
      "a retention that SQS does not take",
      { workQueueRetention: Duration.days(15) },
      "'workQueueRetention' must be a whole number of seconds between 60 and 1209600, got 1296000",
    ],
    [
      "reports that expire with their dead letters",
      { ingestRetention: Duration.days(14) },
      "'ingestRetention' must be a whole number of seconds between 172800 and 1123200, got 1209600",
    ],
    [
      "a work queue that keeps messages as long as the ingest queue",
      { workQueueRetention: Duration.days(10) },
      "'ingestRetention' must be at least a day above the work queue's 10 days, as SQS's own move keeps a message's first " +
        "enqueue time, got 10 days",
    ],
    ["a batch of nothing", { batchSize: 0 }, "'batchSize' must be a whole number between 1 and 10000, got 0"],
    [
      "a large batch without a window",
      { batchSize: 100, batchingWindow: Duration.seconds(0) },
      "'batchingWindow' must be at least 1 second with a batchSize above 10, got 0 ms",
    ],
    ["one poller", { maxConcurrency: 1 }, "'maxConcurrency' must be a whole number between 2 and 1000, got 1"],
    [
      "half a reserved invocation",
      { reservedConcurrency: 20.5 },
      "'reservedConcurrency' must be a whole number between 1 and 10000, got 20.5",
    ],
    [
      "more pollers than reserved",
      { maxConcurrency: 20, reservedConcurrency: 5 },
      "'reservedConcurrency' must not be less than maxConcurrency (20), got 5",
    ],
    [
      "no delivery per attempt",
      { maxReceiveCount: 0 },
      "'maxReceiveCount' must be a whole number between 1 and 100, got 0",
    ],
    ["no attribute name", { idAttribute: "" }, "'idAttribute' must be a legal SQS attribute name"],
    ["a reserved attribute name", { idAttribute: "AWS.id" }, "'idAttribute' must be a legal SQS attribute name"],
    ["our own attribute as id", { idAttribute: "RetryContext" }, "'idAttribute' must be a legal SQS attribute name"],
  ])("%s is refused with its name, its value and what is allowed", (_, props, message) => {
    expect(refusal(props)).toContain(message);
  });

  it("are all named at once, with the construct that they belong to", () => {
    const message = refusal({ cap: Duration.days(1), maxAttempts: 0, batchSize: 20_000 });

    expect(message).toMatch(/^Test\/Pipeline: 'cap' .*; 'maxAttempts' .*; 'batchSize' [^;]*$/);
  });

  it.each<[string, RetryOrchestratorProps]>([
    ["base", { base: Duration.seconds(Lazy.number({ produce: () => 5 })) }],
    ["batchSize", { batchSize: Lazy.number({ produce: () => 5 }) }],
    ["idAttribute", { idAttribute: Lazy.string({ produce: () => "id" }) }],
    ["jitter.ratio", { jitter: { mode: "additive", ratio: Lazy.number({ produce: () => 0.5 }) } }],
  ])("include a %s that is not known at synthesis", (name, props) => {
    expect(refusal(props)).toContain(`'${name}' must be known at synthesis, got a token`);
  });
});

describe("props at the ends of their ranges", () => {
  it.each<[string, RetryOrchestratorProps]>([
    ["least", { functionTimeout: Duration.seconds(15), batchSize: 10, batchingWindow: Duration.seconds(0) }],
    ["most", { functionTimeout: Duration.minutes(15), batchSize: 10_000, batchingWindow: Duration.minutes(5) }],
    ["cap", { cap: Duration.seconds(900), minDelay: Duration.seconds(900), base: Duration.seconds(900) }],
    ["concurrency", { maxConcurrency: 1000, reservedConcurrency: 1000 }],
    ["retention", { workQueueRetention: Duration.days(12), ingestRetention: Duration.days(13) }],
    ["id attribute", { idAttribute: "a".repeat(256) }],
  ])("are taken: %s", (_, props) => {
    expect(() => aPipeline(props)).not.toThrow();
  });
});

describe("a given work queue", () => {
  it("FC-05: is refused where it is FIFO, created or imported", () => {
    const stack = new Stack(anApp(), "Test");
    const imported = Queue.fromQueueArn(stack, "Imported", "arn:aws:sqs:eu-west-1:123456789012:orders.fifo");
    const created = new Queue(stack, "Created", { fifo: true });

    for (const workQueue of [imported, created]) {
      expect(() => new RetryOrchestrator(stack, `For${workQueue.node.id}`, { workQueue })).toThrow(
        "'workQueue' must be a standard queue, got a FIFO queue",
      );
    }
  });

  it("is refused in another account or Region than the stack's", () => {
    const stack = new Stack(new App({ context: { "aws:cdk:bundling-stacks": [] } }), "Test", {
      env: { account: "123456789012", region: "eu-west-1" },
    });
    const workQueue = Queue.fromQueueArn(stack, "Far", "arn:aws:sqs:us-east-1:210987654321:payments");

    expect(() => new RetryOrchestrator(stack, "Pipeline", { workQueue })).toThrow(
      /stack's account 123456789012, got one in 210987654321.*stack's Region eu-west-1, got one in us-east-1/,
    );
  });

  it("takes no settings of a created one", () => {
    const stack = new Stack(anApp(), "Test");
    const workQueue = new Queue(stack, "Payments");
    const settings = { workQueueVisibilityTimeout: Duration.minutes(1), workQueueRetention: Duration.days(1) };

    expect(() => new RetryOrchestrator(stack, "Pipeline", { workQueue, ...settings })).toThrow(
      /'workQueueRetention' must be left out.*'workQueueVisibilityTimeout' must be left out/,
    );
  });
});
