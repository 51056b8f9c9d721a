import type { Message } from "@aws-sdk/client-sqs";
import { SqsMessageSender } from "../../lib/aws/sender/message-sender.ts";
import { type Found, readRow } from "../../lib/aws/state-store/row.ts";
import { DynamoStateStore } from "../../lib/aws/state-store/state-store.ts";
import { DEFAULT_POLICY } from "../../lib/core/backoff/policy.ts";
import type { PipelineConfiguration } from "../../lib/core/configuration.ts";
import type { QueueRecord } from "../../lib/core/item/queue-record.ts";
import { readContext } from "../../lib/core/item/read-context.ts";
import type { RetryContext } from "../../lib/core/item/retry-context.ts";
import { ingest } from "../../lib/ingest/ingest.ts";
import { eventRecord } from "../../lib/sandbox/mapping/event-record.ts";
import { type QueueEvent, QueueService } from "../../lib/sandbox/sqs/index.ts";
import { Life } from "./life.ts";
import type { Random } from "./random.ts";
import { type SendFaults, simulatedSender } from "./simulated-sender.ts";
import { SimulatedTable, type TableFaults } from "./simulated-table.ts";
import { BrokenPromise, note, Story } from "./story.ts";

/** How often things go wrong, as probabilities. */
export interface Faults {
  readonly table: TableFaults;
  readonly sends: SendFaults;
  /** Of an invocation: it is killed at some call. */
  readonly kill: number;
  /** Of an invocation: the same records are handled by another one at the same time. */
  readonly duplicate: number;
  /** Of an invocation that ended well: its acknowledgement deletes nothing. */
  readonly lostDelete: number;
}

export const NO_FAULTS: Faults = {
  table: { throttle: 0, lostAnswer: 0, repeatedCall: 0, staleRead: 0 },
  sends: { refusedCall: 0, lostAnswer: 0, failedEntry: 0, unnamedEntry: 0 },
  kill: 0,
  duplicate: 0,
  lostDelete: 0,
};

const INGEST_ARN = "arn:aws:sqs:us-east-1:000000000000:ingest";
const START = 1_796_000_000_000;
const INGEST_VISIBILITY_S = 60;
const INGEST_RECEIVES = 12;
const WORK_VISIBILITY_S = 30;
const WORK_RECEIVES = 2;
const DAY_MS = 86_400_000;

/** A simulated AWS with one pipeline: the real ingest over the strict queue engine and a simulated table. */
export class World {
  readonly story = new Story();
  readonly table: SimulatedTable;
  readonly service: QueueService;
  readonly urls: { readonly ingest: string; readonly work: string; readonly dead: string };
  readonly configuration: PipelineConfiguration;
  readonly start = START;
  faults: Faults;
  #now = START;
  readonly #random: Random;

