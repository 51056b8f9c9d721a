import { setMaxListeners } from "node:events";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll } from "vitest";
import { SqsMessageSender } from "../../lib/aws/sender/message-sender.ts";
import { dropLineage } from "../../lib/aws/sender/trace-header.ts";
import { type Found, readRow } from "../../lib/aws/state-store/row.ts";
import { DynamoStateStore } from "../../lib/aws/state-store/state-store.ts";
import { DEFAULT_POLICY, type RetryPolicy } from "../../lib/core/backoff/policy.ts";
import type { PipelineConfiguration } from "../../lib/core/configuration.ts";
import type { QueueRecord } from "../../lib/core/item/queue-record.ts";
import type { ItemState } from "../../lib/core/state/item-state.ts";
import { ingest } from "../../lib/ingest/ingest.ts";
import type { IngestPorts, Invocation } from "../../lib/ingest/ports.ts";
import type { TableEngine } from "../../lib/sandbox/dynamodb/engine.ts";
import { startTableEngine } from "../../lib/sandbox/dynamodb/table-engine.ts";
import { inProcessRequestHandler } from "../../lib/sandbox/sqs/index.ts";
import { JumpingClock } from "../sandbox/sqs/fixtures/jumping-clock.ts";
import { Calls } from "./calls.ts";
import { createQueues, INGEST_RECEIVES, INGEST_VISIBILITY_SECONDS, type QueueOptions, toRecord } from "./queues.ts";
import { RecordingTelemetry } from "./recording-telemetry.ts";
import { CREDENTIALS, createStateTable, newTableClient, REGION } from "./table.ts";

const DAY_MS = 86_400_000;

let engine: Promise<TableEngine> | undefined;

afterAll(async () => {
  await (await engine)?.stop();
  engine = undefined;
});

/** The table engine that all pipelines of a test file share. */
function sharedEngine(): Promise<TableEngine> {
  engine ??= startTableEngine();
  return engine;
}

export interface PipelineOptions extends QueueOptions {
  /** On top of the defaults: full jitter, base 10 s, factor 2, cap 900 s, 10 attempts. */
  readonly policy?: Partial<RetryPolicy>;
  readonly configuration?: Partial<PipelineConfiguration>;
  /** Epoch ms at which the clock stands. */
  readonly start?: number;
}

/**
 * A whole pipeline in process: the real `ingest` over the real adapters, a strict SQS with ingest, work and dead-letter
 * queue, and a real table engine. The clock stands until it is moved; calls are counted, and can be made to fail.
 */
export async function pipeline(options: PipelineOptions = {}) {
  const clock = new JumpingClock(options.start === undefined ? {} : { start: options.start });
  const queues = createQueues(clock, options);
  const table = await createStateTable(await sharedEngine());
  const calls = new Calls();
  const telemetry = new RecordingTelemetry();
  const dynamoDB = newTableClient(table.endpoint);
  const sqs = new SQSClient({
    endpoint: queues.service.endpoint,
    region: REGION,
    credentials: CREDENTIALS,
    maxAttempts: 1,
    requestHandler: inProcessRequestHandler(queues.service),
  });
  dropLineage(sqs);
  calls.watch(dynamoDB);
  calls.watch(sqs);

  const configuration: PipelineConfiguration = {
    policy: { ...DEFAULT_POLICY, ...options.policy },
    workQueueUrl: queues.urls.work,
    deadLetterQueueUrl: queues.urls.dead,
    stateTableName: table.name,
    ingestQueueName: "ingest",
    reportLifetimeMs: INGEST_RECEIVES * INGEST_VISIBILITY_SECONDS * 1000,
    workMaxReceiveCount: 2,
    rowLifetimeMs: 44 * DAY_MS,
    ...options.configuration,
  };
  const ports: IngestPorts = {
    configuration,
    store: new DynamoStateStore(dynamoDB, table.name),
    sender: new SqsMessageSender(sqs),
    telemetry,
    now: () => clock.now(),
  };
  const handle = async (records: readonly QueueRecord[], invocation: Partial<Invocation> = {}) =>
    (await ingest(records, ports, { ...anInvocation(), ...invocation })).batchItemFailures.map(
      ({ itemIdentifier }) => itemIdentifier,
    );
  const found = async (key: string): Promise<Found> => readRow(await table.get(key), clock.now());

  return {
    ...queues,
    clock,
    table,
    calls,
    telemetry,
    configuration,
    ports,
    /** One invocation with these records; the ids that it hands back. */
    handle,
    /** One invocation with what is visible in the ingest queue; what it acknowledges is deleted, as Lambda does it. */
    invoke: async (invocation: Partial<Invocation> = {}) => {
      const messages = queues.take(queues.urls.ingest);
      const handedBack = await handle(messages.map(toRecord), invocation);
      for (const { MessageId = "", ReceiptHandle } of messages) {
        if (!handedBack.includes(MessageId)) queues.remove(queues.urls.ingest, ReceiptHandle);
      }
      return { received: messages.map(({ MessageId = "" }) => MessageId), handedBack };
    },
    found,
    /** The row of an item, which must be there. */
    row: async (itemId: string): Promise<ItemState> => {
      const row = await found(itemId);
      if (row.kind !== "item") throw new Error(`there must be a row of item '${itemId}', found: ${row.kind}`);
      return row.state;
    },
    /** Handed-back messages are visible in the ingest queue again. */
    passVisibility: () => clock.advance(INGEST_VISIBILITY_SECONDS * 1000),
  };
}

export type Pipeline = Awaited<ReturnType<typeof pipeline>>;

/** An invocation with a minute to go, outside Lambda. */
export function anInvocation(): Invocation {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return { remainingMs: () => 60_000, traceHeader: undefined, abortSignal: signal };
}
