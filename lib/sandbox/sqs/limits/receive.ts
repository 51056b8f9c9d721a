import { SqsError, wrongQueueType } from "../errors.ts";
import { type Input, optionalInteger, optionalText, textList } from "./input.ts";
import { checkReadableNames } from "./queue-attributes.ts";
import { LIMITS } from "./values.ts";

const SYSTEM_ATTRIBUTES = [
  "ApproximateFirstReceiveTimestamp",
  "ApproximateReceiveCount",
  "AWSTraceHeader",
  "DeadLetterQueueSourceArn",
  "MessageDeduplicationId",
  "MessageGroupId",
  "SenderId",
  "SentTimestamp",
  "SequenceNumber",
] as const;

export type SystemAttribute = (typeof SYSTEM_ATTRIBUTES)[number];

/** What a receive asks for. */
export interface ReceiveRequest {
  readonly limit: number;
  readonly visibilitySeconds?: number;
  readonly waitSeconds?: number;
  readonly wantsAttribute: (name: string) => boolean;
  readonly wantsSystemAttribute: (name: SystemAttribute) => boolean;
}

/** @throws SqsError InvalidParameterValue for a number out of range, InvalidAttributeName for an unknown name */
export function checkedReceive(input: Input, fifo: boolean): ReceiveRequest {
  const visibilitySeconds = optionalInteger(input, "VisibilityTimeout", LIMITS.visibilitySeconds);
  const waitSeconds = optionalInteger(input, "WaitTimeSeconds", LIMITS.waitSeconds);
  const attemptId = optionalText(input, "ReceiveRequestAttemptId");
  if (attemptId !== undefined && !fifo) throw wrongQueueType("ReceiveRequestAttemptId", attemptId);
  return {
    limit: optionalInteger(input, "MaxNumberOfMessages", LIMITS.receivedMessages) ?? 1,
    ...(visibilitySeconds === undefined ? {} : { visibilitySeconds }),
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
    wantsAttribute: attributeFilter(textList(input, "MessageAttributeNames")),
    wantsSystemAttribute: systemFilter(
      textList(input, "MessageSystemAttributeNames"),
      textList(input, "AttributeNames"),
    ),
  };
}

function attributeFilter(names: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => false;
  if (names.includes("All") || names.includes(".*")) return () => true;
  const exact = new Set(names);
  const prefixes = names.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** `AttributeNames` is the older field for the same thing; it takes the names of queue attributes, to no effect. */
function systemFilter(names: readonly string[], older: readonly string[]): (name: SystemAttribute) => boolean {
  const isSystem = (name: string): boolean => SYSTEM_ATTRIBUTES.some((known) => known === name);
  checkReadableNames(older.filter((name) => !isSystem(name)));
  const unknown = names.find((name) => name !== "All" && !isSystem(name));
  if (unknown !== undefined) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${unknown}.`);
  const wanted = new Set([...names, ...older]);
  return (name) => wanted.has("All") || wanted.has(name);
}
