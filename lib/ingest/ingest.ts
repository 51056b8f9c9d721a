import { codeOf } from "../aws/sender/error-codes.ts";
import type { QueueRecord } from "../core/item/queue-record.ts";
import { readRecord } from "../core/item/read-record.ts";
import { decide } from "./decide.ts";
import { type Delivered, deliver } from "./deliver.ts";
import { Outcomes } from "./outcomes.ts";
import type { HandedBack, IngestPorts, Invocation, ReceivedReport } from "./ports.ts";
import { inSlices } from "./schedule-records.ts";

/** The answer that tells Lambda which records stay in the queue; an empty list means that all are done. */
export interface PartialBatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** No new slice starts when less than this is left, or less than a third of the whole time where that is short. */
const RESERVE_MS = 10_000;

/**
 * Handles one event of the ingest queue. Each record is acknowledged only after what it leads to is safely in a queue;
 * any other record is handed back, with its id in the answer. Never throws for what a record contains.
 */
export async function ingest(
  records: readonly QueueRecord[],
  ports: IngestPorts,
  invocation: Invocation,
): Promise<PartialBatchResponse> {
  const outcomes = new Outcomes(ports.telemetry);
  const failed = new Set<string>();
  const giveBack = (each: HandedBack) => {
    failed.add(each.record.messageId);
    outcomes.handedBack(each);
  };
  const reserveMs = Math.min(RESERVE_MS, invocation.remainingMs() / 3);
  try {
    for (const slice of inSlices(records, ports.configuration.workMaxReceiveCount)) {
      if (invocation.remainingMs() < reserveMs || invocation.abortSignal.aborted) {
        for (const record of slice) giveBack({ record, why: "OutOfTime" });
        continue;
      }
      const { delivered, handedBack } = await handle(slice, ports, invocation);
      for (const each of delivered) outcomes.delivered(each);
      for (const each of handedBack) giveBack(each);
    }
  } finally {
    outcomes.close();
  }
  return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
}

async function handle(slice: readonly QueueRecord[], ports: IngestPorts, invocation: Invocation): Promise<Delivered> {
  try {
    const { reports, newer } = read(slice, ports.configuration.idAttribute);
    const { decided, handedBack } = await decide(reports, ports, invocation);
    const outcome = await deliver(decided, ports, invocation);
    return { delivered: outcome.delivered, handedBack: [...newer, ...handedBack, ...outcome.handedBack] };
  } catch (error) {
    // What nobody foresaw costs this slice a redelivery, not the whole event.
    const why = codeOf(error);
    const detail = error instanceof Error ? error.stack : undefined;
    return { delivered: [], handedBack: slice.map((record) => ({ record, why, ...(detail && { detail }) })) };
  }
}

function read(records: readonly QueueRecord[], idAttribute: string | undefined) {
  const reports: ReceivedReport[] = [];
  const newer: HandedBack[] = [];
  for (const record of records) {
    const reading = readRecord(record, idAttribute);
    if (reading.kind === "report") reports.push({ record, report: reading.report, message: reading.message });
    else newer.push({ record, why: "NewerContext", detail: `RetryContext needs a reader of version ${reading.min}` });
  }
  return { reports, newer };
}
