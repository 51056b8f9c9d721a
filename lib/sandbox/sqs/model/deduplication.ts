import { LIMITS } from "../limits/index.ts";

/** What the first send with a deduplication id was answered. */
export interface FirstSend {
  readonly messageId: string;
  readonly sequenceNumber: string;
  readonly at: number;
}

/** The sends of the last five minutes, by deduplication id. */
export class DeduplicationWindow {
  readonly #sends = new Map<string, FirstSend>();

  /** The send that `key` repeats, if it is still inside the window. */
  find(key: string, now: number): FirstSend | undefined {
    for (const [oldest, send] of this.#sends) {
      if (send.at + LIMITS.deduplicationMs > now) break;
      this.#sends.delete(oldest);
    }
    return this.#sends.get(key);
  }

  remember(key: string, send: FirstSend): void {
    this.#sends.set(key, send);
  }
}
