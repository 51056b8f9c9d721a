import type { ReceiveMessageResult } from "@aws-sdk/client-sqs";
import type { ReceiveRequest } from "./limits/index.ts";
import { type Engine, noSuchQueue } from "./model/engine.ts";
import { nextStepAt, progressMoveTasks } from "./model/move-task.ts";
import type { Queue } from "./model/queue.ts";
import { receiveFrom } from "./operations/receive.ts";

/** Longest delay that a timer of Node takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Waiter {
  readonly request: ReceiveRequest;
  readonly settle: (result: ReceiveMessageResult) => void;
  readonly refuse: (error: unknown) => void;
}

interface Line {
  readonly waiters: Set<Waiter>;
  timer: NodeJS.Timeout | undefined;
  /** Clock time that `timer` is set to. */
  wakesAt: number | undefined;
}

/** Receives that wait, first come first served. The only timers of the engine: they wake these, nothing else. */
export class LongPolls {
  readonly #engine: Engine;
  readonly #lines = new Map<Queue, Line>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Waits up to `waitSeconds` of real time for a message.
   *
   * @throws the signal's reason when it aborts; nothing is received then
   */
  wait(
    queue: Queue,
    request: ReceiveRequest,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<ReceiveMessageResult> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const line = this.#lineOf(queue);
      const leave = (): void => {
        clearTimeout(end);
        signal?.removeEventListener("abort", abort);
        line.waiters.delete(waiter);
        if (line.waiters.size === 0) this.#close(queue, line);
      };
      const waiter: Waiter = {
        request,
        settle: (result) => {
          leave();
          resolve(result);
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = (): void => waiter.refuse(signal?.reason);
      const end = setTimeout(() => waiter.settle({}), waitSeconds * 1000);
      signal?.addEventListener("abort", abort, { once: true });
      line.waiters.add(waiter);
      this.#arm(queue, line, this.#engine.clock.now());
    });
  }

  /** Serves whoever can be served now; called after everything that may have changed a queue. */
  serve(): void {
    for (const [queue, line] of this.#lines) this.#serveLine(queue, line);
  }

  #serveLine(queue: Queue, line: Line): void {
    const now = this.#engine.clock.now();
    progressMoveTasks(this.#engine, now);
    queue.progress(now);
    for (const waiter of line.waiters) {
      if (this.#engine.queues.get(queue.identity.name) !== queue) {
        waiter.refuse(noSuchQueue());
        continue;
      }
      if (!queue.hasReceivable()) break;
      this.#offer(queue, waiter, now);
    }
    if (line.waiters.size > 0) this.#arm(queue, line, now);
    this.#engine.events.deliver();
  }

  #offer(queue: Queue, waiter: Waiter, now: number): void {
    try {
      const result = receiveFrom(this.#engine, queue, waiter.request, now);
      if (result.Messages) waiter.settle(result);
    } catch (error) {
      waiter.refuse(error);
    }
  }

  #lineOf(queue: Queue): Line {
    const known = this.#lines.get(queue);
    if (known) return known;
    const line: Line = { waiters: new Set(), timer: undefined, wakesAt: undefined };
    this.#lines.set(queue, line);
    return line;
  }

  #close(queue: Queue, line: Line): void {
    clearTimeout(line.timer);
    this.#lines.delete(queue);
  }

  /** Sets the timer to the next thing that may bring this queue a message. */
  #arm(queue: Queue, line: Line, now: number): void {
    const steps = this.#engine.moveTasks.map((task) => nextStepAt(task) ?? Number.POSITIVE_INFINITY);
    const wakesAt = Math.min(queue.nextEventAt() ?? Number.POSITIVE_INFINITY, ...steps);
    if (wakesAt === line.wakesAt) return;
    clearTimeout(line.timer);
    line.wakesAt = wakesAt;
    if (wakesAt === Number.POSITIVE_INFINITY) return;
    const clockPerReal = this.#engine.clock.realMs(1000) / 1000;
    const realMs = Math.min(Math.max((wakesAt - now) / clockPerReal, 1), LONGEST_TIMER_MS);
    line.timer = setTimeout(() => {
      line.wakesAt = undefined;
      this.#serveLine(queue, line);
    }, Math.ceil(realMs));
  }
}
