/** Names of everything the product counts: written by the handlers, watched by the alarms. */
export const METRIC_NAMESPACE = "RetryOrchestrator";

/** The one dimension: the *name* of the pipeline's ingest queue. */
export const METRIC_DIMENSION = "IngestQueue";

export const METRICS = {
  /** Items sent back to the work queue for a further attempt. */
  Retried: "Retried",
  /** Items put on the dead-letter queue by a decision; counted after the send succeeded, repeats included. */
  Exhausted: "Exhausted",
  /** Items reported as done after at least one failure. */
  Recovered: "Recovered",
  /** Exhausted items that came back for a fresh budget. */
  Redriven: "Redriven",
  /** Sends made again for a report that was recorded before. */
  Repeated: "Repeated",
  /** Further reports of an attempt already reported, proven to be copies; they send nothing. */
  Stale: "Stale",
  /** Records returned to the ingest queue because something of ours failed. */
  HandedBack: "HandedBack",
  /** Reports whose row should have been there and was not. */
  RowsLost: "RowsLost",
  /** Reports with neither context, alias, id attribute nor a move by SQS: each starts a new item. */
  ReportsWithoutIdentity: "ReportsWithoutIdentity",
  /** Messages that share an item id with another message. */
  SharedIdentities: "SharedIdentities",
  /** Reports whose RetryContext could not be read. */
  UnreadableContexts: "UnreadableContexts",
  /** Sends that went out without RetryContext, with an alias row in its place. */
  Aliased: "Aliased",
  /** The delay of each retry, in seconds. */
  DelaySeconds: "DelaySeconds",
} as const;

export type MetricName = (typeof METRICS)[keyof typeof METRICS];
