import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { type AlarmChange, type AlarmStatus, AlarmWatch } from "./alarms/alarm-watch.ts";
import { Monitor } from "./alarms/monitor.ts";
import type { Environment } from "./assembly/identities.ts";
import { type AssemblyStack, readAssembly } from "./assembly/read-assembly.ts";
import { type SandboxClock, startClock } from "./clock.ts";
import { type DeployedStack, type Deployment, deploy } from "./deployment.ts";
import { deleteExpired } from "./dynamodb/time-to-live.ts";
import { type Engines, startEngines } from "./engines.ts";
import { FunctionHost } from "./functions/function-host.ts";
import { createTaskFiles } from "./functions/task-files.ts";
import { startMappings } from "./mapping/start-mappings.ts";
import { MetricStore } from "./metrics/metric-store.ts";
import { recordEvent } from "./metrics/queue-metrics.ts";
import type { SandboxQueue } from "./queues/create-queues.ts";
import { repeat } from "./repeat.ts";
import { checkOptions, type SandboxOptions } from "./sandbox-options.ts";
import type { QueueService } from "./sqs/index.ts";

/** A running sandbox. */
export interface Sandbox {
  readonly clock: SandboxClock;
  readonly region: string;
  readonly accountId: string;
  readonly sqsEndpoint: string;
  readonly dynamodbEndpoint: string;
  /** What keeps the tables. */
  readonly tableEngine: Engines["tableEngine"];
  /** The queue engine; absent with a foreign SQS endpoint. */
  readonly service: QueueService | undefined;
  /** Clients of the two endpoints, over HTTP. */
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  readonly stacks: readonly DeployedStack[];
  /** Queues that stand in for those that the templates name by ARN only. */
  readonly standIns: readonly SandboxQueue[];
  readonly functions: readonly FunctionHost[];
  readonly metrics: MetricStore;
  /** An output's value by its name, from whichever stack has it. @throws Error when there is none */
  output(name: string): string;
  /** A queue's URL, by the name of an output, its logical id or its own name. @throws Error when there is none */
  queueUrl(name: string): string;
  /** A table's name, by the name of an output or its logical id. @throws Error when there is none */
  tableName(name: string): string;
  alarms(): readonly AlarmStatus[];
  /** What alarms published, by topic ARN, oldest first. */
  notifications(topicArn: string): readonly AlarmChange[];
  /** Ends everything; leaves no process and no open socket. */
  stop(): Promise<void>;
}

/** Samples and evaluations per minute of sandbox time, within what a machine can do. */
const TICKS_PER_MINUTE = 4;
const TICK_MS = { least: 20, most: 1000 } as const;

/** Real time between two looks for rows that have expired. */
const SWEEP_MS = { least: 1000, most: 60_000 } as const;

