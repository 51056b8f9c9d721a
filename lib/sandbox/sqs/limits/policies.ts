import { invalidParameter } from "../errors.ts";
import { type Input, isRecord } from "./input.ts";
import { LIMITS } from "./values.ts";

/** What `RedrivePolicy` says: after how many receives a message goes where. */
export interface RedrivePolicy {
  readonly targetArn: string;
  readonly maxReceiveCount: number;
}

/** What `RedriveAllowPolicy` says: which queues may name this one as their dead-letter queue. */
export type RedriveAllowPolicy =
  | { readonly permission: "allowAll" | "denyAll" }
  | { readonly permission: "byQueue"; readonly sourceArns: readonly string[] };

/** Reads a `RedrivePolicy` attribute. `maxReceiveCount` may be a number or its text. @throws SqsError InvalidParameterValue */
export function checkedRedrivePolicy(text: string): RedrivePolicy {
  const policy = parsed("RedrivePolicy", text);
  const { deadLetterTargetArn: targetArn, maxReceiveCount } = policy;
  if (typeof targetArn !== "string" || targetArn === "") {
    throw invalidParameter(
      "RedrivePolicy",
      text,
      "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.",
    );
  }
  if (maxReceiveCount === undefined) {
    throw invalidParameter(
      "RedrivePolicy",
      text,
      "Redrive policy does not contain mandatory attribute: maxReceiveCount.",
    );
  }
  const count =
    typeof maxReceiveCount === "string" && /^\d+$/.test(maxReceiveCount) ? Number(maxReceiveCount) : maxReceiveCount;
  const { min, max } = LIMITS.maxReceiveCount;
  if (typeof count !== "number" || !Number.isInteger(count) || count < min || count > max) {
    const reason = `Invalid value for maxReceiveCount: ${String(maxReceiveCount)}, valid values are from ${min} to ${max} both inclusive.`;
    throw invalidParameter("RedrivePolicy", text, reason);
  }
  return { targetArn, maxReceiveCount: count };
}

/** Reads a `RedriveAllowPolicy` attribute. @throws SqsError InvalidParameterValue */
export function checkedRedriveAllowPolicy(text: string): RedriveAllowPolicy {
  const { redrivePermission: permission, sourceQueueArns } = parsed("RedriveAllowPolicy", text);
  if (permission === "allowAll" || permission === "denyAll") {
    if (sourceQueueArns === undefined) return { permission };
    throw invalidParameter("RedriveAllowPolicy", text, "sourceQueueArns is allowed with byQueue only.");
  }
  if (permission !== "byQueue") {
    throw invalidParameter("RedriveAllowPolicy", text, "redrivePermission must be allowAll, denyAll or byQueue.");
  }
  const arns: readonly unknown[] = Array.isArray(sourceQueueArns) ? sourceQueueArns : [];
  const sourceArns = arns.filter((arn) => typeof arn === "string");
  if (sourceArns.length !== arns.length || arns.length < 1 || arns.length > LIMITS.redriveSources) {
    throw invalidParameter("RedriveAllowPolicy", text, `byQueue needs 1 to ${LIMITS.redriveSources} sourceQueueArns.`);
  }
  return { permission, sourceArns };
}

function parsed(name: string, text: string): Input {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Falls through to the one refusal: not JSON and not an object are the same mistake.
  }
  throw invalidParameter(name, text, "Must be a JSON object.");
}
