import type { Message } from "@aws-sdk/client-sqs";
import { CONTEXT_ATTRIBUTE, encodeContext, type RetryContext } from "../../lib/core/item/retry-context.ts";
import type { Random } from "./random.ts";
import { note } from "./story.ts";
import { contextOf, type World } from "./world.ts";

/** How an item fares: by its own failing attempts, and by how its worker tells. */
export interface SimulatedItem {
  readonly name: string;
  readonly way: "redrive" | "report";
  /** Attempts of each generation that fail; Infinity: it never succeeds. */
  readonly failures: number;
  /** Ten attributes: our context cannot travel with it. */
  readonly full: boolean;
}

/** How a worker behaves besides failing. */
export interface WorkerFaults {
  /** It hangs: the message comes back when its visibility ends. */
  readonly hang: number;
  /** It reports twice. */
  readonly reportTwice: number;
  /** It dies between its report and the deletion. */
  readonly dieAfterReport: number;
}

/** Works on what is visible in the work queue, once. */
export function pollWork(world: World, items: readonly SimulatedItem[], random: Random, faults: WorkerFaults): void {
  for (const message of world.receive("work", random.between(1, 10))) {
    const item = items.find(({ name }) => name === message.Body);
    if (item) work(world, item, message, random, faults);
  }
}

function work(world: World, item: SimulatedItem, message: Message, random: Random, faults: WorkerFaults): void {
  const context = contextOf(message.MessageAttributes?.[CONTEXT_ATTRIBUTE]);
  const attempt = !context || context.deadLetter ? 1 : context.attempt;
  world.story.tell(world.now(), item.name, `at the worker: ${describe(context)}`);
  if (context?.dispatchId) {
    const key = `${context.itemId}/${context.generation}/${context.deadLetter ? "copy" : attempt}`;
    note(world.story.dispatches, key, context.dispatchId);
  }
  if (random.chance(faults.hang)) return;
  if (attempt > item.failures) {
    world.story.succeeded.add(item.name);
    world.story.tell(world.now(), item.name, "succeeded");
    if (item.way === "report" && context) {
      note(world.story.done, `${context.itemId}/${context.generation}`, context.dispatchId ?? "");
      report(world, message, { ...context, kind: "succeeded" });
    }
    world.remove("work", message);
    return;
  }
  if (item.way === "redrive" || item.full) {
    const { ReceiptHandle } = message;
    world.service.call("ChangeMessageVisibility", { QueueUrl: world.urls.work, ReceiptHandle, VisibilityTimeout: 0 });
    return;
  }
  const messageId = message.MessageId ?? "";
  const identity = context ?? { itemId: messageId, dispatchId: messageId, generation: 1, attempt: 1 };
  const failure = {
    ...identity,
    kind: "failed",
    error: { type: "Failed", message: `with ${random.between(1, 9)}` },
  } as const;
  report(world, message, failure);
  if (random.chance(faults.reportTwice)) report(world, message, failure);
  if (!random.chance(faults.dieAfterReport)) world.remove("work", message);
}

function report(world: World, { Body = "", MessageAttributes }: Message, context: RetryContext): void {
  const StringValue = encodeContext(context);
  world.send("ingest", Body, { ...MessageAttributes, [CONTEXT_ATTRIBUTE]: { DataType: "String", StringValue } });
}

function describe(context: RetryContext | undefined): string {
  if (!context) return "first delivery";
  const { generation, attempt, dispatchId, deadLetter } = context;
  return `generation ${generation}, attempt ${attempt}, ${deadLetter ? "a redriven copy" : `dispatch ${dispatchId}`}`;
}