/**
 * Runs a synthesized cloud assembly on this machine: queues, tables, functions, mappings and alarms as its templates have
 * them.
 *
 * @throws RangeError for wrong options, AssemblyError for what is not run here, Error when something does not start
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  checkOptions(options);
  const clock = startClock(options.speed);
  const closers: (() => unknown)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= closeAll(closers);
    return stopping;
  };
  try {
    const stacks = await readAssembly(options.assemblyDirectory);
    const environment = environmentOf(options, stacks);
    const { sqsPort = 0, dynamodbPort = 0, endpoint } = options;
    const { sqsEndpoint = endpoint, dynamodbEndpoint = endpoint } = options;
    const onStop = (close: () => unknown) => void closers.push(close);
    const ports = { sqsPort, dynamodbPort, sqsEndpoint, dynamodbEndpoint };
    const engines = await startEngines(ports, clock, environment, onStop);
    const deployment = await deploy(stacks, environment, engines.ownSqs, engines.dynamodb);
    const running = await run(options, clock, environment, engines, deployment, onStop);
    return { ...sandboxOf(clock, environment, engines, deployment), ...running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(
  options: SandboxOptions,
  clock: SandboxClock,
  { region }: Environment,
  engines: Engines,
  { stacks, standIns }: Deployment,
  onStop: (close: () => unknown) => void,
): Promise<Pick<Sandbox, "functions" | "metrics" | "alarms" | "notifications">> {
  const { onLog = () => {}, onAlarm = () => {}, onProblem = (problem: string) => console.error(problem) } = options;
  const metrics = new MetricStore();
  const published: AlarmChange[] = [];
  const queues = [...stacks.flatMap((stack) => stack.queues), ...standIns];
  const alarms = stacks.flatMap(({ plan }) => plan.alarms.map((each) => new AlarmWatch(each)));
  const tables = stacks.flatMap(({ plan }) => plan.tables);
  const { service, readDepth, dynamodb, sqsEndpoint, dynamodbEndpoint } = engines;
  const files = await createTaskFiles();
  onStop(() => files.remove());

  const endpoints = { region, sqsEndpoint, dynamodbEndpoint };
  const functions = stacks
    .flatMap(({ plan }) => plan.functions)
    .map((plan) => new FunctionHost({ plan, clock, files, endpoints, metrics, onLog }));
  const mappings = startMappings({
    plans: stacks.flatMap(({ plan }) => plan.mappings),
    queues,
    functions,
    sqs: engines.ownSqs,
    visibilitySeconds: options.visibilitySeconds,
    onProblem,
  });
  // Invocations under way fail when their processes end, so both have to stop at the same time.
  onStop(() => Promise.all([...mappings, ...functions].map((each) => each.stop())));

  const onChange = (change: AlarmChange) => {
    published.push(change);
    onAlarm(change);
  };
  const monitor = new Monitor({ clock, metrics, queues, readDepth, alarms, onChange });
  const report = (error: unknown) => onProblem(error instanceof Error ? error.message : String(error));
  if (service) onStop(service.onEvent((event) => recordEvent(metrics, event)));
  onStop(repeat(() => monitor.tick(), within(TICK_MS, clock.toRealMs(60_000 / TICKS_PER_MINUTE)), report));
  const sweep = () => Promise.all(tables.map((table) => deleteExpired(dynamodb, table, clock.now())));
  onStop(repeat(sweep, within(SWEEP_MS, clock.toRealMs(60_000)), report));
  return {
    functions,
    metrics,
    alarms: () => alarms.map(({ status }) => status),
    notifications: (topicArn) => published.filter(({ actions }) => actions.includes(topicArn)),
  };
}

function sandboxOf(
  clock: SandboxClock,
  environment: Environment,
  engines: Engines,
  { stacks, standIns }: Deployment,
): Omit<Sandbox, "functions" | "metrics" | "alarms" | "notifications" | "stop"> {
  const outputs = Object.assign({}, ...stacks.map(({ plan }) => plan.outputs)) as Readonly<Record<string, string>>;
  const queues = [...stacks.flatMap((stack) => stack.queues), ...standIns];
  const tables = stacks.flatMap(({ plan }) => plan.tables);
  const outputOf = (name: string) => (Object.hasOwn(outputs, name) ? outputs[name] : undefined);
  const { sqsEndpoint, dynamodbEndpoint, tableEngine, service, sqs, dynamodb } = engines;
  return {
    clock,
    ...environment,
    sqsEndpoint,
    dynamodbEndpoint,
    tableEngine,
    service,
    sqs,
    dynamodb,
    stacks,
    standIns,
    output: (name) => outputOf(name) ?? unknown("output", name, Object.keys(outputs)),
    queueUrl: (name) => {
      const found = queues.find((queue) => [queue.logicalId, queue.name, queue.url].includes(outputOf(name) ?? name));
      return found?.url ?? unknown("queue", name, [...queues.map((queue) => queue.logicalId), ...Object.keys(outputs)]);
    },
    tableName: (name) => {
      const found = tables.find((table) => [table.logicalId, table.name].includes(outputOf(name) ?? name));
      return (
        found?.name ?? unknown("table", name, [...tables.map((table) => table.logicalId), ...Object.keys(outputs)])
      );
    },
  };
}

function unknown(what: string, name: string, known: readonly string[]): never {
  throw new Error(`the sandbox has no ${what} '${name}'; known are ${known.join(", ")}`);
}

function environmentOf(options: SandboxOptions, stacks: readonly AssemblyStack[]): Environment {
  const { region = "us-east-1", accountId = "000000000000" } = stacks.find((stack) => stack.region) ?? {};
  return { region: options.region ?? region, accountId: options.accountId ?? accountId };
}

function within({ least, most }: { readonly least: number; readonly most: number }, value: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Closes in reverse order, all of them even when one fails. @throws Error the first failure */
async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...closers].reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
