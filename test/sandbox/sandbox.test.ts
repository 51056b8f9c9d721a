import { PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PIPELINE } from "./fixtures/pipeline.ts";
import { type Running, startRunning } from "./fixtures/running.ts";

const SPEED = 60;

/** Each test uses messages of its own, so that all of them share one sandbox. */
let running: Running;
beforeAll(async () => {
  running = await startRunning({ Fixture: PIPELINE }, { speed: SPEED });
});
afterAll(() => running.stop());

const functionMetric = (name: string, logicalId: string) =>
  running.sandbox.metrics.total({
    namespace: "AWS/Lambda",
    name,
    dimensions: { FunctionName: `Fixture-${logicalId}` },
  });

describe("a sandbox makes what the template says", () => {
  it("queues with their attributes and redrive policies", async () => {
    const { sandbox } = running;

    const { Attributes } = await sandbox.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: sandbox.queueUrl("ReportsUrl"), AttributeNames: ["All"] }),
    );

    expect(Attributes).toMatchObject({
      QueueArn: "arn:aws:sqs:us-east-1:000000000000:Fixture-Reports",
      VisibilityTimeout: "30",
      RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:Fixture-Dead","maxReceiveCount":2}',
    });
  });

  it("the environment of functions, as in Lambda, with the template's variables", async () => {
    const { sandbox, send, line } = running;

    await send("Reports", { do: "environment" });

    const { environment } = await line("environment", "Reporter");
    expect(environment).toMatchObject({
      ROWS: "Fixture-Rows",
      DEAD: "Fixture-Dead",
      AWS_LAMBDA_FUNCTION_NAME: "Fixture-Reporter",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
      AWS_REGION: "us-east-1",
      AWS_ENDPOINT_URL_SQS: sandbox.sqsEndpoint,
      AWS_ENDPOINT_URL_DYNAMODB: sandbox.dynamodbEndpoint,
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};.*;Lineage=1:[0-9a-f]{8}:0$/),
    });
    expect(environment).not.toHaveProperty("HOME");
  });

  it("outputs, by which everything is found", () => {
    const { sandbox } = running;

    expect(sandbox.output("ReportsUrl")).toBe(sandbox.queueUrl("Reports"));
    expect(sandbox.tableName("RowsName")).toBe("Fixture-Rows");
    expect(() => sandbox.queueUrl("Nobody")).toThrow("the sandbox has no queue 'Nobody'; known are Dead, Reports");
  });
});

