import type { MessageSender } from "../aws/sender/message-sender.ts";
import type { StateStore } from "../aws/state-store/state-store.ts";
import type { Telemetry } from "../aws/telemetry/telemetry.ts";
import type { PipelineConfiguration } from "../core/configuration.ts";
import type { FailureReport } from "../core/item/failure-report.ts";
import type { ItemMessage } from "../core/item/message.ts";
import type { QueueRecord } from "../core/item/queue-record.ts";
import type { Step } from "../core/state/decision.ts";
import type { ItemState } from "../core/state/item-state.ts";

/** All that the ingest pipeline talks to. */
export interface IngestPorts {
  readonly configuration: PipelineConfiguration;
  readonly store: StateStore;
  readonly sender: MessageSender;
  readonly telemetry: Telemetry;
  /** Epoch ms. */
  readonly now: () => number;
}

/** One invocation: until when it may work, and the trace that it belongs to. */
export interface Invocation {
  readonly remainingMs: () => number;
  /** The function's own trace header, with Lambda's lineage. */
  readonly traceHeader: string | undefined;
  /** Aborted when the time is nearly up. */
  readonly abortSignal: AbortSignal;
}

/** A record and what it says. */
export interface ReceivedReport {
  readonly record: QueueRecord;
  readonly report: FailureReport;
  readonly message: ItemMessage;
}

/** A report whose decision is written down. */
export interface DecidedReport extends ReceivedReport {
  readonly step: Step;
  /** The item's row after this event's reports. */
  readonly row: ItemState | undefined;
}

/** A record that stays in the ingest queue, because something of ours failed: it comes again, and nothing is counted. */
export interface HandedBack {
  readonly record: QueueRecord;
  readonly why: string;
  readonly detail?: string;
}
