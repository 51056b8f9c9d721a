import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningProduct, runProduct } from "./running-product.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("life.py", import.meta.url));

interface Seen {
  readonly body: string;
  readonly attributes: object;
  readonly context: { readonly attempt: number; readonly deadLetter?: { readonly reason: string } } | null;
}

interface Report {
  readonly sent: Readonly<Record<string, Pick<Seen, "body" | "attributes">>>;
  readonly work: Readonly<Record<string, readonly Seen[]>>;
  readonly dead: readonly Seen[];
}

async function succeeds(file: string, ...args: readonly string[]): Promise<boolean> {
  return run(file, args).then(
    () => true,
    () => false,
  );
}

const { AWS_CA_BUNDLE: _, ...environment } = process.env;

describe("a sender and worker that know nothing of this product", () => {
  let product: RunningProduct;

  beforeAll(async () => {
    product = await runProduct({ Retry: { maxAttempts: 3, base: "2s" } }, { speed: 60 });
  });

  afterAll(() => product.stop());

  it("FC-06, FC-28: boto3 finds every item byte-identical in the work queue and in the dead-letter queue", {
    timeout: 180_000,
  }, async (test) => {
    if (!(await succeeds("python3", "-c", "import boto3"))) {
      console.warn("SKIPPED: python3 with boto3 is not there, so no independent client was tried");
      return test.skip("python3 with boto3 is not there");
    }
    const { sandbox } = product;
    const urls = ["RetryIngestQueueUrl", "RetryWorkQueueUrl", "RetryDeadLetterQueueUrl"].map((name) =>
      sandbox.output(name),
    );

    const { stdout } = await run("python3", [SCRIPT, sandbox.sqsEndpoint, ...urls], {
      env: environment,
      maxBuffer: 2 ** 24,
    });

    const { sent, work, dead }: Report = JSON.parse(stdout);
    expect(dead).toHaveLength(4);
    for (const [name, { body, attributes }] of Object.entries(sent)) {
      const copies = dead.filter((copy) => copy.body === body);
      expect(
        copies.map((copy) => copy.attributes),
        name,
      ).toEqual([attributes]);
      const seen = work[body] ?? [];
      expect(seen.length, name).toBeGreaterThanOrEqual(2);
      for (const each of seen) expect(each.attributes, name).toEqual(attributes);
    }
    const reasons = dead.flatMap(({ context }) => context?.deadLetter?.reason ?? []);
    // Ten attributes and a full body leave no room for the context; their rows tell the reason.
    expect(reasons).toEqual(["attempts", "attempts"]);
  });

  it("the AWS CLI sends and finds an item as it was", { timeout: 120_000 }, async (test) => {
    if (!(await succeeds("aws", "--version"))) {
      console.warn("SKIPPED: the AWS CLI is not on the PATH");
      return test.skip("the AWS CLI is not on the PATH");
    }
    const { sandbox } = product;
    const env = {
      ...environment,
      AWS_DEFAULT_REGION: sandbox.region,
      AWS_ACCESS_KEY_ID: "any",
      AWS_SECRET_ACCESS_KEY: "any",
    };
    const aws = async (...args: readonly string[]) =>
      (await run("aws", ["--endpoint-url", sandbox.sqsEndpoint, "sqs", ...args], { env })).stdout;
    const attributes = JSON.stringify({ id: { DataType: "String.uuid", StringValue: "7f 🙂" } });

    await aws(
      "send-message",
      "--queue-url",
      sandbox.output("RetryIngestQueueUrl"),
      "--message-body",
      "by hand 🙂",
      "--message-attributes",
      attributes,
    );
    const received = JSON.parse(
      await aws(
        "receive-message",
        "--queue-url",
        sandbox.output("RetryWorkQueueUrl"),
        "--message-attribute-names",
        "All",
        "--wait-time-seconds",
        "20",
      ),
    );

    expect(received.Messages[0].Body).toBe("by hand 🙂");
    expect(received.Messages[0].MessageAttributes.id).toEqual({ DataType: "String.uuid", StringValue: "7f 🙂" });
    expect(JSON.parse(received.Messages[0].MessageAttributes.RetryContext.StringValue)).toMatchObject({ attempt: 2 });
  });
});
