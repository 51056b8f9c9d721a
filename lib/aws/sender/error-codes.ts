/**
 * Codes that say "not now": the same call may go through a moment later. Told by code alone, as the `SenderFault` flag
 * of a batch entry is set for throttles as well. From the common errors of the SQS API reference and the SDK's list.
 */
const TRANSIENT_CODES = new Set([
  "InternalError",
  "InternalFailure",
  "InternalServerError",
  "KMS.ThrottlingException",
  "KmsThrottled",
  "OverLimit",
  "ProvisionedThroughputExceededException",
  "RequestThrottled",
  "RequestThrottledException",
  "RequestTimeout",
  "RequestTimeoutException",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
]);

/** Whether a refused send may go through when it is made again, by the code that SQS gave. */
export function isTransient(code: string): boolean {
  return TRANSIENT_CODES.has(code.replace(/^AWS\.SimpleQueueService\./, ""));
}

/** The code of anything that was thrown, for logs and decisions. */
export function codeOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
