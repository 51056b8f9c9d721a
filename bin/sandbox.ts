#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError, program } from "commander";
import colors from "picocolors";
import { startSandbox } from "../lib/sandbox/index.ts";
import { alarmText, greeting, logText } from "../lib/sandbox/present.ts";
import { synthesize } from "./assembly.ts";
import { interruption } from "./interruption.ts";

interface Options {
  readonly speed: number;
  readonly sqsPort: number;
  readonly dynamodbPort: number;
  readonly endpoint?: string;
  readonly assembly?: string;
}

// What the SDK says about this machine's Node is no matter of the sandbox.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

program
  .name("npm start --")
  .description("Runs the synthesized stack on this machine: no account, no Docker. Everything is kept in memory.")
  .option("--speed <factor>", "sandbox seconds in one real second: delays, retention, alarm periods", aSpeed, 1)
  .option("--sqs-port <port>", "port for SQS, 0 for a free one", aPort, 9324)
  .option("--dynamodb-port <port>", "port for DynamoDB, 0 for a free one", aPort, 8000)
  .option("--endpoint <url>", "use the queues and tables of this AWS-compatible server instead", aUrl)
  .option("--assembly <directory>", "run this cloud assembly instead of synthesizing the app")
  .action(start);

try {
  await program.parseAsync();
} catch (error) {
  // What is wrong is the user's to mend: the sentence helps, a stack trace does not.
  console.error(colors.red(`the sandbox does not start: ${error instanceof Error ? error.message : error}`));
  process.exitCode = 1;
}

async function start({ speed, sqsPort, dynamodbPort, endpoint, assembly }: Options): Promise<void> {
  // From here on, so that a start that is broken off leaves nothing behind either.
  const stop = interruption();
  const own = assembly === undefined ? await synthesize(await projectContext()) : undefined;
  try {
    const sandbox = await startSandbox({
      assemblyDirectory: assembly ?? own?.directory ?? "",
      speed,
      sqsPort,
      dynamodbPort,
      ...(endpoint !== undefined && { endpoint }),
      onLog: (line) => show(logText(line)),
      onAlarm: (change) => {
        // The first minute's OK of every alarm is no news.
        if (change.from === "INSUFFICIENT_DATA" && change.to === "OK") return;
        show((change.to === "ALARM" ? colors.red : colors.green)(alarmText(change)));
      },
      onProblem: (problem) => show(colors.yellow(problem)),
    });
    const show = (text: string) => console.log(`${colors.dim(timeOf(sandbox.clock.now()))} ${text}`);
    console.log(greeting({ ...sandbox, speed }));
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve));
    await sandbox.stop();
  } finally {
    await own?.remove();
  }
}

async function projectContext(): Promise<Record<string, unknown>> {
  const settings = JSON.parse(await readFile(fileURLToPath(new URL("../cdk.json", import.meta.url)), "utf8")) as {
    readonly context?: Record<string, unknown>;
  };
  return settings.context ?? {};
}

function timeOf(now: number): string {
  return new Date(now).toISOString().slice(11, 19);
}

function aSpeed(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError(`it must be a number from 1 to 10000, got '${text}'`);
}

function aUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError(`it must be a URL like http://127.0.0.1:4566, got '${text}'`);
}

function aPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`it must be a port from 0 to 65535, got '${text}'`);
}
