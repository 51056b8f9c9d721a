import { SqsError } from "../errors.ts";
import { isRecord } from "./input.ts";
import { LIMITS, type Range } from "./values.ts";

const INTEGERS: Readonly<Record<string, Range>> = {
  DelaySeconds: LIMITS.delaySeconds,
  MaximumMessageSize: LIMITS.maximumMessageSize,
  MessageRetentionPeriod: LIMITS.retentionSeconds,
  ReceiveMessageWaitTimeSeconds: LIMITS.waitSeconds,
  VisibilityTimeout: LIMITS.visibilitySeconds,
  KmsDataKeyReusePeriodSeconds: LIMITS.kmsReuseSeconds,
};

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  SqsManagedSseEnabled: ["true", "false"],
  FifoQueue: ["true", "false"],
  ContentBasedDeduplication: ["true", "false"],
  DeduplicationScope: ["queue", "messageGroup"],
  FifoThroughputLimit: ["perQueue", "perMessageGroupId"],
};

const FIFO_ONLY: ReadonlySet<string> = new Set([
  "ContentBasedDeduplication",
  "DeduplicationScope",
  "FifoThroughputLimit",
]);

const DOCUMENTS: ReadonlySet<string> = new Set(["Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId"]);

/** Attributes that only SQS itself sets. */
const COMPUTED_ATTRIBUTES = [
  "QueueArn",
  "CreatedTimestamp",
  "LastModifiedTimestamp",
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
] as const;

/**
 * Checks attributes given to CreateQueue or SetQueueAttributes, each for itself; policies that name other queues are
 * checked where the queues are known.
 *
 * @throws SqsError InvalidAttributeName for an unknown or read-only one, InvalidAttributeValue for a value outside
 */
export function checkQueueAttributes(attributes: ReadonlyMap<string, string>, fifo: boolean): void {
  for (const [name, value] of attributes) {
    if (!isSettable(name, fifo)) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
    const range = Object.hasOwn(INTEGERS, name) ? INTEGERS[name] : undefined;
    const choices = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined;
    if ((range && !isIntegerText(value, range)) || (choices && !choices.includes(value))) {
      const allowed = range ? `an integer from ${range.min} to ${range.max}` : choices?.join(" or ");
      throw new SqsError(
        "InvalidAttributeValue",
        `Invalid value for the parameter ${name}: '${value}'. Allowed: ${allowed}.`,
      );
    }
  }
  const policy = attributes.get("Policy") ?? "";
  if (policy !== "" && !isJsonObject(policy)) {
    throw new SqsError("InvalidAttributeValue", "Invalid value for the parameter Policy: must be a JSON object.");
  }
  if (attributes.get("SqsManagedSseEnabled") === "true" && (attributes.get("KmsMasterKeyId") ?? "") !== "") {
    throw new SqsError("InvalidAttributeValue", "You can use one type of server-side encryption (SSE) at one time.");
  }
}

/** @throws SqsError InvalidAttributeName when GetQueueAttributes does not know one of `names` */
export function checkReadableNames(names: readonly string[]): void {
  for (const name of names) {
    const known = name === "All" || COMPUTED_ATTRIBUTES.some((one) => one === name) || isSettable(name, true);
    if (!known) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
  }
}

function isSettable(name: string, fifo: boolean): boolean {
  if (FIFO_ONLY.has(name)) return fifo;
  return Object.hasOwn(INTEGERS, name) || Object.hasOwn(CHOICES, name) || DOCUMENTS.has(name);
}

function isIntegerText(value: string, range: Range): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= range.min && Number(value) <= range.max;
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
