import type { EngineClock } from "../clock.ts";
import { invalidParameter, SqsError } from "../errors.ts";
import { type Input, requiredText } from "../limits/index.ts";
import { EventLog } from "./events.ts";
import type { MoveTask } from "./move-task.ts";
import type { Queue } from "./queue.ts";

const URL_PATH = /^(?:https?:\/\/[^/]+)?\/([^/]+)\/([^/]+)\/?$/;

/** All queues of one account in one Region, and what they share. */
export class Engine {
  readonly clock: EngineClock;
  readonly region: string;
  readonly accountId: string;
  readonly events = new EventLog();
  readonly queues = new Map<string, Queue>();
  /** When queues were deleted whose names are not free yet. */
  readonly deleted = new Map<string, number>();
  /** Newest last. */
  readonly moveTasks: MoveTask[] = [];
  endpoint: string;
  readonly #random: () => number;
  #lastOrder = 0;

  constructor(clock: EngineClock, random: () => number, region: string, accountId: string, endpoint: string) {
    this.clock = clock;
    this.region = region;
    this.accountId = accountId;
    this.endpoint = endpoint;
    this.#random = random;
  }

  nextOrder(): number {
    this.#lastOrder += 1;
    return this.#lastOrder;
  }

  /** A version 4 UUID out of the injected randomness. */
  newId(): string {
    const hex = Array.from({ length: 4 }, () => Math.floor(this.#random() * 0x100000000))
      .map((word) => word.toString(16).padStart(8, "0"))
      .join("");
    const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3] ?? "8";
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  arnOf(name: string): string {
    return `arn:aws:sqs:${this.region}:${this.accountId}:${name}`;
  }

  urlOf(name: string): string {
    return `${this.endpoint}/${this.accountId}/${name}`;
  }

  /**
   * The queue that a request's `QueueUrl` names, whatever its host, brought up to `now`.
   *
   * @throws SqsError InvalidAddress when it is not a queue URL at all, QueueDoesNotExist
   */
  queueOf(input: Input, now: number): Queue {
    const url = requiredText(input, "QueueUrl");
    const [, account, name] = URL_PATH.exec(url) ?? [];
    if (account === undefined || name === undefined) {
      throw new SqsError("InvalidAddress", `The address ${url} is not valid for this endpoint.`);
    }
    const queue = account === this.accountId ? this.queues.get(name) : undefined;
    if (!queue) throw noSuchQueue();
    queue.progress(now);
    return queue;
  }

  queueByArn(arn: string): Queue | undefined {
    const prefix = this.arnOf("");
    return arn.startsWith(prefix) ? this.queues.get(arn.slice(prefix.length)) : undefined;
  }

  /** The queues that name `arn` as their dead-letter queue. */
  sourcesOf(arn: string): readonly Queue[] {
    return [...this.queues.values()].filter((queue) => queue.settings.redrive?.targetArn === arn);
  }

  /** @throws SqsError InvalidParameterValue when the redrive policy that `source` is about to get cannot work */
  checkRedriveTarget(sourceArn: string, fifo: boolean, given: string, targetArn: string): void {
    const target = this.queueByArn(targetArn);
    if (!target) throw invalidParameter("RedrivePolicy", given, "Dead letter target does not exist.");
    if (target.identity.fifo !== fifo) {
      throw invalidParameter("RedrivePolicy", given, "Dead-letter queue must be same type of queue as the source.");
    }
    const allow = target.settings.redriveAllow;
    const refused =
      allow?.permission === "denyAll" || (allow?.permission === "byQueue" && !allow.sourceArns.includes(sourceArn));
    if (refused) {
      throw invalidParameter("RedrivePolicy", given, "The dead-letter queue's RedriveAllowPolicy refuses this queue.");
    }
  }
}

export function noSuchQueue(): SqsError {
  return new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
}
