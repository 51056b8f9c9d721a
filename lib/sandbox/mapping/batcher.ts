import { setTimeout as sleep } from "node:timers/promises";
import type { EventRecord } from "./event-record.ts";

/** Lambda's limit for an event, in bytes. */
const EVENT_LIMIT = 6 * 1024 * 1024;

/** Bytes of an event around its records. */
const ENVELOPE = '{"Records":[]}'.length;

/** Most messages of one receive. */
const RECEIVE_LIMIT = 10;

/** Longest wait of one receive, in seconds. */
const LONG_POLL_SECONDS = 20;

/** Pause between looks when less than a second of the window remains, which no long poll can wait. */
const LOOK_AGAIN_MS = 50;

export interface BatcherOptions {
  readonly batchSize: number;
  readonly windowMs: number;
  /** Receives up to `limit` messages, waiting up to `waitSeconds` for the first; gives none when `signal` aborts. */
  readonly receive: (limit: number, waitSeconds: number, signal: AbortSignal) => Promise<readonly EventRecord[]>;
}

/** Gathers messages for one event after the other, as an event source mapping does. */
export class Batcher {
  readonly #options: BatcherOptions;
  /** Received, but too big for the event they were received for. */
  #waiting: readonly EventRecord[] = [];

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /**
   * Waits for a message, then gathers until the batch is full, the event is as big as it may be, or the window (which
   * starts with the first message, in real time) is over. Without a window it takes what one receive gives.
   *
   * @returns no records when `signal` aborted before there was one
   */
  async next(signal: AbortSignal): Promise<readonly EventRecord[]> {
    const { windowMs } = this.#options;
    const batch: EventRecord[] = [];
    while (batch.length === 0 && !signal.aborted) await this.#gather(batch, LONG_POLL_SECONDS, signal);
    const end = performance.now() + windowMs;
    while (!this.#isFull(batch) && !signal.aborted) {
      const left = end - performance.now();
      if (left <= 0) break;
      const added = await this.#gather(batch, Math.floor(left / 1000), signal);
      if (added === 0 && left < 1000) await sleep(Math.min(LOOK_AGAIN_MS, left));
    }
    return batch;
  }

  #isFull(batch: readonly EventRecord[]): boolean {
    return this.#waiting.length > 0 || batch.length >= this.#options.batchSize;
  }

  async #gather(batch: EventRecord[], waitSeconds: number, signal: AbortSignal): Promise<number> {
    const limit = Math.min(RECEIVE_LIMIT, this.#options.batchSize - batch.length);
    const received = this.#waiting.length > 0 ? this.#waiting : await this.#options.receive(limit, waitSeconds, signal);
    let bytes = ENVELOPE + batch.reduce((sum, record) => sum + bytesOf(record), 0);
    let fitting = 0;
    for (const record of received) {
      bytes += bytesOf(record);
      // One record always fits: SQS's own limit is far below.
      if (bytes > EVENT_LIMIT && batch.length > 0) break;
      batch.push(record);
      fitting += 1;
    }
    this.#waiting = received.slice(fitting);
    return fitting;
  }
}

function bytesOf({ json }: EventRecord): number {
  return Buffer.byteLength(json) + 1;
}
