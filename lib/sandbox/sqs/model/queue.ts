import { DeduplicationWindow } from "./deduplication.ts";
import type { DeliveryOrder } from "./delivery-order.ts";
import type { QueueEvent } from "./events.ts";
import { GroupOrder } from "./group-order.ts";
import { IndexedHeap } from "./indexed-heap.ts";
import type { MessageContent, MessageState, QueuedMessage } from "./message.ts";
import { mergedAttributes, type QueueSettings, settingsOf } from "./settings.ts";
import { StandardOrder } from "./standard-order.ts";

export interface QueueIdentity {
  readonly name: string;
  readonly arn: string;
  /** Differs between a deleted queue and its successor of the same name. */
  readonly key: string;
  readonly fifo: boolean;
}

/** A message about to enter a queue. */
export interface Arrival {
  readonly messageId: string;
  readonly content: MessageContent;
  readonly sentAt: number;
  readonly enqueuedAt: number;
  readonly sequenceNumber?: string;
  readonly deadLetterSourceArn?: string;
  readonly receiveCount?: number;
  readonly firstReceivedAt?: number;
  readonly receipt?: number;
  readonly delayMs: number;
}

/** One queue: its messages and their states. Every method takes the time; nothing here waits or reads a clock. */
export class Queue {
  readonly identity: QueueIdentity;
  readonly tags = new Map<string, string>();
  readonly createdAt: number;
  readonly deduplication = new DeduplicationWindow();
  modifiedAt: number;
  purgedAt: number | undefined;

