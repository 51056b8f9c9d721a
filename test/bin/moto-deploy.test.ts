import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MotoServer, motoServerPath, startMotoServer } from "../sandbox/sqs/fixtures/moto-server.ts";

const run = promisify(execFile);
const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

let moto: MotoServer | undefined;
let outdir: string;

async function cdk(...args: readonly string[]): Promise<void> {
  const { AWS_CA_BUNDLE: _, ...environment } = process.env;
  const env = {
    ...environment,
    // moto takes the bucket from the path of a template URL only where the host is localhost.
    AWS_ENDPOINT_URL: moto?.endpoint.replace("127.0.0.1", "localhost"),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: "true",
    CDK_DISABLE_VERSION_CHECK: "1",
    CDK_DISABLE_CLI_TELEMETRY: "true",
    CI: "1",
  };
  await run("npx", ["cdk", ...args, "--no-notices", "--output", outdir], { env, maxBuffer: 2 ** 24 });
}

describe("cdk deploy", () => {
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), "retry-deploy-"));
    const command = motoServerPath();
    if (command !== undefined) moto = await startMotoServer(command);
    else console.warn("SKIPPED: moto_server is not on the PATH, so the app was not deployed to it");
  });

  afterAll(async () => {
    await moto?.stop();
    await rm(outdir, { recursive: true, force: true });
  });

  it("deploys the app to moto_server, an engine that nobody here wrote", { timeout: 240_000 }, async (test) => {
    if (!moto) return test.skip("moto_server is not on the PATH");
    await cdk("bootstrap");
    await cdk("deploy", "--require-approval", "never");

    const client = { endpoint: moto.endpoint, region: "us-east-1", credentials: CREDENTIALS };
    const sqs = new SQSClient(client);
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: "RetryOrchestrator" }));
    expect(QueueUrls).toHaveLength(3);
    const ingest = QueueUrls.find((url) => url.includes("IngestQueue"));
    const attributes = new GetQueueAttributesCommand({ QueueUrl: ingest, AttributeNames: ["All"] });
    expect((await sqs.send(attributes)).Attributes).toMatchObject({
      VisibilityTimeout: "361",
      MessageRetentionPeriod: "864000",
      RedrivePolicy: expect.stringContaining("DeadLetterQueue"),
    });

    const dynamodb = new DynamoDBClient(client);
    const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
    expect(TableNames).toEqual([expect.stringContaining("StateTable")]);
    sqs.destroy();
    dynamodb.destroy();
  });
});
