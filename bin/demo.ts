#!/usr/bin/env node
import { Command, InvalidArgumentError } from "commander";
import { DEFAULT_POLICY } from "../lib/core/backoff/policy.ts";
import { render } from "../lib/sandbox/demo/render.ts";
import type { DemoResult } from "../lib/sandbox/demo/result.ts";
import { runDemo } from "../lib/sandbox/demo/run-demo.ts";
import { progressDisplay } from "../lib/sandbox/demo/show-progress.ts";
import { startSandbox } from "../lib/sandbox/index.ts";
import { synthesize } from "./assembly.ts";
import { interruption } from "./interruption.ts";

interface Options {
  readonly items: number;
  readonly seed: number;
  readonly speed: number;
  readonly timeLimit: number;
  readonly json?: true;
}

// What the SDK says about this machine's Node is no matter of the demo.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

const options = new Command("npm run demo --")
  .description("Runs failed items through the real handlers and the synthesized stack, on this machine, in fast time.")
  .option("--items <n>", "how many items, 1 to 5000", wholeNumber(1, 5000), 300)
  .option("--seed <n>", "same seed, same items", wholeNumber(0, 2 ** 31), 7)
  .option("--speed <n>", "how many times as fast as real time, 1 to 1000", wholeNumber(1, 1000), 150)
  .option("--time-limit <seconds>", "what is not settled by then counts as lost, 1 to 3600", wholeNumber(1, 3600), 50)
  .option("--json", "print the result as one JSON document")
  .parse()
  .opts<Options>();

const stop = interruption();
try {
  const result = await demo(options);
  if (stop.aborted) process.exitCode = 130;
  else {
    console.log(options.json ? JSON.stringify(result, null, 2) : `\n${render(result)}`);
    process.exitCode = result.ok ? 0 : 1;
  }
} catch (error) {
  console.error(`the demo does not run: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function demo({ items, seed, speed, timeLimit }: Options): Promise<DemoResult> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  say("Synthesizing the stack, and starting queues, table and handlers …");
  // One pipeline with the default policy, whatever cdk.json says: the plan of the demo is made for it.
  const assembly = await synthesize({ pipelines: { Demo: {} } });
  try {
    const sandbox = await startSandbox({ assemblyDirectory: assembly.directory, speed });
    const display = progressDisplay(process.stderr);
    say(`${items} items for a flaky worker; time runs ${speed} times as fast. Queues at ${sandbox.sqsEndpoint}.`);
    try {
      return await runDemo({
        sandbox,
        queues: {
          ingest: sandbox.output("DemoIngestQueueUrl"),
          work: sandbox.output("DemoWorkQueueUrl"),
          deadLetter: sandbox.output("DemoDeadLetterQueueUrl"),
        },
        stateTable: sandbox.output("DemoStateTableName"),
        policy: DEFAULT_POLICY,
        items,
        seed,
        timeLimitMs: timeLimit * 1000,
        signal: stop,
        onProgress: (progress) => display.show(progress),
      });
    } finally {
      display.end();
      await sandbox.stop();
    }
  } finally {
    await assembly.remove();
  }
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && text.trim() !== "" && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number between ${least} and ${most}.`);
  };
}