describe("a function in a sandbox", () => {
  it("sees records exactly as Lambda shows them", async () => {
    const { send, line } = running;

    const { MessageId } = await send(
      "Reports",
      { do: "show" },
      {
        MessageAttributes: { bytes: { DataType: "Binary.png", BinaryValue: Uint8Array.from([1, 2]) } },
      },
    );

    const { record } = await line("show", "Reporter");
    expect(record).toEqual({
      messageId: MessageId,
      receiptHandle: expect.any(String),
      body: '{"do":"show"}',
      attributes: {
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        ApproximateReceiveCount: "1",
        SenderId: expect.any(String),
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        bytes: { binaryValue: "AQI=", stringListValues: [], binaryListValues: [], dataType: "Binary.png" },
      },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:Fixture-Reports",
      awsRegion: "us-east-1",
    });
  });

  it("has a context like Lambda's, and a process that stays warm", async () => {
    const { send, line, lines, until } = running;
    const from = lines.length;

    await send("Reports", { do: "context" });
    const first = await line("context", "Reporter", from);
    await send("Reports", { do: "context" });
    await until(() => lines.slice(from).filter(({ fields }) => fields?.message === "context").length === 2);
    const second = lines.findLast(({ fields }) => fields?.message === "context")?.fields;

    expect(first).toMatchObject({
      functionName: "Fixture-Reporter",
      invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:Fixture-Reporter",
      memoryLimitInMB: "256",
    });
    expect(first.remainingMs).toBeGreaterThan(0);
    expect(first.remainingMs).toBeLessThanOrEqual(5000);
    expect(second?.pid).toBe(first.pid);
    expect(second?.awsRequestId).not.toBe(first.awsRequestId);
  });

  it("has a Date that tells sandbox time", async () => {
    const { sandbox, send, line } = running;
    const before = sandbox.clock.now();

    await send("Reports", { do: "date" });
    const { now, made, text, given } = await line("date", "Reporter");

    const after = sandbox.clock.now();
    for (const seen of [now, Date.parse(String(made)), Date.parse(String(text)) + 999]) {
      expect(seen).toBeGreaterThanOrEqual(before);
      expect(seen).toBeLessThanOrEqual(after + 999);
    }
    expect(given).toBe("1970-01-01T00:00:00.005Z");
  });

  it("keeps only the items that it reports as failed; SQS moves them on when they fail again", async () => {
    const { send, until, bodiesIn } = running;

    await Promise.all([send("Reports", { do: "fail", id: 1 }), send("Reports", { do: "ok", id: 2 })]);
    await until(() => bodiesIn("Dead").some(({ id }) => id === 1));

    expect(bodiesIn("Dead")).not.toContainEqual(expect.objectContaining({ id: 2 }));
    expect(bodiesIn("Reports")).toEqual([]);
  });

  it("keeps nothing of what it only says without being asked: without ReportBatchItemFailures, it has to throw", async () => {
    const { send, line, lines, bodiesIn, until } = running;
    const from = lines.length;

    await send("Plain", { do: "fail", id: 3 });
    await line("batch", "Worker", from);
    await until(() => bodiesIn("Plain").length === 0);

    expect(bodiesIn("Dead")).not.toContainEqual(expect.objectContaining({ id: 3 }));
  });

  it.each([
    ["throws", "throw", "TypeError", "thrown on purpose"],
    ["crashes", "crash", "Runtime.ExitError", "Runtime exited with error: exit status 3"],
    ["takes too long", "hang", "Sandbox.Timedout", "Task timed out after 1.00 seconds"],
  ])(
    "that %s fails with its whole batch, and the next batch is handled",
    async (_, action, errorType, errorMessage) => {
      const { send, line, lines, until, bodiesIn } = running;
      const from = lines.length;
      const errors = functionMetric("Errors", "Worker");

      await send("Plain", { do: action, id: action });
      expect(await line(errorMessage, "Worker", from)).toMatchObject({ level: "ERROR", errorType });
      await until(() => bodiesIn("Dead").some(({ id }) => id === action));
      await send("Plain", { do: "show", after: action });
      await line("show", "Worker", from);

      // The second try may end after SQS has moved the message on.
      await until(() => functionMetric("Errors", "Worker") - errors === 2);
    },
  );

  it("is stopped in an endless loop at its 16th invocation, and the message ends in the dead-letter queue", async () => {
    const { sandbox, send, lines, until, bodiesIn } = running;
    const body = { do: "loop", queueUrl: sandbox.queueUrl("Reports") };

    await send("Reports", body);
    await until(() => bodiesIn("Dead").some(({ do: action }) => action === "loop"));

    const rounds = lines.flatMap(({ functionName, fields }) => {
      const isMine = functionName === "Fixture-Reporter" && fields?.message === "loop";
      return isMine ? [Number(/Lineage=1:[0-9a-f]{8}:(\d+)$/.exec(String(fields.trace))?.[1])] : [];
    });
    expect([...new Set(rounds)]).toEqual(Array.from({ length: 16 }, (_, index) => index));
    expect(functionMetric("RecursiveInvocationsDropped", "Reporter")).toBeGreaterThanOrEqual(1);
  });

  it("goes on in an endless loop where the template allows it", async () => {
    const { sandbox, send, lines, until } = running;
    const rounds = () =>
      lines.filter(({ functionName, text }) => functionName === "Fixture-Looper" && text.includes("loop"));

    await send("Loops", { do: "loop", queueUrl: sandbox.queueUrl("Loops") });
    await until(() => rounds().length > 20);

    expect(functionMetric("RecursiveInvocationsDropped", "Looper")).toBe(0);
    sandbox.service?.call("PurgeQueue", { QueueUrl: sandbox.queueUrl("Loops") });
  });

  it("rings an alarm by the metrics in what it writes, and the alarm's topic hears of it", async () => {
    const { sandbox, send, lines, until } = running;
    const stateOf = () => sandbox.alarms().find(({ logicalId }) => logicalId === "Trouble");
    await until(() => stateOf()?.state === "OK");

    await Promise.all([1, 2, 3].map(() => send("Reports", { do: "metric", name: "Trouble", value: 1 })));
    await until(() => stateOf()?.history.some(({ to }) => to === "ALARM") ?? false);
    await until(() => stateOf()?.state === "OK");

    expect(sandbox.notifications(sandbox.output("TopicArn"))).toMatchObject([
      { alarm: "Fixture-Trouble", from: "OK", to: "ALARM", value: 3 },
    ]);
    expect(lines.some(({ text }) => text.includes("_aws"))).toBe(false);
  });
});

describe("time in a sandbox", () => {
  it("brings a delayed message after the delay in sandbox time", async () => {
    const { sandbox, send, line, lines } = running;
    const from = lines.length;

    await send("Reports", { do: "show" }, { DelaySeconds: 90 });
    const { record } = (await line("show", "Reporter", from)) as { record: { attributes: Record<string, string> } };

    const { SentTimestamp, ApproximateFirstReceiveTimestamp } = record.attributes;
    expect(Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)).toBeGreaterThanOrEqual(90_000);
    expect(sandbox.clock.now()).toBeGreaterThan(Date.now());
  });

  it("deletes rows whose time to live has passed by the sandbox's clock", async () => {
    const { sandbox } = running;
    const inSeconds = (seconds: number) => ({ N: String(Math.floor(sandbox.clock.now() / 1000) + seconds) });
    const put = (pk: string, expiresAt: { N: string }) =>
      sandbox.dynamodb.send(new PutItemCommand({ TableName: "Fixture-Rows", Item: { pk: { S: pk }, expiresAt } }));

    await put("soon", inSeconds(30));
    await put("later", inSeconds(36_000));

    await vi.waitFor(async () => {
      const { Items = [] } = await sandbox.dynamodb.send(new ScanCommand({ TableName: "Fixture-Rows" }));
      expect(Items.map(({ pk }) => pk?.S)).toEqual(["later"]);
    }, 10_000);
  });
});
