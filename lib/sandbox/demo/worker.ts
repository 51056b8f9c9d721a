import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { readContext } from "../../core/item/read-context.ts";
import { CONTEXT_ATTRIBUTE, encodeContext, type ItemError, type RetryContext } from "../../core/item/retry-context.ts";
import type { Ledger } from "./ledger.ts";
import type { PlannedItem } from "./plan.ts";

/** What the demo's worker needs; it talks plain SQS, as anybody's worker would. */
export interface WorkerOptions {
  readonly sqs: SQSClient;
  readonly workQueueUrl: string;
  readonly ingestQueueUrl: string;
  readonly items: ReadonlyMap<string, PlannedItem>;
  readonly ledger: Ledger;
  /** Epoch ms in sandbox time. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const ERRORS: readonly ItemError[] = [
  { type: "TimeoutError", message: "payment service did not answer within 2 s" },
  { type: "ServiceUnavailable", message: "503 from the payment service" },
  { type: "ConnectionReset", message: "connection reset by peer" },
];

/** A deadline that is close enough for some retry to miss it, in ms. */
const DEADLINE_MS = 20_000;

/** Works on messages until it is told to stop: fails by plan, and either leaves the rest to SQS or reports it. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { sqs, workQueueUrl, signal } = options;
  while (!signal.aborted) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: workQueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ["All"],
      MessageSystemAttributeNames: ["All"],
    });
    try {
      const { Messages = [] } = await sqs.send(receive, { abortSignal: signal });
      await Promise.all(Messages.map((message) => work(message, options)));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

async function work(message: Message, options: WorkerOptions): Promise<void> {
  const { id } = JSON.parse(message.Body ?? "{}") as { id?: string };
  const item = options.items.get(id ?? "");
  if (!item) return;
  const context = contextOf(message);
  const attempt = context?.attempt ?? 1;
  options.ledger.delivered(item.id, context);
  if (attempt > item.failures && item.fate === "succeeds") {
    if (item.way === "report" && context) await report(message, options, { ...context, kind: "succeeded" });
    options.ledger.succeeded(item.id, attempt);
    await remove(message, options);
  } else if (item.way === "redrive") {
    await giveBack(message, options);
  } else {
    await report(message, options, failureOf(item, message, context, attempt, options.now()));
    await remove(message, options);
  }
}

function failureOf(
  item: PlannedItem,
  message: Message,
  context: RetryContext | undefined,
  attempt: number,
  now: number,
): RetryContext {
  const messageId = message.MessageId ?? "";
  const identity = context ?? { itemId: messageId, dispatchId: messageId, generation: 1, attempt };
  const error = ERRORS[attempt % ERRORS.length] as ItemError;
  if (item.fate === "not-retryable" && attempt >= item.failures) {
    const refused = { type: "CardDeclined", message: "the issuer refused the payment" };
    return { ...identity, kind: "failed", error: refused, retryable: false };
  }
  const deadlineAt = item.fate === "misses-deadline" ? (identity.deadlineAt ?? now + DEADLINE_MS) : undefined;
  return { ...identity, kind: "failed", error, ...(deadlineAt !== undefined && { deadlineAt }) };
}

function contextOf(message: Message): RetryContext | undefined {
  const value = message.MessageAttributes?.[CONTEXT_ATTRIBUTE]?.StringValue;
  const reading = value === undefined ? undefined : readContext(value);
  return reading?.kind === "readable" ? reading.context : undefined;
}

async function report(
  { Body, MessageAttributes }: Message,
  options: WorkerOptions,
  context: RetryContext,
): Promise<void> {
  await options.sqs.send(
    new SendMessageCommand({
      QueueUrl: options.ingestQueueUrl,
      MessageBody: Body,
      MessageAttributes: {
        ...MessageAttributes,
        [CONTEXT_ATTRIBUTE]: { DataType: "String", StringValue: encodeContext(context) },
      },
    }),
  );
}

async function remove({ ReceiptHandle }: Message, { sqs, workQueueUrl }: WorkerOptions): Promise<void> {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: workQueueUrl, ReceiptHandle }));
}

/** A worker that knows nothing of us: it hands the message back, and SQS moves it on when that was once too often. */
async function giveBack({ ReceiptHandle }: Message, { sqs, workQueueUrl }: WorkerOptions): Promise<void> {
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: workQueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
}
