import type { QueuedMessage } from "./message.ts";

/** Which message a receive gets next. The queue tells it of every arrival, change of state and departure. */
export interface DeliveryOrder {
  entered(message: QueuedMessage): void;
  changed(message: QueuedMessage): void;
  left(message: QueuedMessage): void;
  /** Starts one receive call. */
  begin(): void;
  /** The next message to receive, still in its place; undefined when nothing can be received now. */
  next(): QueuedMessage | undefined;
}
