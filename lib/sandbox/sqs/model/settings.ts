import {
  checkedRedriveAllowPolicy,
  checkedRedrivePolicy,
  LIMITS,
  type QueueRules,
  type RedriveAllowPolicy,
  type RedrivePolicy,
} from "../limits/index.ts";

/** What a queue's attributes mean. */
export interface QueueSettings extends QueueRules {
  readonly delaySeconds: number;
  readonly retentionMs: number;
  readonly visibilitySeconds: number;
  readonly waitSeconds: number;
  /** Deduplication ids count per message group. */
  readonly deduplicatesPerGroup: boolean;
  readonly redrive?: RedrivePolicy;
  readonly redriveAllow?: RedriveAllowPolicy;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  DelaySeconds: "0",
  MaximumMessageSize: String(LIMITS.messageBytes),
  MessageRetentionPeriod: "345600",
  ReceiveMessageWaitTimeSeconds: "0",
  VisibilityTimeout: "30",
};

const FIFO_DEFAULTS: Readonly<Record<string, string>> = {
  ContentBasedDeduplication: "false",
  DeduplicationScope: "queue",
  FifoThroughputLimit: "perQueue",
};

/** All attributes of a queue, defaults included, after `given` was laid over `before`. An empty text unsets one. */
export function mergedAttributes(
  before: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  fifo: boolean,
): ReadonlyMap<string, string> {
  const merged = new Map([
    ...Object.entries(DEFAULTS),
    ...(fifo ? Object.entries({ FifoQueue: "true", ...FIFO_DEFAULTS }) : []),
    ...before,
    ...given,
  ]);
  if (!fifo) merged.delete("FifoQueue");
  for (const [name, value] of merged) if (value === "") merged.delete(name);
  encryption(merged, given);
  return merged;
}

/** One kind of encryption at a time: the one named last wins, SQS's own is the default. */
function encryption(merged: Map<string, string>, given: ReadonlyMap<string, string>): void {
  if (given.get("SqsManagedSseEnabled") === "true") merged.delete("KmsMasterKeyId");
  if (!merged.has("KmsMasterKeyId")) {
    merged.set("SqsManagedSseEnabled", merged.get("SqsManagedSseEnabled") ?? "true");
    return;
  }
  merged.set("SqsManagedSseEnabled", "false");
  merged.set("KmsDataKeyReusePeriodSeconds", merged.get("KmsDataKeyReusePeriodSeconds") ?? "300");
}

/** @throws SqsError InvalidParameterValue for a redrive policy that cannot be read */
export function settingsOf(attributes: ReadonlyMap<string, string>, fifo: boolean): QueueSettings {
  const integer = (name: string): number => Number(attributes.get(name));
  const redrive = attributes.get("RedrivePolicy");
  const redriveAllow = attributes.get("RedriveAllowPolicy");
  return {
    fifo,
    contentBasedDeduplication: attributes.get("ContentBasedDeduplication") === "true",
    deduplicatesPerGroup: attributes.get("DeduplicationScope") === "messageGroup",
    maximumMessageSize: integer("MaximumMessageSize"),
    delaySeconds: integer("DelaySeconds"),
    retentionMs: integer("MessageRetentionPeriod") * 1000,
    visibilitySeconds: integer("VisibilityTimeout"),
    waitSeconds: integer("ReceiveMessageWaitTimeSeconds"),
    ...(redrive === undefined ? {} : { redrive: checkedRedrivePolicy(redrive) }),
    ...(redriveAllow === undefined ? {} : { redriveAllow: checkedRedriveAllowPolicy(redriveAllow) }),
  };
}
