import { itemRow, readRow } from "../../../lib/aws/state-store/row.ts";
import type { FailureReport } from "../../../lib/core/item/failure-report.ts";
import type { RetryContext } from "../../../lib/core/item/retry-context.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import type { Dispatch, Step } from "../../../lib/core/state/decision.ts";
import type { ItemState } from "../../../lib/core/state/item-state.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import type { AdvanceSettings } from "../../../lib/core/state/settings.ts";
import { aRecord, HOUR, ITEM_ID, NOW, reportOf } from "../factories.ts";

interface Message {
  readonly id: string;
  readonly context?: RetryContext;
  readonly moved: boolean;
  readonly arrivedAt: number;
}

/** Where a handler dies on its way: write the row, send, mark the row, acknowledge. */
export const CRASHES = ["before writing", "after writing", "after sending", "after marking", "never"] as const;

/** What can happen in the life of one item; `pick` chooses among the messages that it can happen to. */
export type Happening =
  | { readonly kind: "handle"; readonly pick: number; readonly crash: (typeof CRASHES)[number] }
  | {
      readonly kind: "fail" | "succeed";
      readonly pick: number;
      readonly reports: boolean;
      readonly leavesCopy: boolean;
    }
  | { readonly kind: "redrive"; readonly pick: number; readonly to: "work" | "ingest" }
  /**
   * SQS gives up on a report that nobody acknowledged for its lifetime, and an operator brings it back. Rule 2 takes a
   * report that was recorded less than half its lifetime ago for one that SQS holds, so it does not happen to those.
   */
  | { readonly kind: "rescue"; readonly pick: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "lose the row" };

/** One decision of the state machine, as the world saw it. */
export interface Seen {
  readonly at: number;
  readonly report: FailureReport;
  readonly before: ItemState | undefined;
  readonly step: Step;
}

/** One item between its queues and its row: a small world without AWS, in which anything may happen in any order. */
export class World {
  readonly settings: AdvanceSettings;
  readonly seen: Seen[] = [];
  now = NOW;
  row: ItemState | undefined;
  work: readonly Message[] = [{ id: ITEM_ID, moved: false, arrivedAt: NOW }];
  ingest: readonly Message[] = [];
  deadLetter: readonly Message[] = [];
  #messages = 0;

  constructor(settings: AdvanceSettings) {
    this.settings = settings;
  }

  happen(happening: Happening): void {
    switch (happening.kind) {
      case "handle":
        this.#handle(at(this.ingest, happening.pick), happening.crash);
        break;
      case "fail":
      case "succeed":
        this.#work(at(this.work, happening.pick), happening);
        break;
      case "redrive":
        this.#redrive(at(this.deadLetter, happening.pick), happening.to);
        break;
      case "rescue":
        this.#rescue(at(this.ingest, happening.pick));
        break;
      case "pass":
        this.now += happening.ms;
        break;
      case "lose the row":
        this.row = undefined;
    }
  }

  /** From here on nothing of ours fails, and every attempt does, until nothing moves any more. */
  failAlways(): void {
    for (let round = 0; this.work.length + this.ingest.length > 0; round++) {
      if (round > 500) throw new Error("the item never comes to an end");
      this.happen({ kind: "pass", ms: HOUR });
      for (const _ of this.work) this.happen({ kind: "fail", pick: 0, reports: false, leavesCopy: false });
      for (const _ of this.ingest) this.happen({ kind: "handle", pick: 0, crash: "never" });
    }
  }

  #handle(message: Message | undefined, crash: (typeof CRASHES)[number]): void {
    if (!message || crash === "before writing") return;
    const report = freeze(reportOf(aRecord({ messageId: message.id, moved: message.moved, ...contextOf(message) })));
    const step = advance(freeze(this.row), report, this.settings, this.now);
    this.seen.push({ at: this.now, report, before: this.row, step });
    this.#write(step.state);
    if (crash === "after writing") return;
    if ("send" in step.decision) this.#send(step.decision.send);
    if (crash === "after sending") return;
    if ("send" in step.decision && step.decision.send.destination === "dead-letter") {
      this.#write(markSent(this.row, step.decision.send.dispatchId, this.settings, this.now) ?? this.row);
    }
    if (crash === "after marking") return;
    this.ingest = this.ingest.filter((each) => each !== message);
  }

  #send({ destination, context }: Dispatch): void {
    const message = this.#message(context);
    if (destination === "work") this.work = [...this.work, message];
    else this.deadLetter = [...this.deadLetter, message];
  }

  #work(message: Message | undefined, { kind, reports, leavesCopy }: Happening & { kind: "fail" | "succeed" }): void {
    if (!message) return;
    if (!leavesCopy) this.work = this.work.filter((each) => each !== message);
    if (kind === "succeed" && !reports) return;
    const itself = { itemId: message.id, generation: 1, attempt: 1, dispatchId: message.id };
    const told = { ...(message.context ?? itself), kind: kind === "fail" ? "failed" : "succeeded" } as const;
    const report = reports ? this.#message(told) : { ...message, moved: true, arrivedAt: this.now };
    this.ingest = [...this.ingest, report];
  }

  #redrive(message: Message | undefined, to: "work" | "ingest"): void {
    if (!message?.context) return;
    this.deadLetter = this.deadLetter.filter((each) => each !== message);
    this[to] = [...this[to], this.#message(message.context)];
  }

  #rescue(message: Message | undefined): void {
    if (!message?.context) return;
    const { reportLifetimeMs } = this.settings;
    const records = ({ report, before, step }: Seen) => report.messageId === message.id && step.state !== before;
    const recordedAt = this.seen.findLast(records)?.at ?? Number.NEGATIVE_INFINITY;
    if (this.now - message.arrivedAt < reportLifetimeMs || this.now - recordedAt < reportLifetimeMs / 2) return;
    this.ingest = [...this.ingest.filter((each) => each !== message), this.#message(message.context)];
  }

  #message(context: RetryContext): Message {
    this.#messages += 1;
    return { id: `message-${this.#messages}`, context, moved: false, arrivedAt: this.now };
  }

  /** Through the form that the table holds, so that decisions rest on what a row remembers. */
  #write(state: ItemState | undefined): void {
    const found = readRow(state && itemRow(state), this.now);
    if (state && found.kind !== "item") throw new Error(`a row must read back, got ${JSON.stringify(found)}`);
    this.row = found.kind === "item" ? found.state : undefined;
  }
}

function contextOf({ context }: Message): { readonly context?: RetryContext } {
  return context ? { context } : {};
}

function at(messages: readonly Message[], pick: number): Message | undefined {
  return messages[pick % Math.max(1, messages.length)];
}

/** The same value, of which nothing can be changed. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
