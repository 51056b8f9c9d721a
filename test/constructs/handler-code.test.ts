import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RetryStack } from "../../lib/constructs/index.ts";
import type { Json } from "./synthesized.ts";

const outdir = mkdtempSync(join(tmpdir(), "retry-bundle-"));

function assets(): readonly string[] {
  return readdirSync(outdir).filter((name) => name.startsWith("asset."));
}

/** Loads the bundle in plain Node, with no more than Lambda gives it, and says what it exports or why it stopped. */
function load(environment: Record<string, string>): string {
  const script = `try { console.log(Object.keys(require(process.argv[1])).join()) } catch (error) { console.log(error.message) }`;
  return execFileSync(process.execPath, ["-e", script, join(outdir, assets()[0] ?? "", "ingest.js")], {
    env: { PATH: process.env.PATH, AWS_REGION: "eu-west-1", NODE_NO_WARNINGS: "1", ...environment },
    cwd: tmpdir(),
    encoding: "utf8",
  }).trim();
}

const ENVIRONMENT = {
  RETRY_WORK_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/123456789012/work",
  RETRY_DEAD_LETTER_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/123456789012/dead",
  RETRY_STATE_TABLE: "table",
  RETRY_INGEST_QUEUE_NAME: "ingest",
  RETRY_REPORT_LIFETIME_MS: "86400000",
  RETRY_ROW_LIFETIME_MS: "2592000000",
};

describe("the bundle of the handlers", () => {
  beforeAll(() => {
    const app = new App({ outdir });
    new RetryStack(app, "First", { pipelines: { Payments: {}, Mail: {} } });
    new RetryStack(app, "Second", { pipelines: { Orders: {} } });
    app.synth();
  });

  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it("is one asset for all pipelines of all stacks", () => {
    const keys = ["First", "Second"].flatMap((stack) => {
      const template: Json = JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), "utf8"));
      const functions = Object.values(template.Resources).filter((each: Json) => each.Type === "AWS::Lambda::Function");
      return functions.map((each: Json) => each.Properties.Code.S3Key);
    });

    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(assets()).toHaveLength(1);
  });

  it("FC-26: loads with plain Node, without any module beside it", () => {
    expect(load(ENVIRONMENT)).toBe("handler");
  });

  it("FC-27: stops at its cold start where a setting is wrong, with name and value", () => {
    expect(load({ ...ENVIRONMENT, RETRY_MAX_ATTEMPTS: "" })).toContain("'RETRY_MAX_ATTEMPTS'");
    expect(load({ ...ENVIRONMENT, RETRY_JITTER: "ful" })).toMatch(/'RETRY_JITTER'.*"ful"/);
  });
});