  constructor(random: Random, faults: Faults, maxAttempts: number) {
    this.#random = random;
    this.faults = faults;
    const clock = { now: () => this.#now, realMs: (ms: number) => ms };
    this.service = new QueueService({ clock, random: random.next });
    const dead = this.#createQueue("dead", { MessageRetentionPeriod: "1209600" });
    const ingestUrl = this.#createQueue("ingest", {
      VisibilityTimeout: String(INGEST_VISIBILITY_S),
      RedrivePolicy: redriveTo("dead", INGEST_RECEIVES + WORK_RECEIVES),
      MessageRetentionPeriod: "864000",
    });
    const work = this.#createQueue("work", {
      VisibilityTimeout: String(WORK_VISIBILITY_S),
      RedrivePolicy: redriveTo("ingest", WORK_RECEIVES),
      MessageRetentionPeriod: "345600",
    });
    this.urls = { ingest: ingestUrl, work, dead };
    this.configuration = {
      policy: { ...DEFAULT_POLICY, baseMs: 2_000, capMs: 60_000, maxAttempts },
      workQueueUrl: work,
      deadLetterQueueUrl: dead,
      stateTableName: "table",
      ingestQueueName: "ingest",
      workMaxReceiveCount: WORK_RECEIVES,
      reportLifetimeMs: INGEST_RECEIVES * INGEST_VISIBILITY_S * 1000,
      rowLifetimeMs: 40 * DAY_MS,
    };
    this.table = new SimulatedTable(random, faults.table);
    this.service.onEvent((event) => this.#hear(event));
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.service.progress();
  }

  /** Time goes on to the next thing that becomes due; false where nothing will. */
  advanceToNextEvent(): boolean {
    const next = this.service.nextEventAt();
    if (next === undefined || next - this.#now > DAY_MS) return false;
    this.advance(Math.max(1, next - this.#now));
    return true;
  }

  receive(queue: keyof World["urls"], most = 10): readonly Message[] {
    return (
      this.service.call("ReceiveMessage", {
        QueueUrl: this.urls[queue],
        MaxNumberOfMessages: most,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
      }).Messages ?? []
    );
  }

  remove(queue: keyof World["urls"], { ReceiptHandle }: Message): void {
    this.service.call("DeleteMessage", { QueueUrl: this.urls[queue], ReceiptHandle });
  }

  send(queue: keyof World["urls"], body: string, attributes: Message["MessageAttributes"] = {}): void {
    this.service.call("SendMessage", { QueueUrl: this.urls[queue], MessageBody: body, MessageAttributes: attributes });
  }

  /** One delivery of the ingest queue to the function, by one handler or by two at once. */
  async pollIngest(): Promise<void> {
    const messages = this.receive("ingest", this.#random.between(1, 10));
    if (messages.length === 0) return;
    const records = messages.map((message) => JSON.parse(eventRecord(message, INGEST_ARN).json) as QueueRecord);
    const twice = this.#random.chance(this.faults.duplicate);
    const event = twice && this.#random.chance(0.5) ? [...records, ...records] : records;
    const [first] = await Promise.all([this.#invoke(event), ...(twice ? [this.#invoke(records)] : [])]);
    for (const message of messages) {
      if (!first.has(message.MessageId ?? "") && !this.#random.chance(this.faults.lostDelete)) {
        this.remove("ingest", message);
      }
    }
  }

  /** Message ids that the function did not acknowledge; all of them where it was killed. */
  async #invoke(records: readonly QueueRecord[]): Promise<ReadonlySet<string>> {
    const calls = this.#random.chance(this.faults.kill) ? this.#random.between(0, 6) : Number.POSITIVE_INFINITY;
    const life = new Life(this.#random, calls);
    const at = Promise.resolve.bind(Promise);
    const { batchItemFailures } = await ingest(
      records,
      {
        configuration: this.configuration,
        store: new DynamoStateStore(this.table.client(life), "table", () => at(undefined)),
        sender: new SqsMessageSender(simulatedSender(this.service, this.#random, life, this.faults.sends), () =>
          at(undefined),
        ),
        telemetry: {
          decision: (name, { itemId, attempt, delaySeconds, reason }) =>
            this.story.tell(
              this.#now,
              undefined,
              `${name} ${itemId} attempt ${attempt} ${reason ?? ""} ${delaySeconds ?? ""}`,
            ),
          problem: (what, { messageId, why }) => this.story.tell(this.#now, undefined, `${what} ${messageId}: ${why}`),
          count: () => {},
          delay: () => {},
          flush: () => {},
        },
        now: () => this.#now,
      },
      { remainingMs: () => 60_000, traceHeader: undefined, abortSignal: new AbortController().signal },
    );
    if (life.killed) {
      this.story.tell(this.#now, undefined, "the handler was killed");
      return new Set(records.map(({ messageId }) => messageId));
    }
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  }

  rows(): readonly Found[] {
    return this.table.rows().map((row) => readRow(row, this.#now));
  }

  #createQueue(QueueName: string, Attributes: Record<string, string>): string {
    return this.service.call("CreateQueue", { QueueName, Attributes }).QueueUrl ?? "";
  }

  /** Follows messages from outside: what reaches which queue, and under which names. */
  #hear(event: QueueEvent): void {
    if (event.type === "moved" && event.queueName === "work") {
      const message = this.#find("ingest", event.toMessageId ?? event.messageId);
      if (message) this.#noteFailed(message.body, message.messageId, message.context);
    }
    if (event.type !== "sent") return;
    if (event.queueName === "dead") {
      const message = this.#find("dead", event.messageId);
      if (message?.context?.deadLetter) {
        const { itemId, generation, dispatchId = "", attempt, deadLetter } = message.context;
        note(this.story.deadLetters, `${itemId}/${generation}`, dispatchId);
        this.story.tell(
          this.#now,
          message.body,
          `dead-lettered ${dispatchId}: attempt ${attempt}, ${deadLetter.reason}`,
        );
      }
    }
    if (event.queueName === "ingest") {
      const message = this.#find("ingest", event.messageId);
      if (message?.context?.kind === "failed") this.#noteFailed(message.body, message.messageId, message.context);
    }
  }

  #noteFailed(item: string, messageId: string, context: RetryContext | undefined): void {
    const itemId = context?.itemId ?? messageId;
    const generation = (context?.generation ?? 1) + (context?.deadLetter ? 1 : 0);
    const dispatch = context?.dispatchId ?? messageId;
    note(context?.deadLetter ? this.story.failedCopies : this.story.failed, `${itemId}/${generation}`, dispatch);
    this.story.tell(this.#now, item, `reported failed: generation ${generation}, dispatch ${dispatch}`);
  }

  #find(queue: keyof World["urls"], messageId: string) {
    const message = this.service.inspect(this.urls[queue]).messages.find((each) => each.messageId === messageId);
    return message && { ...message, context: contextOf(message.attributes.RetryContext) };
  }
}

/** The context of a message's attribute, if it has a readable one. */
export function contextOf(
  attribute: { readonly StringValue?: string | undefined } | object | undefined,
): RetryContext | undefined {
  if (!attribute || !("StringValue" in attribute) || typeof attribute.StringValue !== "string") return undefined;
  const reading = readContext(attribute.StringValue);
  return reading.kind === "readable" ? reading.context : undefined;
}

/** Refuses what no history may show, with the story of the item that shows it. */
export function broken(world: World, promise: string, item: string, why: string): never {
  throw new BrokenPromise(`${promise}: ${why}\n${world.story.timeline(item, world.start)}`);
}

function redriveTo(queue: string, maxReceiveCount: number): string {
  return JSON.stringify({ deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${queue}`, maxReceiveCount });
}
