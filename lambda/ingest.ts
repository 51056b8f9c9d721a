import { setMaxListeners } from "node:events";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { createDynamoDBClient, createSQSClient } from "../lib/aws/clients.ts";
import { SqsMessageSender } from "../lib/aws/sender/message-sender.ts";
import { DynamoStateStore } from "../lib/aws/state-store/state-store.ts";
import { createTelemetry } from "../lib/aws/telemetry/telemetry.ts";
import { parseConfiguration } from "../lib/core/configuration.ts";
import { ingest } from "../lib/ingest/ingest.ts";

/** Calls that are under way this long before the time limit are broken off, and their records handed back. */
const LAST_CALL_MS = 2_000;

// A wrong setting stops the function here, at its cold start, with name and value.
const configuration = parseConfiguration(process.env);

const ports = {
  configuration,
  store: new DynamoStateStore(createDynamoDBClient(), configuration.stateTableName),
  sender: new SqsMessageSender(createSQSClient()),
  telemetry: createTelemetry(configuration.ingestQueueName),
  now: () => Date.now(),
};

export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const remainingMs = () => context.getRemainingTimeInMillis();
  const abortSignal = AbortSignal.timeout(Math.max(0, Math.floor(remainingMs() - LAST_CALL_MS)));
  // Each call under way listens to it: far more than the ten at which the runtime suspects a leak.
  setMaxListeners(0, abortSignal);
  const invocation = { remainingMs, abortSignal, traceHeader: process.env._X_AMZN_TRACE_ID };
  const { batchItemFailures } = await ingest(event.Records, ports, invocation);
  return { batchItemFailures: [...batchItemFailures] };
}
