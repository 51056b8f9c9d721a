import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDynamoDBClient, createSQSClient } from "../../lib/aws/clients.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the clients of a handler", () => {
  it.each([
    ["DynamoDB", createDynamoDBClient],
    ["SQS", createSQSClient],
  ])("try a call of %s three times at most", async (_, create) => {
    expect(await create().config.maxAttempts()).toBe(3);
  });

  it("try again what failed for the moment", async () => {
    let calls = 0;
    const server = createServer((_, response) => {
      calls += 1;
      const busy = calls < 3;
      response.writeHead(busy ? 503 : 200, { "content-type": "application/x-amz-json-1.0" });
      response.end(busy ? '{"__type":"ServiceUnavailable"}' : '{"TableNames":["State"]}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");

    const answer = await createDynamoDBClient().send(new ListTablesCommand({}));

    expect(answer.TableNames).toEqual(["State"]);
    expect(calls).toBe(3);
    server.closeAllConnections();
    server.close();
  });
});
