import type { DeliveryOrder } from "./delivery-order.ts";
import { IndexedHeap } from "./indexed-heap.ts";
import type { QueuedMessage } from "./message.ts";

/**
 * Standard queues: in the order of becoming visible, so that a message that keeps failing goes behind the others, as
 * SQS's best-effort order does it sooner or later.
 */
export class StandardOrder implements DeliveryOrder {
  readonly #visible = new IndexedHeap<QueuedMessage>((left, right) => left.turn < right.turn);
  #lastTurn = 0;

  entered(message: QueuedMessage): void {
    this.changed(message);
  }

  changed(message: QueuedMessage): void {
    if (message.state !== "visible") {
      this.#visible.remove(message);
    } else if (!this.#visible.has(message)) {
      this.#lastTurn += 1;
      message.turn = this.#lastTurn;
      this.#visible.update(message);
    }
  }

  left(message: QueuedMessage): void {
    this.#visible.remove(message);
  }

  begin(): void {
    // Nothing is remembered from one receive to the next.
  }

  next(): QueuedMessage | undefined {
    return this.#visible.peek();
  }
}
