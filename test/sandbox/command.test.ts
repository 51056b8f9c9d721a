import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { anAssembly, aQueue } from "./fixtures/assembly.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FREE_PORTS = ["--sqs-port", "0", "--dynamodb-port", "0"];

/** Runs the command; its process is gone when the test is over. */
function run(...options: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", "bin/sandbox.ts", ...options], { cwd: ROOT });
  const output = { out: "", err: "" };
  child.stdout?.on("data", (data: Buffer) => {
    output.out += data.toString();
  });
  child.stderr?.on("data", (data: Buffer) => {
    output.err += data.toString();
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, output, exited };
}

describe("the sandbox command", () => {
  it("prints URLs and ready commands of the synthesized app, and stops at Ctrl-C", async () => {
    const { child, output, exited } = run(...FREE_PORTS, "--speed", "60");

    await vi.waitUntil(() => output.out.includes("Ctrl-C stops it."), 50_000);
    child.kill("SIGINT");

    expect(await exited).toBe(0);
    expect(output.out).toMatch(/SQS +http:\/\/127\.0\.0\.1:\d+\n/);
    expect(output.out).toMatch(/DynamoDB +http:\/\/127\.0\.0\.1:\d+ \(dyn\w+\)\n/);
    expect(output.out).toMatch(/export RETRY_INGEST_QUEUE_URL=http:\/\/127\.0\.0\.1:\d+\/000000000000\/\S+\n/);
    expect(output.out).toMatch(/ {2}aws sqs send-message --endpoint-url http:\/\/127\.0\.0\.1:\d+ /);
  });

  it("runs an assembly that is there already", async () => {
    const directory = await anAssembly({
      Mine: { resources: { Queue: aQueue() }, outputs: { MyQueueUrl: { Value: { Ref: "Queue" } } } },
    });
    const { child, output, exited } = run(...FREE_PORTS, "--assembly", directory);

    await vi.waitUntil(() => output.out.includes("Ctrl-C stops it."), 50_000);
    child.kill("SIGTERM");

    expect(await exited).toBe(0);
    expect(output.out).toContain("Mine-Queue");
    expect(output.err).toBe("");
  });

  it.each([
    [["--assembly", "nowhere"], "the sandbox does not start: cannot read nowhere/manifest.json"],
    [["--speed", "0"], "it must be a number from 1 to 10000, got '0'"],
    [["--speed", "fast"], "it must be a number from 1 to 10000, got 'fast'"],
    [["--endpoint", "foo"], "it must be a URL like http://127.0.0.1:4566, got 'foo'"],
    [["--sqs-port", "99999"], "it must be a port from 0 to 65535, got '99999'"],
  ])("says in one line why it does not start: %j", async (options, message) => {
    const { output, exited } = run(...options);

    expect(await exited).toBe(1);
    expect(output.err).toContain(message);
    expect(output.err.trim().split("\n")).toHaveLength(1);
  });
});
