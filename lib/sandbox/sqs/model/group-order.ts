import type { DeliveryOrder } from "./delivery-order.ts";
import { IndexedHeap } from "./indexed-heap.ts";
import type { QueuedMessage } from "./message.ts";

interface Group {
  /** All messages of the group in this queue, in order of arrival. */
  readonly messages: Set<QueuedMessage>;
  inFlight: number;
  /** Arrival order of the first message. */
  first: number;
}

/**
 * FIFO queues: strictly in order within a group; a group is locked while one of its messages is in flight, except to
 * the very receive that took them, which may go on down the same group.
 */
export class GroupOrder implements DeliveryOrder {
  readonly #groups = new Map<string, Group>();
  readonly #open = new IndexedHeap<Group>((left, right) => left.first < right.first);
  readonly #inFlight = new Set<QueuedMessage>();
  #current: Group | undefined;

  entered(message: QueuedMessage): void {
    const group = this.#groupOf(message);
    group.messages.add(message);
    this.#refresh(group);
  }

  changed(message: QueuedMessage): void {
    const group = this.#groupOf(message);
    const inFlight = message.state === "notVisible";
    if (inFlight && !this.#inFlight.has(message)) {
      this.#inFlight.add(message);
      group.inFlight += 1;
      this.#current = group;
    } else if (!inFlight && this.#inFlight.delete(message)) {
      group.inFlight -= 1;
    }
    this.#refresh(group);
  }

  left(message: QueuedMessage): void {
    const group = this.#groupOf(message);
    group.messages.delete(message);
    if (this.#inFlight.delete(message)) group.inFlight -= 1;
    this.#refresh(group);
    if (group.messages.size === 0) this.#groups.delete(keyOf(message));
  }

  begin(): void {
    this.#current = undefined;
  }

  next(): QueuedMessage | undefined {
    return this.#following() ?? firstOf(this.#open.peek());
  }

  /** The message after those that this receive took from the current group. */
  #following(): QueuedMessage | undefined {
    for (const message of this.#current?.messages ?? []) {
      if (message.state === "visible") return message;
      if (message.state === "delayed") return undefined;
    }
    return undefined;
  }

  #groupOf(message: QueuedMessage): Group {
    const known = this.#groups.get(keyOf(message));
    if (known) return known;
    const group: Group = { messages: new Set(), inFlight: 0, first: message.order };
    this.#groups.set(keyOf(message), group);
    return group;
  }

  #refresh(group: Group): void {
    const head = firstOf(group);
    if (head?.state !== "visible" || group.inFlight > 0) {
      this.#open.remove(group);
      return;
    }
    group.first = head.order;
    this.#open.update(group);
  }
}

function firstOf(group: Group | undefined): QueuedMessage | undefined {
  for (const message of group?.messages ?? []) return message;
  return undefined;
}

/** A message without a group cannot be in a FIFO queue, save one moved there; those form a group of their own. */
function keyOf(message: QueuedMessage): string {
  return message.content.groupId ?? "";
}
