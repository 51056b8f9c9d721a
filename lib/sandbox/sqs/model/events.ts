/** What happened to one message in one queue. `at` is clock milliseconds. */
export type QueueEvent =
  | {
      readonly type: "sent" | "received" | "deleted" | "expired";
      readonly queueName: string;
      readonly messageId: string;
      readonly at: number;
    }
  | {
      readonly type: "moved";
      readonly by: "redrive" | "moveTask";
      readonly queueName: string;
      readonly messageId: string;
      readonly toQueueName: string;
      /** Differs from `messageId` when a move task moved it. */
      readonly toMessageId: string;
      readonly at: number;
    };

export type QueueEventListener = (event: QueueEvent) => void;

/**
 * Hands events to listeners after the call that made them is done: a listener may call the service again without
 * meeting it half-way through a change.
 */
export class EventLog {
  readonly #listeners = new Set<QueueEventListener>();
  readonly #pending: QueueEvent[] = [];
  #delivering = false;

  add(listener: QueueEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  record(event: QueueEvent): void {
    if (this.#listeners.size > 0) this.#pending.push(event);
  }

  deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let event = this.#pending.shift(); event; event = this.#pending.shift()) {
        for (const listener of this.#listeners) listener(event);
      }
    } finally {
      this.#delivering = false;
    }
  }
}
