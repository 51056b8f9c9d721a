import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildApp, RetryStack } from "../../lib/constructs/index.ts";

const NO_BUNDLES = { "aws:cdk:bundling-stacks": [] };

function stacks(context: Record<string, unknown> = {}) {
  return buildApp({ context: { ...NO_BUNDLES, ...context } }).node.children.filter(
    (each) => each instanceof RetryStack,
  );
}

describe("the app", () => {
  it("deploys one stack with one pipeline where the context says nothing", () => {
    const [stack, ...others] = stacks();

    expect(others).toEqual([]);
    expect(stack?.stackName).toBe("RetryOrchestrator");
    expect(Object.keys(stack?.pipelines ?? {})).toEqual(["Retry"]);
  });

  it("takes pipelines and the stack's name from the context", () => {
    const [stack] = stacks({ stackName: "Shop-Retries", pipelines: { Payments: {}, Mail: { maxAttempts: 3 } } });

    expect(stack?.stackName).toBe("Shop-Retries");
    expect(Object.keys(stack?.pipelines ?? {})).toEqual(["Payments", "Mail"]);
  });

  it.each([["1st"], ["my stack"], [""], ["x".repeat(129)], [3]])("refuses %j as the stack's name", (stackName) => {
    expect(() => stacks({ stackName })).toThrow(
      `'stackName' must be letters, digits and hyphens, first a letter, at most 128, got ${JSON.stringify(stackName)}`,
    );
  });

  it("synthesizes into a given directory", () => {
    const outdir = mkdtempSync(join(tmpdir(), "retry-app-"));
    try {
      expect(buildApp({ outdir, context: NO_BUNDLES }).synth().directory).toBe(outdir);
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });
});
