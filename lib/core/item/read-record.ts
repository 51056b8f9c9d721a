import { type Alias, type FailureReport, isDispatchId, reportIdOf } from "./failure-report.ts";
import { toItemId } from "./item-id.ts";
import type { Attribute, Attributes, ItemMessage } from "./message.ts";
import { type QueueRecord, readAttributes } from "./queue-record.ts";
import { readContext } from "./read-context.ts";
import { CONTEXT_ATTRIBUTE, type RetryContext, shortOriginal } from "./retry-context.ts";

/** A record of the ingest queue, read: what it reports, and the message that travels on. */
export type RecordReading =
  | { readonly kind: "report"; readonly report: FailureReport; readonly message: ItemMessage }
  /** Only a newer release may act on it: give the record back to the queue. */
  | { readonly kind: "newer"; readonly min: number };

/**
 * Reads a record as a failure report. The body is not looked at. Never throws: a context that cannot be read makes a
 * report that says so, under the record's own identity, as nothing in such a context can be believed.
 *
 * @param idAttribute name of the user attribute that carries the caller's own item id, if the pipeline names one
 */
export function readRecord(record: QueueRecord, idAttribute?: string): RecordReading {
  const { [CONTEXT_ATTRIBUTE]: contextAttribute, ...attributes } = readAttributes(record);
  const groupId = record.attributes.MessageGroupId;
  const message: ItemMessage = { body: record.body, attributes, ...(groupId && { groupId }) };

  if (!contextAttribute) return { kind: "report", message, report: withoutContext(record, attributes, idAttribute) };
  if (!("text" in contextAttribute)) {
    const original = Buffer.from(contextAttribute.bytes).toString("utf8");
    return { kind: "report", message, report: unreadable(record, original, "it must be a String, got Binary") };
  }
  const reading = readContext(contextAttribute.text);
  if (reading.kind === "newer") return reading;
  const report =
    reading.kind === "readable"
      ? withContext(record, reading.context)
      : unreadable(record, contextAttribute.text, reading.why);
  return { kind: "report", message, report };
}

/** The report that a message without our context makes once its alias is known; what a worker says of it stays. */
export function withAlias(report: FailureReport, alias: Alias): FailureReport {
  const { itemId, generation, attempt, dispatchId, deadLettered, deadlineAt } = alias;
  return {
    ...(deadlineAt !== undefined && !deadLettered && { deadlineAt }),
    ...report,
    identity: "alias",
    itemId,
    generation,
    attempt,
    dispatchId,
    dispatched: true,
    ...(deadLettered && { redrive: { tried: report.moved || report.identity === "context" } }),
  };
}

/** The report of a record whose context is well formed but says what cannot be. */
export function disbelieve(report: FailureReport, original: string, why: string): FailureReport {
  return {
    reportId: report.reportId,
    messageId: report.messageId,
    itemId: report.messageId,
    identity: "message",
    kind: "failed",
    generation: 1,
    attempt: 1,
    dispatchId: report.reportId,
    dispatched: false,
    moved: report.moved,
    ...(report.firstReceivedAt !== undefined && { firstReceivedAt: report.firstReceivedAt }),
    unreadable: { original: shortOriginal(original), why },
  };
}

function withoutContext(record: QueueRecord, attributes: Attributes, idAttribute: string | undefined): FailureReport {
  const { messageId } = record;
  const reportId = reportIdOf(messageId);
  const callersId = idAttribute === undefined ? undefined : textOf(attributes[idAttribute]);
  return {
    reportId,
    messageId,
    itemId: callersId ? toItemId(callersId) : messageId,
    identity: callersId ? "attribute" : "message",
    kind: "failed",
    generation: 1,
    attempt: 1,
    dispatchId: reportId,
    dispatched: false,
    ...delivery(record),
  };
}

function withContext(record: QueueRecord, context: RetryContext): FailureReport {
  const { itemId, generation, attempt, dispatchId, deadLetter, unknown } = context;
  const { error, retryable, retryAfterMs, deadlineAt, firstFailedAt, delayMs } = context;
  const { moved, firstReceivedAt } = delivery(record);
  const dispatched = dispatchId !== undefined && isDispatchId(dispatchId);
  const base: FailureReport = {
    reportId: reportIdOf(record.messageId),
    messageId: record.messageId,
    itemId,
    identity: "context",
    kind: context.kind ?? "failed",
    generation,
    attempt,
    // A report of the first delivery has no dispatch of ours. A worker may name the work-queue message in its place, so
    // that its report and SQS's own move of that message are one. Else the report stands for itself: the item id must
    // not, as two messages that share it would swallow each other.
    dispatchId: dispatched ? dispatchId : reportIdOf(dispatchId ?? record.messageId),
    dispatched,
    moved,
    ...(firstReceivedAt !== undefined && { firstReceivedAt }),
    ...(unknown && { unknown }),
  };
  const told = {
    ...(error && { error }),
    ...(retryable !== undefined && { retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  if (deadLetter) {
    // Only a report made since then speaks of the new generation; the rest of the copy belongs to the old one.
    const tried = context.kind === "failed" || moved;
    return { ...base, redrive: { tried }, ...(context.kind && told) };
  }
  return {
    ...base,
    ...told,
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(firstFailedAt !== undefined && { firstFailedAt }),
    ...(delayMs !== undefined && { previousDelayMs: delayMs }),
  };
}

function unreadable(record: QueueRecord, original: string, why: string): FailureReport {
  return disbelieve(withoutContext(record, {}, undefined), original, why);
}

function delivery({ attributes }: QueueRecord): Pick<FailureReport, "moved" | "firstReceivedAt"> {
  const firstReceivedAt = Number(attributes.ApproximateFirstReceiveTimestamp);
  return {
    moved: attributes.DeadLetterQueueSourceArn !== undefined,
    ...(Number.isSafeInteger(firstReceivedAt) && { firstReceivedAt }),
  };
}

function textOf(attribute: Attribute | undefined): string | undefined {
  return attribute && "text" in attribute ? attribute.text : undefined;
}
