import { describe, expect, it } from "vitest";
import { alarmText, greeting, logText } from "../../lib/sandbox/present.ts";

const ENDPOINTS = { sqsEndpoint: "http://127.0.0.1:9324", dynamodbEndpoint: "http://127.0.0.1:8000" };

describe("what the sandbox prints", () => {
  it("gives URLs, outputs and commands that go to the sandbox as they stand", () => {
    const outputs = {
      RetryIngestQueueUrl: "http://127.0.0.1:9324/000000000000/ingest",
      RetryIngestQueueArn: "arn:aws:sqs:us-east-1:000000000000:ingest",
      SendCommand: "aws sqs send-message --queue-url http://127.0.0.1:9324/000000000000/ingest --message-body x",
    };
    const plan = { tables: [], functions: [], mappings: [], alarms: [], outputs };
    const stacks = [{ name: "Retry", queues: [], plan }];

    const text = greeting({
      ...ENDPOINTS,
      tableEngine: "dynalite",
      region: "us-east-1",
      speed: 60,
      stacks,
      standIns: [],
      functions: [],
    });

    expect(text).toContain("http://127.0.0.1:8000 (dynalite)");
    expect(text).toContain("export AWS_ACCESS_KEY_ID=");
    expect(text).toContain("export AWS_ENDPOINT_URL_SQS=http://127.0.0.1:9324 ");
    expect(text).toContain("export RETRY_INGEST_QUEUE_URL=http://127.0.0.1:9324/000000000000/ingest\n");
    expect(text).toContain("export RETRY_INGEST_QUEUE_ARN=arn:aws:sqs:us-east-1:000000000000:ingest\n");
    expect(text).toContain("\n  aws sqs send-message --endpoint-url http://127.0.0.1:9324 --queue-url");
  });

  it("shows a structured line as its message and fields", () => {
    const fields = {
      level: "INFO",
      message: "retry",
      timestamp: "t",
      service: "s",
      itemId: "a",
      why: "two words",
      n: 3,
    };

    expect(logText({ functionName: "f", text: "{}", fields })).toBe('retry itemId=a why="two words" n=3');
  });

  it("shows the level of a structured line when it is more than information", () => {
    expect(logText({ functionName: "f", text: "{}", fields: { level: "ERROR", message: "it broke" } })).toBe(
      "ERROR it broke",
    );
  });

  it("shows any other line as it is", () => {
    expect(logText({ functionName: "f", text: "plain" })).toBe("plain");
  });

  it("shows how an alarm changed", () => {
    const change = { alarm: "Depth", description: "", from: "OK", to: "ALARM", at: 0, value: 3, actions: [] } as const;

    expect(alarmText(change)).toBe("ALARM rings: Depth, was OK, value 3");
  });
});
