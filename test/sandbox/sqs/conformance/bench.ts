import { setTimeout as sleep } from "node:timers/promises";
import { type Message, type QueueAttributeName, type ReceiveMessageCommandInput, SQS } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import type { ConformanceTarget } from "./target.ts";

/** How long a target may take to show what it will show in the end. */
const PATIENCE_MS = 8_000;

export interface DeadLetterPair {
  readonly source: string;
  readonly sourceArn: string;
  readonly deadLetter: string;
  readonly deadLetterArn: string;
}

/** What a case works with: a client, queues of its own, and time. */
export class Bench {
  readonly sqs: SQS;
  readonly #target: ConformanceTarget;
  readonly #created: string[] = [];
  readonly #run = `conformance-${Math.random().toString(36).slice(2, 10)}`;
  #serial = 0;

  constructor(target: ConformanceTarget) {
    this.#target = target;
    this.sqs = this.newClient();
  }

  newClient(): SQS {
    const { credentials } = this.#target;
    return new SQS({
      endpoint: this.#target.endpoint(),
      region: process.env.AWS_REGION ?? "us-east-1",
      ...(credentials ? { credentials } : {}),
    });
  }

  newName(suffix = ""): string {
    this.#serial += 1;
    return `${this.#run}-${this.#serial}${suffix}`;
  }

  async queue(attributes: Record<string, string> = {}, name = this.newName()): Promise<string> {
    const { QueueUrl } = await this.sqs.createQueue({ QueueName: name, Attributes: attributes });
    if (QueueUrl === undefined) throw new Error("CreateQueue answered no QueueUrl");
    this.#created.push(QueueUrl);
    return QueueUrl;
  }

  fifo(attributes: Record<string, string> = {}): Promise<string> {
    return this.queue({ FifoQueue: "true", ...attributes }, this.newName(".fifo"));
  }

  async attribute(url: string, name: QueueAttributeName): Promise<string | undefined> {
    const { Attributes } = await this.sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ["All"] });
    return Attributes?.[name];
  }

  async arn(url: string): Promise<string> {
    return (await this.attribute(url, "QueueArn")) ?? "";
  }

  /** [visible, not visible, delayed] */
  async counts(url: string): Promise<readonly number[]> {
    const { Attributes = {} } = await this.sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ["All"] });
    return [
      Number(Attributes.ApproximateNumberOfMessages),
      Number(Attributes.ApproximateNumberOfMessagesNotVisible),
      Number(Attributes.ApproximateNumberOfMessagesDelayed),
    ];
  }

  /** A standard queue and the dead-letter queue that its redrive policy names. */
  async deadLetterPair(
    maxReceiveCount: number | string = 1,
    attributes: Record<string, string> = {},
  ): Promise<DeadLetterPair> {
    const deadLetter = await this.queue(attributes);
    const deadLetterArn = await this.arn(deadLetter);
    const redrive = JSON.stringify({ deadLetterTargetArn: deadLetterArn, maxReceiveCount });
    const source = await this.queue({ ...attributes, RedrivePolicy: redrive });
    return { source, sourceArn: await this.arn(source), deadLetter, deadLetterArn };
  }

  /** Receives until `count` messages have come or patience ends. */
  async receive(url: string, count = 1, input: Partial<ReceiveMessageCommandInput> = {}): Promise<readonly Message[]> {
    const deadline = Date.now() + PATIENCE_MS;
    const messages: Message[] = [];
    while (messages.length < count && Date.now() < deadline) {
      const { Messages = [] } = await this.sqs.receiveMessage({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
        ...input,
      });
      messages.push(...Messages);
    }
    return messages;
  }

  async receiveOne(url: string, input: Partial<ReceiveMessageCommandInput> = {}): Promise<Message> {
    const [message] = await this.receive(url, 1, { MaxNumberOfMessages: 1, ...input });
    if (!message) throw new Error(`no message came from ${url}`);
    return message;
  }

  /** What one receive without waiting answers. */
  async receiveNow(url: string, input: Partial<ReceiveMessageCommandInput> = {}): Promise<readonly Message[]> {
    const { Messages = [] } = await this.sqs.receiveMessage({ QueueUrl: url, MaxNumberOfMessages: 10, ...input });
    return Messages;
  }

  /** Receives `body` from the source, and receives again, until the target has moved it to the dead-letter queue. */
  async driveToDeadLetter(pair: DeadLetterPair): Promise<void> {
    await this.eventually(async () => {
      await this.receiveNow(pair.source, { VisibilityTimeout: 0 });
      expect((await this.counts(pair.deadLetter))[0]).toBeGreaterThan(0);
    });
  }

  /** Starts a move task and waits for its end. */
  async moveAll(SourceArn: string, DestinationArn?: string): Promise<Record<string, unknown>> {
    await this.sqs.startMessageMoveTask({ SourceArn, ...(DestinationArn === undefined ? {} : { DestinationArn }) });
    let task: Record<string, unknown> = {};
    await this.eventually(async () => {
      const { Results = [] } = await this.sqs.listMessageMoveTasks({ SourceArn });
      task = { ...Results[0] };
      expect(task.Status).not.toBe("RUNNING");
    });
    return task;
  }

  /** Lets time pass: at once where the target can, else by waiting. */
  async pass(ms: number): Promise<void> {
    if (this.#target.advance) this.#target.advance(ms);
    else await sleep(ms);
  }

  /** Repeats `check` until it does not throw; the last error otherwise. */
  async eventually(check: () => Promise<void>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#created.map((QueueUrl) => this.sqs.deleteQueue({ QueueUrl })));
    this.sqs.destroy();
  }
}

/** The error that a call must end with. */
export async function refusalOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("the call was accepted");
}

/** Asserts that a call is refused with the error of this name. */
export async function expectRefused(call: Promise<unknown>, name: string): Promise<void> {
  expect((await refusalOf(call)).name).toBe(name);
}
