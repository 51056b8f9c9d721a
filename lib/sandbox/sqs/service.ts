import type { ReceiveMessageResult } from "@aws-sdk/client-sqs";
import type { OutputOf } from "./actions.ts";
import type { EngineClock } from "./clock.ts";
import { SqsError } from "./errors.ts";
import { checkedReceive, type Input, isRecord } from "./limits/index.ts";
import { LongPolls } from "./long-polls.ts";
import { Engine } from "./model/engine.ts";
import type { QueueEventListener } from "./model/events.ts";
import { inspectedQueue, type QueueInspection } from "./model/inspection.ts";
import { nextStepAt, progressMoveTasks } from "./model/move-task.ts";
import { operationNamed } from "./operations/index.ts";
import { receiveFrom } from "./operations/receive.ts";

export interface QueueServiceOptions {
  readonly clock: EngineClock;
  /** Uniform numbers in [0, 1), for ids. @default Math.random */
  readonly random?: () => number;
  /** @default "us-east-1" */
  readonly region?: string;
  /** @default "000000000000" */
  readonly accountId?: string;
  /** Start of every queue URL. @default that of the server put in front, else "http://localhost" */
  readonly endpoint?: string;
}

const DEFAULT_ENDPOINT = "http://localhost";

/**
 * The queues of one account and Region, as strict as SQS, on an injected clock. All state advances lazily from the
 * clock at each call.
 */
export class QueueService {
  readonly #engine: Engine;
  readonly #polls: LongPolls;
  readonly #endpointGiven: boolean;

  constructor(options: QueueServiceOptions) {
    const { clock, random = Math.random, region = "us-east-1", accountId = "000000000000", endpoint } = options;
    this.#endpointGiven = endpoint !== undefined;
    const base = (endpoint ?? DEFAULT_ENDPOINT).replace(/\/+$/, "");
    this.#engine = new Engine(clock, random, region, accountId, base);
    this.#polls = new LongPolls(this.#engine);
  }

  get region(): string {
    return this.#engine.region;
  }

  get accountId(): string {
    return this.#engine.accountId;
  }

  /** Start of every queue URL. */
  get endpoint(): string {
    return this.#engine.endpoint;
  }

  /** Makes queue URLs start with `endpoint`, unless one was given at construction. A server calls this once it listens. */
  offerEndpoint(endpoint: string): void {
    if (!this.#endpointGiven) this.#engine.endpoint = endpoint;
  }

  /**
   * Does one action at once; ReceiveMessage does not wait. Inputs and outputs are those of the SDK's commands, binary
   * values as bytes.
   *
   * @throws SqsError what SQS refuses
   */
  call<A extends string>(action: A, input: object): OutputOf<A>;
  call(action: string, input: object): object {
    const operation = operationNamed(action);
    if (!operation) throw new SqsError("UnknownOperationException", `'${action}' is not an operation of this engine.`);
    return this.#settled(() => operation(this.#engine, asInput(input), this.#catchUp()));
  }

  /**
   * ReceiveMessage with long polling: waits up to `WaitTimeSeconds`, else the queue's
   * `ReceiveMessageWaitTimeSeconds`, and wakes at once for a send, a due delay or an expired visibility timeout.
   *
   * @throws SqsError what SQS refuses; the signal's reason when it aborts, and then nothing was received
   */
  async receive(input: object, signal?: AbortSignal): Promise<ReceiveMessageResult> {
    signal?.throwIfAborted();
    const now = this.#catchUp();
    const queue = this.#engine.queueOf(asInput(input), now);
    const request = checkedReceive(asInput(input), queue.identity.fifo);
    const result = this.#settled(() => receiveFrom(this.#engine, queue, request, now));
    const waitSeconds = request.waitSeconds ?? queue.settings.waitSeconds;
    if (result.Messages || waitSeconds === 0) return result;
    return this.#polls.wait(queue, request, waitSeconds, signal);
  }

  /** Looks into a queue without receiving. @throws SqsError QueueDoesNotExist, InvalidAddress */
  inspect(queueUrl: string): QueueInspection {
    return this.#settled(() => {
      const now = this.#catchUp();
      return inspectedQueue(this.#engine.queueOf({ QueueUrl: queueUrl }, now), now);
    });
  }

  /** Catches up with the clock and wakes long polls; for clocks that jump, which no timer can follow. */
  progress(): void {
    this.#settled(() => {
      const now = this.#catchUp();
      for (const queue of this.#engine.queues.values()) queue.progress(now);
    });
  }

  /** The earliest time, by the clock, at which something becomes due: a delay, a visibility, an expiry, a move. */
  nextEventAt(): number | undefined {
    const times = [
      ...[...this.#engine.queues.values()].map((queue) => queue.nextEventAt()),
      ...this.#engine.moveTasks.map((task) => nextStepAt(task)),
    ].filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Tells `listener` of everything that happens to messages. @returns a function that stops it */
  onEvent(listener: QueueEventListener): () => void {
    return this.#engine.events.add(listener);
  }

  #catchUp(): number {
    const now = this.#engine.clock.now();
    progressMoveTasks(this.#engine, now);
    return now;
  }

  #settled<Result>(work: () => Result): Result {
    try {
      return work();
    } finally {
      this.#polls.serve();
      this.#engine.events.deliver();
    }
  }
}

function asInput(input: object): Input {
  if (isRecord(input)) return input;
  throw new SqsError("SerializationException", "The request must be an object.");
}
