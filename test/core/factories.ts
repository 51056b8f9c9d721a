import { DEFAULT_POLICY, type RetryPolicy } from "../../lib/core/backoff/policy.ts";
import { type FailureReport, reportIdOf } from "../../lib/core/item/failure-report.ts";
import type { QueueRecord, RecordAttribute } from "../../lib/core/item/queue-record.ts";
import { readRecord } from "../../lib/core/item/read-record.ts";
import { CONTEXT_ATTRIBUTE, encodeContext, type RetryContext } from "../../lib/core/item/retry-context.ts";
import { advance } from "../../lib/core/state/advance.ts";
import type { Decision, Dispatch, Step } from "../../lib/core/state/decision.ts";
import type { HistoryEntry, ItemState } from "../../lib/core/state/item-state.ts";
import type { AdvanceSettings } from "../../lib/core/state/settings.ts";

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

/** 2026-11-30T00:00:00Z. */
export const NOW = 1_795_996_800_000;

export const ITEM_ID = "order-42";
const DEAD_LETTER_SOURCE_ARN = "arn:aws:sqs:eu-west-1:111122223333:work";

/** A pipeline's settings: the default policy with some of it replaced, reports that live a day, rows that live 40. */
export function someSettings(policy: Partial<RetryPolicy> = {}): AdvanceSettings {
  return { policy: { ...DEFAULT_POLICY, ...policy }, reportLifetimeMs: DAY, rowLifetimeMs: 40 * DAY };
}

export const SETTINGS = someSettings();

/** A readable context: the first attempt of an item. */
export function aContext(changes: Partial<RetryContext> = {}): RetryContext {
  return { itemId: ITEM_ID, generation: 1, attempt: 1, ...changes };
}

interface RecordChanges {
  readonly messageId?: string;
  readonly body?: string;
  /** Put on the record as `RetryContext`; text goes as it is. */
  readonly context?: RetryContext | string;
  readonly attributes?: Readonly<Record<string, RecordAttribute>>;
  /** By SQS, from the work queue. */
  readonly moved?: boolean;
  readonly receiveCount?: number;
  readonly groupId?: string;
}

/** A record of the ingest queue, as Lambda hands it over. */
export function aRecord({
  messageId = "message-1",
  body = "a body",
  context,
  attributes = {},
  moved = false,
  receiveCount = 1,
  groupId,
}: RecordChanges = {}): QueueRecord {
  const text = typeof context === "object" ? encodeContext(context) : context;
  return {
    messageId,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      ...(groupId && { MessageGroupId: groupId }),
      ...(moved && { DeadLetterQueueSourceArn: DEAD_LETTER_SOURCE_ARN }),
    },
    messageAttributes: {
      ...attributes,
      ...(text !== undefined && { [CONTEXT_ATTRIBUTE]: { dataType: "String", stringValue: text } }),
    },
  };
}

/** What a record reports. */
export function reportOf(record: QueueRecord, idAttribute?: string): FailureReport {
  const reading = readRecord(record, idAttribute);
  if (reading.kind !== "report") throw new Error(`the record needs a reader of version ${reading.min}`);
  return reading.report;
}

/** A worker's report that an attempt of a dispatch of ours failed; each attempt has its own dispatch and message. */
export function aReport(changes: Partial<FailureReport> = {}): FailureReport {
  const { generation = 1, attempt = 1 } = changes;
  const { messageId = `message-${generation}-${attempt}` } = changes;
  return {
    reportId: reportIdOf(messageId),
    messageId,
    itemId: ITEM_ID,
    identity: "context",
    kind: "failed",
    generation,
    attempt,
    dispatchId: `dispatch${generation}${attempt}`,
    dispatched: true,
    moved: false,
    ...changes,
  };
}

/** An item that has failed once and is on its way to its second attempt. */
export function aState(changes: Partial<ItemState> = {}): ItemState {
  return {
    itemId: ITEM_ID,
    status: "retrying",
    generation: 1,
    attempts: 1,
    firstFailedAt: NOW,
    lastFailedAt: NOW,
    nextAttemptAt: NOW + 5 * SECOND,
    lastReport: "message-0",
    errors: [],
    history: [anEntry()],
    revision: NOW + 1,
    expiresAt: NOW + 40 * DAY,
    ...changes,
  };
}

/** The record of a first failure, five seconds before the next attempt. */
export function anEntry(changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    generation: 1,
    attempt: 1,
    dispatchId: "original00",
    reportId: "report0000",
    outcome: { kind: "retry" },
    detail: { at: NOW, delayMs: 5 * SECOND },
    ...changes,
  };
}

/** The send of a decision that has one. */
export function sendOf(decision: Decision): Dispatch {
  if (!("send" in decision)) throw new Error(`a decision of kind '${decision.kind}' sends nothing`);
  return decision.send;
}

/** The state of a step that has one. */
export function stateOf({ state }: Step): ItemState {
  if (!state) throw new Error("the step leaves no row");
  return state;
}

/** What SQS makes of a dispatch that a worker did not delete: the same message, moved to the ingest queue. */
export function movedBack({ context }: Dispatch, messageId = `moved-${context.dispatchId}`): FailureReport {
  return reportOf(aRecord({ messageId, context, moved: true }));
}

/** The first message of an item, without a context, moved to the ingest queue. */
export const FIRST_REPORT = reportOf(aRecord({ messageId: ITEM_ID, moved: true }));

/** An item after its first `failures` failures, an hour apart; the last decision, and the report that it was made on. */
export function afterFailures(
  failures: number,
  settings = SETTINGS,
): { step: Step; report: FailureReport; now: number } {
  let report = FIRST_REPORT;
  let step = advance(undefined, report, settings, NOW);
  for (let failure = 1; failure < failures; failure++) {
    report = movedBack(sendOf(step.decision));
    step = advance(step.state, report, settings, NOW + failure * HOUR);
  }
  return { step, report, now: NOW + (failures - 1) * HOUR };
}
