import { createServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startDynalite } from "../../lib/sandbox/dynamodb/dynalite-engine.ts";
import { listeningPort } from "../../lib/sandbox/dynamodb/free-port.ts";
import { startSandbox } from "../../lib/sandbox/index.ts";
import { QueueService, startSqsServer, systemClock } from "../../lib/sandbox/sqs/index.ts";
import { aFunction, aMapping, anAssembly, aQueue, type FixtureStack } from "./fixtures/assembly.ts";
import { PIPELINE } from "./fixtures/pipeline.ts";
import { startRunning } from "./fixtures/running.ts";

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Child processes and listening sockets of this process. */
const openResources = () =>
  process.getActiveResourcesInfo().filter((resource) => ["ProcessWrap", "TCPServerWrap"].includes(resource));

const start = async (stack: FixtureStack, options: object = {}) =>
  startSandbox({ assemblyDirectory: await anAssembly({ Fixture: stack }), ...options });

describe("stopping a sandbox", () => {
  it("leaves no process and no open port, even in the middle of an invocation", async () => {
    const { sandbox, send, line, stop } = await startRunning({ Fixture: PIPELINE });
    await send("Reports", { do: "context" });
    const pid = Number((await line("context", "Reporter")).pid);
    await send("Reports", { do: "hang" });
    await vi.waitUntil(() => sandbox.service?.inspect(sandbox.queueUrl("Reports")).notVisible === 1);
    expect(isRunning(pid)).toBe(true);

    await stop();

    expect(isRunning(pid)).toBe(false);
    await expect(fetch(sandbox.sqsEndpoint)).rejects.toThrow("fetch failed");
    await expect(fetch(sandbox.dynamodbEndpoint)).rejects.toThrow("fetch failed");
  });

  it("may be asked for twice", async () => {
    const sandbox = await start({ resources: { Queue: aQueue() } });

    await Promise.all([sandbox.stop(), sandbox.stop()]);
  });
});

describe("starting a sandbox", () => {
  it.each<[string, FixtureStack["resources"], RegExp]>([
    [
      "a function that is not Node",
      { F: aFunction({ Runtime: "python3.13" }) },
      /'Resources\.F\.Properties\.Runtime' must be a Node runtime: no other runs here, got "python3.13"/,
    ],
    [
      "code that is no asset",
      { F: aFunction({ Code: { S3Bucket: "b", S3Key: "k" } }) },
      /Code\.S3Key' must be the object key of a file asset in the cloud assembly, got "k"/,
    ],
    [
      "a queue that Lambda refuses for the function's timeout",
      { Q: aQueue({ VisibilityTimeout: 4 }), F: aFunction(), M: aMapping("Q", "F") },
      /visibility timeout of the queue of 'M' must be at least its function's timeout, 5 seconds, got 4/,
    ],
    [
      "an attribute that SQS refuses",
      { Q: aQueue({ DelaySeconds: 901 }) },
      /the queue Q cannot be made as the template has it: .*DelaySeconds/,
    ],
    [
      "a redrive policy to nowhere",
      { Q: aQueue({ RedrivePolicy: { deadLetterTargetArn: { Ref: "Nobody" }, maxReceiveCount: 1 } }) },
      /cannot resolve {"Ref":"Nobody"} at Resources\.Q\.Properties\.RedrivePolicy\.deadLetterTargetArn/,
    ],
    ["a nested stack", { N: { Type: "AWS::CloudFormation::Stack" } }, /'Resources\.N' is a nested stack/],
  ])("refuses %s, and leaves nothing behind", async (_, resources, message) => {
    const before = openResources();

    await expect(start({ resources })).rejects.toThrow(message);

    await vi.waitFor(() => expect(openResources()).toEqual(before));
  });

  it("says which port is taken", async () => {
    const other = createServer();
    const port = await listeningPort(other, 0);
    onTestFinished(() => void other.close());

    await expect(start({ resources: {} }, { sqsPort: port })).rejects.toThrow(`port ${port} for SQS is taken`);
    await expect(start({ resources: {} }, { dynamodbPort: port })).rejects.toThrow(
      `port ${port} for DynamoDB is taken`,
    );
  });

  it("refuses to speed up time that is not its own", async () => {
    const options = { endpoint: "http://127.0.0.1:1", speed: 2 };

    await expect(start({ resources: {} }, options)).rejects.toThrow("'speed' must be 1 with an SQS endpoint");
  });

  it("takes account and Region of the stack that names them", async () => {
    const sandbox = await start({ resources: { Queue: aQueue() }, environment: "aws://123456789012/eu-west-1" });

    const [queue] = sandbox.stacks[0]?.queues ?? [];
    await sandbox.stop();

    expect(queue?.arn).toBe("arn:aws:sqs:eu-west-1:123456789012:Fixture-Queue");
  });
});

