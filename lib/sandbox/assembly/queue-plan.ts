import type { ResourceIdentity, Scope } from "./intrinsics.ts";
import { physicalName } from "./physical-name.ts";
import { Properties } from "./properties.ts";
import type { TemplateResource } from "./read-assembly.ts";

/** A queue of the template. */
export interface QueuePlan {
  readonly logicalId: string;
  readonly name: string;
  /** Attributes for `CreateQueue`: all but those that name other queues. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Properties of AWS::SQS::Queue that are SQS attributes of the same name. */
const ATTRIBUTES = [
  "ContentBasedDeduplication",
  "DeduplicationScope",
  "DelaySeconds",
  "FifoQueue",
  "FifoThroughputLimit",
  "KmsDataKeyReusePeriodSeconds",
  "KmsMasterKeyId",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "SqsManagedSseEnabled",
  "VisibilityTimeout",
];

/** Properties that name other queues, so that they can only be set when all queues exist. */
const POLICIES = ["RedriveAllowPolicy", "RedrivePolicy"];

const OTHERS = ["QueueName", "Tags"];

/** @throws AssemblyError for a property that SQS does not know or that cannot be resolved */
export function planQueue(resource: TemplateResource, stackName: string, scope: Scope): QueuePlan {
  const properties = Properties.of(resource, scope);
  for (const name of properties.names()) {
    if (![...ATTRIBUTES, ...POLICIES, ...OTHERS].includes(name)) {
      throw properties.wrong(name, properties.value(name), "left out: a queue has no such property");
    }
  }
  const fifo = properties.isTrue("FifoQueue");
  const attributes: Record<string, string> = {};
  for (const name of ATTRIBUTES) {
    const value = properties.value(name);
    // SQS refuses the attribute on a standard queue, with whatever value.
    if (value !== undefined && (name !== "FifoQueue" || fifo)) attributes[name] = String(value);
  }
  const name =
    properties.optionalText("QueueName") ?? physicalName(stackName, resource.logicalId, 80, fifo ? ".fifo" : "");
  return { logicalId: resource.logicalId, name, attributes };
}

/** The attributes that tie a queue to others, once these can be referred to. */
export function planRedrive(resource: TemplateResource, scope: Scope): Readonly<Record<string, string>> {
  const properties = Properties.of(resource, scope);
  const attributes: Record<string, string> = {};
  for (const name of POLICIES) {
    const policy = properties.value(name);
    if (policy !== undefined) attributes[name] = typeof policy === "string" ? policy : JSON.stringify(policy);
  }
  return attributes;
}

/** What a queue answers to `Ref` and `Fn::GetAtt`. */
export function queueIdentity(name: string, url: string, arn: string): ResourceIdentity {
  return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
}
