/** Whose mistake an error is, in the words of the AWS query protocol. */
export type Fault = "Sender" | "Receiver";

interface WireForm {
  readonly queryCode?: string;
  readonly statusCode: number;
  readonly fault?: Fault;
}

/**
 * How errors that are not plainly "their name, 400, Sender" travel. The query codes are those of the SQS service
 * model's `awsQueryError` traits: older clients, boto3 among them, report them instead of the name.
 */
const WIRE_FORMS: Readonly<Record<string, WireForm>> = {
  BatchEntryIdsNotDistinct: { queryCode: "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", statusCode: 400 },
  BatchRequestTooLong: { queryCode: "AWS.SimpleQueueService.BatchRequestTooLong", statusCode: 400 },
  EmptyBatchRequest: { queryCode: "AWS.SimpleQueueService.EmptyBatchRequest", statusCode: 400 },
  InvalidAddress: { statusCode: 404 },
  InvalidBatchEntryId: { queryCode: "AWS.SimpleQueueService.InvalidBatchEntryId", statusCode: 400 },
  MessageNotInflight: { queryCode: "AWS.SimpleQueueService.MessageNotInflight", statusCode: 400 },
  OverLimit: { statusCode: 403 },
  PurgeQueueInProgress: { queryCode: "AWS.SimpleQueueService.PurgeQueueInProgress", statusCode: 403 },
  QueueDeletedRecently: { queryCode: "AWS.SimpleQueueService.QueueDeletedRecently", statusCode: 400 },
  QueueDoesNotExist: { queryCode: "AWS.SimpleQueueService.NonExistentQueue", statusCode: 400 },
  QueueNameExists: { queryCode: "QueueAlreadyExists", statusCode: 400 },
  ReceiptHandleIsInvalid: { statusCode: 404 },
  RequestThrottled: { statusCode: 403 },
  ResourceNotFoundException: { statusCode: 404 },
  TooManyEntriesInBatchRequest: { queryCode: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", statusCode: 400 },
  UnsupportedOperation: { queryCode: "AWS.SimpleQueueService.UnsupportedOperation", statusCode: 400 },
  InternalFailure: { statusCode: 500, fault: "Receiver" },
  ServiceUnavailable: { statusCode: 503, fault: "Receiver" },
};

/** What SQS refuses. `name` is the error code as the current SDKs name it. */
export class SqsError extends Error {
  readonly statusCode: number;
  readonly fault: Fault;
  /** The code of the older query protocol, for the `x-amzn-query-error` header. */
  readonly queryCode: string;

  /** @param wire overrides status and fault, for injected faults; the defaults are those of the service model. */
  constructor(name: string, message: string, wire: { readonly statusCode?: number; readonly fault?: Fault } = {}) {
    super(message);
    this.name = name;
    const form = Object.hasOwn(WIRE_FORMS, name) ? WIRE_FORMS[name] : undefined;
    this.statusCode = wire.statusCode ?? form?.statusCode ?? 400;
    this.fault = wire.fault ?? form?.fault ?? (this.statusCode >= 500 ? "Receiver" : "Sender");
    this.queryCode = form?.queryCode ?? name;
  }
}

/** `InvalidParameterValue` in SQS's usual words. */
export function invalidParameter(parameter: string, value: unknown, reason: string): SqsError {
  return new SqsError(
    "InvalidParameterValue",
    `Value ${printable(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}

/** `MissingParameter`: the request lacks `parameter`. */
export function missingParameter(parameter: string): SqsError {
  return new SqsError("MissingParameter", `The request must contain the parameter ${parameter}.`);
}

/** `InvalidParameterValue` for a queue type that does not know the parameter. */
export function wrongQueueType(parameter: string, value: unknown): SqsError {
  return invalidParameter(parameter, value, "The request includes a parameter that is not valid for this queue type.");
}

function printable(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
