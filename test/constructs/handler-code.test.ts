import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RetryStack } from "../../lib/constructs/index.ts";
import type { Json } from "./synthesized.ts";

vi.mock("esbuild", { spy: true });

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
  RETRY_WORK_MAX_RECEIVE_COUNT: "2",
  RETRY_REPORT_LIFETIME_MS: "86400000",
  RETRY_ROW_LIFETIME_MS: "2592000000",
};

describe("the bundle of the handlers", () => {
  let bundlings: number;

  beforeAll(() => {
    const app = new App({ outdir });
    const names = Array.from({ length: 10 }, (_, index) => `Pipeline${index}`);
    new RetryStack(app, "First", { pipelines: Object.fromEntries(names.map((name) => [name, {}])) });
    new RetryStack(app, "Second", { pipelines: { Orders: {} } });
    app.synth();
    bundlings = vi.mocked(buildSync).mock.calls.length;
  });

  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it("is made once, however many pipelines there are", () => {
    expect(bundlings).toBe(1);
  });

  it("is one asset for all pipelines of all stacks", () => {
    const keys = ["First", "Second"].flatMap((stack) => {
      const template: Json = JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), "utf8"));
      const functions = Object.values(template.Resources).filter((each: Json) => each.Type === "AWS::Lambda::Function");
      return functions.map((each: Json) => each.Properties.Code.S3Key);
    });

    expect(keys).toHaveLength(11);
    expect(new Set(keys).size).toBe(1);
    expect(assets()).toHaveLength(1);
  });

  it("is the same each time, so that a second deployment changes nothing", () => {
    const again = mkdtempSync(join(tmpdir(), "retry-bundle-again-"));
    try {
      const app = new App({ outdir: again });
      new RetryStack(app, "Third", { pipelines: { Retry: {} } });
      app.synth();

      expect(readdirSync(again).filter((name) => name.startsWith("asset."))).toEqual(assets());
    } finally {
      rmSync(again, { recursive: true, force: true });
    }
  });

  it("FC-26: loads with plain Node, without any module beside it", () => {
    expect(load(ENVIRONMENT)).toBe("handler");
  });

  it("FC-27: stops at its cold start where a setting is wrong, with name and value", () => {
    expect(load({ ...ENVIRONMENT, RETRY_MAX_ATTEMPTS: "" })).toContain("'RETRY_MAX_ATTEMPTS'");
    expect(load({ ...ENVIRONMENT, RETRY_JITTER: "ful" })).toMatch(/'RETRY_JITTER'.*"ful"/);
  });
});