  #attributes: ReadonlyMap<string, string>;
  #settings: QueueSettings;
  readonly #record: (event: QueueEvent) => void;
  readonly #messages = new Map<string, QueuedMessage>();
  readonly #order: DeliveryOrder;
  /** Delayed and invisible messages, next due first. */
  readonly #due = new IndexedHeap<QueuedMessage>(
    (left, right) => left.dueAt < right.dueAt || (left.dueAt === right.dueAt && left.order < right.order),
  );
  readonly #oldest = new IndexedHeap<QueuedMessage>((left, right) => left.enqueuedAt < right.enqueuedAt);
  #notVisible = 0;

  constructor(
    identity: QueueIdentity,
    given: ReadonlyMap<string, string>,
    now: number,
    record: (event: QueueEvent) => void,
  ) {
    this.identity = identity;
    this.createdAt = now;
    this.modifiedAt = now;
    this.#record = record;
    this.#order = identity.fifo ? new GroupOrder() : new StandardOrder();
    this.#attributes = mergedAttributes(new Map(), given, identity.fifo);
    this.#settings = settingsOf(this.#attributes, identity.fifo);
  }

  get attributes(): ReadonlyMap<string, string> {
    return this.#attributes;
  }

  get settings(): QueueSettings {
    return this.#settings;
  }

  /** Changes attributes. On FIFO queues a new delay holds for the messages that wait already, too. */
  configure(given: ReadonlyMap<string, string>, now: number): void {
    const attributes = mergedAttributes(this.#attributes, given, this.identity.fifo);
    this.#settings = settingsOf(attributes, this.identity.fifo);
    this.#attributes = attributes;
    this.modifiedAt = now;
    if (!this.identity.fifo || !given.has("DelaySeconds")) return;
    for (const message of this.#messages.values()) {
      if (message.receivesHere > 0) continue;
      const dueAt = message.arrivedAt + this.#settings.delaySeconds * 1000;
      this.#set(message, dueAt > now ? "delayed" : "visible", dueAt);
    }
  }

  get counts(): { readonly visible: number; readonly notVisible: number; readonly delayed: number } {
    const waiting = this.#due.size;
    return {
      visible: this.#messages.size - waiting,
      notVisible: this.#notVisible,
      delayed: waiting - this.#notVisible,
    };
  }

  messages(): IterableIterator<QueuedMessage> {
    return this.#messages.values();
  }

  message(messageId: string): QueuedMessage | undefined {
    return this.#messages.get(messageId);
  }

  /** Brings the states up to `now`: expires what is too old, shows what is due. */
  progress(now: number): void {
    for (let next = this.#oldest.peek(); next; next = this.#oldest.peek()) {
      const expiresAt = next.enqueuedAt + this.#settings.retentionMs;
      if (expiresAt > now) break;
      this.remove(next);
      this.#note("expired", next, expiresAt);
    }
    for (let next = this.#due.peek(); next && next.dueAt <= now; next = this.#due.peek()) {
      this.#set(next, "visible", next.dueAt);
    }
  }

  /** The earliest time at which `progress` has something to do. */
  nextEventAt(): number | undefined {
    const due = this.#due.peek()?.dueAt ?? Number.POSITIVE_INFINITY;
    const oldest = this.#oldest.peek()?.enqueuedAt ?? Number.POSITIVE_INFINITY;
    const next = Math.min(due, oldest + this.#settings.retentionMs);
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /** Takes a message in. @param order its place among all arrivals */
  enter(arrival: Arrival, order: number, now: number): QueuedMessage {
    const { delayMs, receiveCount = 0, receipt = 0, ...rest } = arrival;
    const message: QueuedMessage = {
      ...rest,
      arrivedAt: now,
      order,
      state: delayMs > 0 ? "delayed" : "visible",
      dueAt: now + delayMs,
      turn: 0,
      receiveCount,
      receivesHere: 0,
      receipt,
    };
    this.#messages.set(message.messageId, message);
    this.#oldest.update(message);
    if (message.state === "delayed") this.#due.update(message);
    this.#order.entered(message);
    return message;
  }

  /**
   * Receives up to `limit` messages and hides them for `hiddenMs`.
   *
   * @param deadLetter takes a message that was received `maxReceiveCount` times out of this queue; false when it
   *   cannot, and the message is received once more
   */
  receive(
    limit: number,
    hiddenMs: number,
    now: number,
    deadLetter: (message: QueuedMessage) => boolean,
  ): readonly QueuedMessage[] {
    const received: QueuedMessage[] = [];
    this.#order.begin();
    while (received.length < limit) {
      const message = this.#order.next();
      if (!message) break;
      const spent = message.receivesHere >= (this.#settings.redrive?.maxReceiveCount ?? Number.POSITIVE_INFINITY);
      if (spent && deadLetter(message)) continue;
      message.receiveCount += 1;
      message.receivesHere += 1;
      message.receipt += 1;
      message.firstReceivedAt ??= now;
      message.lastReceivedAt = now;
      this.#set(message, "notVisible", now + hiddenMs);
      this.#note("received", message, now);
      received.push(message);
    }
    return received;
  }

  /** Whether a receive would find something, or would move something to the dead-letter queue. */
  hasReceivable(): boolean {
    this.#order.begin();
    return this.#order.next() !== undefined;
  }

  /** Hides a message in flight until `dueAt`; not later than `now` means that it is visible at once. */
  hideUntil(message: QueuedMessage, dueAt: number, now: number): void {
    if (dueAt > now) this.#set(message, "notVisible", dueAt);
    else this.#set(message, "visible", now);
  }

  delete(message: QueuedMessage, now: number): void {
    this.remove(message);
    this.#note("deleted", message, now);
  }

  purge(now: number): void {
    for (const message of [...this.#messages.values()]) this.delete(message, now);
    this.purgedAt = now;
  }

  /** Takes a message out without a word. */
  remove(message: QueuedMessage): void {
    this.#messages.delete(message.messageId);
    this.#oldest.remove(message);
    this.#due.remove(message);
    if (message.state === "notVisible") this.#notVisible -= 1;
    this.#order.left(message);
  }

  #set(message: QueuedMessage, state: MessageState, dueAt: number): void {
    this.#notVisible += Number(state === "notVisible") - Number(message.state === "notVisible");
    message.state = state;
    message.dueAt = dueAt;
    if (state === "visible") this.#due.remove(message);
    else this.#due.update(message);
    this.#order.changed(message);
  }

  #note(type: "received" | "deleted" | "expired", message: QueuedMessage, at: number): void {
    this.#record({ type, queueName: this.identity.name, messageId: message.messageId, at });
  }
}
