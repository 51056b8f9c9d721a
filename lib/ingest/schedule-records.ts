import type { QueueRecord } from "../core/item/queue-record.ts";

/** Records handled together: a multiple of ten fills send batches, and the time left is looked at between slices. */
const SLICE = 100;

/** A record received more often than this from the ingest queue may be what crashes the function. */
const SUSPICIOUS_RECEIVES = 3;

/**
 * The records of an event in the order and company in which they are handled. Records with one `messageId` are one
 * report, so only the first of them is handled. One that has been received too often is handled alone and last, so that
 * the crash it may cause costs its neighbours nothing.
 *
 * @param workMaxReceiveCount receives in the work queue, which SQS goes on counting from when it moves a message
 */
export function inSlices(
  records: readonly QueueRecord[],
  workMaxReceiveCount: number,
): readonly (readonly QueueRecord[])[] {
  const isSuspicious = ({ attributes }: QueueRecord) => {
    const elsewhere = attributes.DeadLetterQueueSourceArn === undefined ? 0 : workMaxReceiveCount;
    return Number(attributes.ApproximateReceiveCount) > SUSPICIOUS_RECEIVES + elsewhere;
  };
  const distinct = [...new Map(records.toReversed().map((record) => [record.messageId, record])).values()].toReversed();
  const calm = distinct.filter((record) => !isSuspicious(record));
  const slices: QueueRecord[][] = [];
  for (let start = 0; start < calm.length; start += SLICE) slices.push(calm.slice(start, start + SLICE));
  return [...slices, ...distinct.filter(isSuspicious).map((record) => [record])];
}
