import { randomBytes, randomUUID } from "node:crypto";
import type { FunctionPlan } from "../assembly/function-plan.ts";
import type { SandboxClock } from "../clock.ts";
import { isObject, type JsonObject } from "../json.ts";
import { embeddedMetrics } from "../metrics/embedded-metrics.ts";
import type { MetricStore } from "../metrics/metric-store.ts";
import type { InvocationOutcome } from "./child/messages.ts";
import { type Endpoints, functionEnvironment } from "./function-environment.ts";
import { FunctionProcess } from "./function-process.ts";
import { invocationTrace } from "./lineage.ts";
import type { TaskFiles } from "./task-files.ts";

/** A line that a function wrote, or that the sandbox says about one of its invocations. */
export interface LogLine {
  readonly functionName: string;
  readonly text: string;
  /** The line as an object, when it is one in JSON. */
  readonly fields?: JsonObject;
}

export interface FunctionHostOptions {
  readonly plan: FunctionPlan;
  readonly clock: SandboxClock;
  readonly files: TaskFiles;
  readonly endpoints: Endpoints;
  readonly metrics: MetricStore;
  readonly onLog: (line: LogLine) => void;
}

/** A function of the template: its processes, what they write, and what Lambda counts. */
export class FunctionHost {
  readonly plan: FunctionPlan;
  readonly #options: FunctionHostOptions;
  readonly #processes = new Set<FunctionProcess>();
  readonly #idle: FunctionProcess[] = [];
  #running = 0;
  #stopped = false;

  constructor(options: FunctionHostOptions) {
    this.plan = options.plan;
    this.#options = options;
  }

  /** Processes that are there now, warm ones included. */
  get processCount(): number {
    return this.#processes.size;
  }

  /**
   * Invokes the function: in a process that is warm and idle, else in a new one.
   *
   * @param payload the event as JSON
   * @param traceHeaders the `AWSTraceHeader` of each message in the event
   * @returns how it ended; throttled, stopped and crashed are failures too
   */
  async invoke(payload: string, traceHeaders: readonly (string | undefined)[] = []): Promise<InvocationOutcome> {
    const { plan } = this;
    const throttled = this.#running >= (plan.reservedConcurrency ?? Number.POSITIVE_INFINITY);
    this.#count("Throttles", throttled ? 1 : 0);
    if (throttled) return { kind: "failed", errorType: "TooManyRequestsException", errorMessage: "Rate Exceeded." };
    this.#running += 1;
    try {
      const process = await this.#takeProcess();
      if (!process) return { kind: "failed", errorType: "Sandbox.Stopped", errorMessage: "the sandbox stops" };
      const requestId = randomUUID();
      const trace = newTrace(this.#options.clock.now());
      const outcome = await process.invoke({
        kind: "invoke",
        payload,
        requestId,
        traceId: invocationTrace(traceHeaders, plan.arn, trace),
        timeoutMs: plan.timeoutMs,
        functionArn: plan.arn,
      });
      this.#release(process);
      this.#countOutcome(outcome, requestId);
      return outcome;
    } finally {
      this.#running -= 1;
    }
  }

  /** Counts an invocation that is not made because its chain is too long. */
  dropRecursion(): void {
    this.#count("RecursiveInvocationsDropped", 1);
    this.#log(JSON.stringify({ level: "ERROR", message: "a recursive loop was stopped: an invocation is dropped" }));
  }

  /** Kills all processes; what they are doing fails. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#processes].map((process) => process.kill()));
  }

  async #takeProcess(): Promise<FunctionProcess | undefined> {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) {
      if (!process.ended) return process;
      this.#processes.delete(process);
    }
    const { plan, files, endpoints, clock } = this.#options;
    if (this.#stopped) return undefined;
    const taskRoot = await files.taskRoot(plan.codeDirectory);
    if (this.#stopped) return undefined;
    const process = new FunctionProcess({
      bootstrap: files.bootstrap,
      taskRoot,
      handler: plan.handler,
      environment: functionEnvironment(plan, endpoints, taskRoot),
      memoryMb: plan.memoryMb,
      clock: clock.settings,
      onLine: (line) => this.#read(line),
    });
    this.#processes.add(process);
    return process;
  }

  #release(process: FunctionProcess): void {
    if (!process.ended) this.#idle.push(process);
    // Known until it is really gone, so that stopping waits for it.
    else void process.kill().then(() => this.#processes.delete(process));
  }

  #countOutcome(outcome: InvocationOutcome, requestId: string): void {
    if (this.#stopped) return;
    this.#count("Invocations", 1);
    this.#count("Errors", outcome.kind === "failed" ? 1 : 0);
    if (outcome.kind === "failed") {
      const { errorType, errorMessage, trace } = outcome;
      this.#log(JSON.stringify({ level: "ERROR", message: errorMessage, errorType, requestId, trace }));
    }
  }

  /** A metric document counts from when it arrives: a late one must not fall into a minute that was evaluated already. */
  #read(text: string): void {
    const { metrics, clock } = this.#options;
    const fields = objectIn(text);
    const values = fields && embeddedMetrics(fields);
    if (!values) this.#log(text, fields);
    for (const { key, value } of values ?? []) metrics.record(key, value, clock.now());
  }

  #log(text: string, fields = objectIn(text)): void {
    this.#options.onLog({ functionName: this.plan.name, text, ...(fields && { fields }) });
  }

  #count(name: string, value: number): void {
    const { metrics, clock } = this.#options;
    metrics.record({ namespace: "AWS/Lambda", name, dimensions: { FunctionName: this.plan.name } }, value, clock.now());
  }
}

function objectIn(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A trace id in X-Ray's form. */
function newTrace(now: number): string {
  const seconds = Math.floor(now / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString("hex")};Parent=${randomBytes(8).toString("hex")};Sampled=0`;
}
