import { setTimeout as wait } from "node:timers/promises";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { readRow } from "../../aws/state-store/row.ts";
import type { RetryPolicy } from "../../core/backoff/policy.ts";
import { readContext } from "../../core/item/read-context.ts";
import { CONTEXT_ATTRIBUTE } from "../../core/item/retry-context.ts";
import type { ItemState } from "../../core/state/item-state.ts";
import type { Sandbox } from "../sandbox.ts";
import type { QueueService } from "../sqs/index.ts";
import { Ledger } from "./ledger.ts";
import { type PlannedItem, planItems } from "./plan.ts";
import { type DeadLetter, type DemoResult, toResult } from "./result.ts";
import { runWorker } from "./worker.ts";

/** How far the demo is. */
export interface DemoProgress {
  readonly items: number;
  readonly done: number;
  readonly deadLettered: number;
  /** Items on their way with a delay. */
  readonly waiting: number;
  /** Until the next of them is due, in sandbox ms. */
  readonly nextDueMs: number | undefined;
}

export interface DemoOptions {
  /** A sandbox on the embedded engines. */
  readonly sandbox: Sandbox;
  readonly queues: { readonly ingest: string; readonly work: string; readonly deadLetter: string };
  readonly stateTable: string;
  readonly policy: RetryPolicy;
  readonly items: number;
  /** Same seed, same items. */
  readonly seed: number;
  /** The demo ends after this long in real ms, whatever has become of the items. */
  readonly timeLimitMs: number;
  /** Ends the demo at once, unfinished. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DemoProgress) => void;
}

/** Consumers of the work queue, as two instances of a service would be. */
const WORKERS = 2;

/** The depth alarm looks at whole minutes of sandbox time: so long it may take to see the last dead letter. */
const ALARM_LAG_MS = 3 * 60_000;

/** Feeds items to a deliberately flaky worker, waits until each is done or dead-lettered, and holds all against the plan. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { sandbox, queues, policy } = options;
  const items = planItems(options.items, options.seed);
  const ledger = new Ledger();
  const started = { real: performance.now(), sandbox: sandbox.clock.now() };
  const stop = new AbortController();
  const workers = Array.from({ length: WORKERS }, () =>
    runWorker({
      sqs: sandbox.sqs,
      workQueueUrl: queues.work,
      ingestQueueUrl: queues.ingest,
      items: new Map(items.map((item) => [item.id, item])),
      ledger,
      now: () => sandbox.clock.now(),
      signal: stop.signal,
    }),
  );
  let settled = false;
  try {
    await feed(items, options);
    settled = await settle(ledger, options, started.real);
    if (settled) await wait(sandbox.clock.toRealMs(ALARM_LAG_MS) + 500);
  } finally {
    stop.abort();
    await Promise.all(workers);
  }
  return toResult({
    items,
    timeIsUp: !settled,
    ledger,
    deadLetters: deadLettersIn(engine(sandbox), queues.deadLetter),
    rows: await allRows(options),
    policy,
    alarms: sandbox.alarms().map(({ name, state, history }) => ({
      name,
      state,
      rang: history.some(({ to }) => to === "ALARM"),
    })),
    seconds: {
      real: (performance.now() - started.real) / 1000,
      sandbox: (sandbox.clock.now() - started.sandbox) / 1000,
    },
  });
}

async function feed(items: readonly PlannedItem[], { sandbox, queues }: DemoOptions): Promise<void> {
  for (let start = 0; start < items.length; start += 10) {
    const Entries = items.slice(start, start + 10).map(({ id }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ id, amount: 1999 }),
      MessageAttributes: { tenant: { DataType: "String", StringValue: "demo" } },
    }));
    await sandbox.sqs.send(new SendMessageBatchCommand({ QueueUrl: queues.work, Entries }));
  }
}

/** Waits until every item is done or dead-lettered; false where the time limit came first. */
async function settle(ledger: Ledger, options: DemoOptions, startedAt: number): Promise<boolean> {
  const { sandbox, queues, items, timeLimitMs, signal, onProgress } = options;
  for (;;) {
    const service = engine(sandbox);
    const deadLettered = service.inspect(queues.deadLetter).visible;
    const delayed = service.inspect(queues.work).messages.filter(({ state }) => state === "delayed");
    const due = delayed.flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]));
    onProgress({
      items,
      done: ledger.successes.size,
      deadLettered,
      waiting: delayed.length,
      nextDueMs: due.length > 0 ? Math.max(0, Math.min(...due) - sandbox.clock.now()) : undefined,
    });
    if (ledger.successes.size + deadLettered >= items) return true;
    if (signal.aborted || performance.now() - startedAt > timeLimitMs) return false;
    await wait(250);
  }
}

/** The copies in the dead-letter queue, without receiving them: they stay visible to alarms and to the user. */
function deadLettersIn(service: QueueService, queueUrl: string): readonly DeadLetter[] {
  return service.inspect(queueUrl).messages.flatMap(({ body, attributes }) => {
    const attribute = attributes[CONTEXT_ATTRIBUTE];
    const reading = readContext(attribute && "StringValue" in attribute ? attribute.StringValue : "");
    if (reading.kind !== "readable" || !reading.context.deadLetter) return [];
    const { itemId, attempt, deadLetter } = reading.context;
    return [{ demoId: (JSON.parse(body) as { id: string }).id, itemId, attempt, reason: deadLetter.reason }];
  });
}

async function allRows({ sandbox, stateTable }: DemoOptions): Promise<ReadonlyMap<string, ItemState>> {
  const rows = new Map<string, ItemState>();
  for await (const { Items = [] } of paginateScan({ client: sandbox.dynamodb }, { TableName: stateTable })) {
    for (const item of Items) {
      const found = readRow(item, sandbox.clock.now());
      if (found.kind === "item") rows.set(found.state.itemId, found.state);
    }
  }
  return rows;
}

function engine({ service }: Sandbox): QueueService {
  if (!service) throw new Error("the demo needs the embedded engines: start it without an endpoint");
  return service;
}
