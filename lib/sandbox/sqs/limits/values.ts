/** The quotas of SQS, as its API reference states them. Bytes, seconds and counts. */
export const LIMITS = {
  /** Body plus attribute names, types and values; also the sum over a batch. */
  messageBytes: 1_048_576,
  messageAttributes: 10,
  attributeNameLength: 256,
  attributeTypeLength: 256,
  numberDigits: 38,
  delaySeconds: { min: 0, max: 900 },
  visibilitySeconds: { min: 0, max: 43_200 },
  waitSeconds: { min: 0, max: 20 },
  receivedMessages: { min: 1, max: 10 },
  retentionSeconds: { min: 60, max: 1_209_600 },
  maximumMessageSize: { min: 1_024, max: 1_048_576 },
  kmsReuseSeconds: { min: 60, max: 86_400 },
  maxReceiveCount: { min: 1, max: 1_000 },
  batchEntries: 10,
  batchIdLength: 80,
  queueNameLength: 80,
  tags: 50,
  tagKeyLength: 128,
  tagValueLength: 256,
  pageSize: { min: 1, max: 1_000 },
  moveTaskPage: { min: 1, max: 10 },
  moveRatePerSecond: { min: 1, max: 500 },
  redriveSources: 10,
  /** Messages received and not yet deleted, per queue. */
  inFlight: 120_000,
  deduplicationMs: 300_000,
  purgeIntervalMs: 60_000,
  /** How long the name of a deleted queue stays taken. */
  deletedNameMs: 60_000,
} as const;

export interface Range {
  readonly min: number;
  readonly max: number;
}