describe("functions in a sandbox", () => {
  it("that cannot be loaded fail each time, with the reason in their log", async () => {
    const { sandbox, lines, stop } = await startRunning({
      Fixture: { resources: { F: aFunction({ Handler: "handler.nobody" }) } },
    });
    onTestFinished(stop);
    const [host] = sandbox.functions;

    const outcomes = [await host?.invoke('{"Records":[]}'), await host?.invoke('{"Records":[]}')];

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        kind: "failed",
        errorType: "Runtime.HandlerNotFound",
        errorMessage: "'handler.nobody' must name an exported function, got undefined",
      });
    }
    expect(lines.map(({ fields }) => fields?.errorType)).toEqual(outcomes.map(() => "Runtime.HandlerNotFound"));
  });

  it("are throttled above their reserved concurrency", async () => {
    const { sandbox, stop } = await startRunning({
      Fixture: { resources: { F: aFunction({ ReservedConcurrentExecutions: 1 }) } },
    });
    onTestFinished(stop);
    const [host] = sandbox.functions;

    const [first, second] = await Promise.all([host?.invoke('{"Records":[]}'), host?.invoke('{"Records":[]}')]);

    expect(first).toEqual({ kind: "returned", payload: '{"batchItemFailures":[]}' });
    expect(second).toMatchObject({ kind: "failed", errorType: "TooManyRequestsException" });
    const throttles = { namespace: "AWS/Lambda", name: "Throttles", dimensions: { FunctionName: "Fixture-F" } };
    expect(sandbox.metrics.total(throttles)).toBe(1);
  });
});

describe("several stacks in one assembly", () => {
  it("refer to each other by exports, and do not clash", async () => {
    const sandbox = await startSandbox({
      assemblyDirectory: await anAssembly({
        Uses: {
          resources: {
            Queue: aQueue({
              RedrivePolicy: { deadLetterTargetArn: { "Fn::ImportValue": "Shared:DeadArn" }, maxReceiveCount: 3 },
            }),
          },
        },
        Shared: {
          resources: { Queue: aQueue() },
          outputs: { DeadArn: { Value: { "Fn::GetAtt": ["Queue", "Arn"] }, Export: { Name: "Shared:DeadArn" } } },
        },
      }),
    });
    onTestFinished(() => sandbox.stop());

    const answer = sandbox.service?.call("ListDeadLetterSourceQueues", { QueueUrl: sandbox.queueUrl("Shared-Queue") });

    expect(answer).toMatchObject({ queueUrls: [sandbox.queueUrl("Uses-Queue")] });
  });
});

describe("a work queue that is deployed elsewhere", () => {
  it("is stood in for by an empty queue, under its URL in environment and outputs", async () => {
    const arn = "arn:aws:sqs:eu-west-1:123456789012:payments";
    const url = { "Fn::Join": ["", ["https://sqs.eu-west-1.", { Ref: "AWS::URLSuffix" }, "/123456789012/payments"]] };
    const { sandbox, stop } = await startRunning({
      Fixture: {
        resources: {
          Role: { Type: "AWS::IAM::Role", Properties: { Policies: [{ Resource: arn }] } },
          F: aFunction({ Environment: { Variables: { WORK: url } } }),
        },
        outputs: { WorkUrl: { Value: url }, WorkArn: { Value: arn } },
      },
    });
    onTestFinished(stop);

    expect(sandbox.standIns.map(({ name }) => name)).toEqual(["payments"]);
    expect(sandbox.output("WorkUrl")).toBe(`${sandbox.sqsEndpoint}/000000000000/payments`);
    expect(sandbox.output("WorkArn")).toBe("arn:aws:sqs:us-east-1:000000000000:payments");
    expect(sandbox.functions[0]?.plan.environment.WORK).toBe(sandbox.queueUrl("WorkUrl"));
  });
});

describe("a sandbox on endpoints that are not its own", () => {
  it("makes queues and tables there, and handles what comes", async () => {
    const server = await startSqsServer(new QueueService({ clock: systemClock, accountId: "123456789012" }));
    const tables = await startDynalite();
    const { sandbox, send, line, stop } = await startRunning(
      { Fixture: PIPELINE },
      { sqsEndpoint: `${server.endpoint}/`, dynamodbEndpoint: tables.endpoint, accountId: "123456789012" },
    );
    onTestFinished(async () => {
      await stop();
      await server.close();
      await tables.stop();
    });

    await send("Reports", { do: "show" });
    const { record } = await line("show", "Reporter");

    expect(record).toMatchObject({ eventSourceARN: "arn:aws:sqs:us-east-1:123456789012:Fixture-Reports" });
    expect(sandbox).toMatchObject({ sqsEndpoint: server.endpoint, tableEngine: "foreign", service: undefined });
    const visible = {
      namespace: "AWS/SQS",
      name: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: "Fixture-Dead" },
    };
    await vi.waitUntil(
      () => sandbox.metrics.keys().some((key) => JSON.stringify(key) === JSON.stringify(visible)),
      10_000,
    );
  });
});
