import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ClockSettings } from "../clock.ts";
import type { AnswerMessage, InvocationOutcome, InvokeMessage, RequestMessage } from "./child/messages.ts";

export interface ProcessOptions {
  readonly bootstrap: string;
  readonly taskRoot: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly clock: ClockSettings;
  /** A line that the function wrote. */
  readonly onLine: (line: string) => void;
}

/** Lambda's limit for loading a function's code. */
const INIT_LIMIT_MS = 10_000;

/** One process of a function: loads the handler once, then runs one invocation at a time. It may end at any time. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #ready: Promise<AnswerMessage>;
  #answer: ((answer: AnswerMessage) => void) | undefined;
  #ended = false;

  constructor({ bootstrap, taskRoot, handler, environment, memoryMb, clock, onLine }: ProcessOptions) {
    this.#child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, bootstrap], {
      cwd: taskRoot,
      env: environment,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", onLine);
    }
    this.#child.on("message", (answer: AnswerMessage) => this.#settle(answer));
    this.#child.on("error", (error) => this.#end("Runtime.ExitError", error.message));
    this.#child.on("exit", (code, signal) => {
      const how = signal === null ? `exit status ${code}` : `signal ${signal}`;
      this.#end("Runtime.ExitError", `Runtime exited with error: ${how}`);
    });
    this.#closed = new Promise((resolve) => this.#child.once("close", () => resolve()));
    this.#ready = this.#ask({ kind: "init", clock, taskRoot, handler }, INIT_LIMIT_MS);
  }

  /** Whether it takes no more invocations. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Runs one invocation, after the handler is loaded; kills the process when its time is up. Ask for one at a time.
   *
   * @returns what the handler returned, or how it, its loading or the process failed; never rejects
   */
  async invoke(message: InvokeMessage): Promise<InvocationOutcome> {
    const ready = await this.#ready;
    if (ready.kind === "failed") {
      // A handler that could not be loaded is tried again in a new process, as Lambda does.
      this.#abandon(ready.errorType, ready.errorMessage);
      return ready;
    }
    const answer = await this.#ask(message, message.timeoutMs);
    if (answer.kind !== "ready") return answer;
    throw new Error("a function's process must answer an invocation with its outcome, got 'ready'");
  }

  /** Ends the process, and waits until it is gone and all of its output is read. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  #ask(message: RequestMessage, limitMs: number): Promise<AnswerMessage> {
    return new Promise((resolve) => {
      const seconds = (limitMs / 1000).toFixed(2);
      const timeOut = () => this.#abandon("Sandbox.Timedout", `Task timed out after ${seconds} seconds`);
      const timer = setTimeout(timeOut, limitMs);
      this.#answer = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      if (this.#ended) this.#end("Runtime.ExitError", "the function's process is gone");
      else this.#child.send(message, (error) => error && this.#end("Runtime.ExitError", error.message));
    });
  }

  #abandon(errorType: string, errorMessage: string): void {
    this.#end(errorType, errorMessage);
    this.#child.kill("SIGKILL");
  }

  #end(errorType: string, errorMessage: string): void {
    this.#ended = true;
    this.#settle({ kind: "failed", errorType, errorMessage });
  }

  #settle(answer: AnswerMessage): void {
    const settle = this.#answer;
    this.#answer = undefined;
    settle?.(answer);
  }
}
