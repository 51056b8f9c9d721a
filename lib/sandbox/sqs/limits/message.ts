import { invalidParameter, missingParameter, SqsError, wrongQueueType } from "../errors.ts";
import { checkedAttributes, type MessageAttributes } from "./attributes.ts";
import { illegalCharacterAt } from "./characters.ts";
import { type Input, isRecord, optionalInteger, optionalText } from "./input.ts";
import { checkSize, messageBytes } from "./size.ts";
import { LIMITS } from "./values.ts";

/** What of a queue decides which messages it takes. */
export interface QueueRules {
  readonly fifo: boolean;
  readonly contentBasedDeduplication: boolean;
  readonly maximumMessageSize: number;
}

/** One message that SQS takes. */
export interface CheckedMessage {
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly bytes: number;
  readonly delaySeconds?: number;
  readonly traceHeader?: string;
  readonly groupId?: string;
  readonly deduplicationId?: string;
}

const ID_CHARACTERS = /^[!-~]{1,128}$/;

/**
 * Checks one SendMessage input, or one entry of a batch, against everything that SQS refuses.
 *
 * @throws SqsError InvalidMessageContents for a character outside the allowed set in the body, MissingParameter,
 *   InvalidParameterValue for all else
 */
export function checkedMessage(input: Input, rules: QueueRules): CheckedMessage {
  const body = checkedBody(input);
  const attributes = checkedAttributes(input.MessageAttributes);
  const bytes = messageBytes(body, attributes);
  checkSize(bytes, rules.maximumMessageSize);
  const delaySeconds = optionalInteger(input, "DelaySeconds", LIMITS.delaySeconds);
  if (rules.fifo && delaySeconds !== undefined && delaySeconds > 0) throw wrongQueueType("DelaySeconds", delaySeconds);
  const traceHeader = checkedTraceHeader(input.MessageSystemAttributes);
  const groupId = checkedId(input, "MessageGroupId");
  const deduplicationId = checkedId(input, "MessageDeduplicationId");
  checkOrderingIds(rules, groupId, deduplicationId);
  return {
    body,
    attributes,
    bytes,
    ...(delaySeconds === undefined || rules.fifo ? {} : { delaySeconds }),
    ...(traceHeader === undefined ? {} : { traceHeader }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(deduplicationId === undefined ? {} : { deduplicationId }),
  };
}

function checkedBody(input: Input): string {
  const body = optionalText(input, "MessageBody");
  if (body === undefined || body === "") throw missingParameter("MessageBody");
  if (illegalCharacterAt(body) >= 0) {
    throw new SqsError(
      "InvalidMessageContents",
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.",
    );
  }
  return body;
}

function checkedTraceHeader(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw invalidParameter("MessageSystemAttributes", value, "Must be a map of name to value.");
  for (const name of Object.keys(value)) {
    if (name !== "AWSTraceHeader") {
      throw invalidParameter("MessageSystemAttributes", name, "The only system attribute to send is AWSTraceHeader.");
    }
  }
  const header = value.AWSTraceHeader;
  if (header === undefined) return undefined;
  const text = isRecord(header) && header.DataType === "String" ? header.StringValue : undefined;
  if (typeof text !== "string" || text === "" || illegalCharacterAt(text) >= 0) {
    throw invalidParameter("AWSTraceHeader", header, "Must be a non-empty String value.");
  }
  return text;
}

function checkedId(input: Input, name: string): string | undefined {
  const id = optionalText(input, name);
  if (id !== undefined && !ID_CHARACTERS.test(id)) {
    throw invalidParameter(name, id, `${name} can only include 1 to 128 alphanumeric and punctuation characters.`);
  }
  return id;
}

function checkOrderingIds(rules: QueueRules, groupId: string | undefined, deduplicationId: string | undefined): void {
  if (!rules.fifo) {
    if (deduplicationId !== undefined) throw wrongQueueType("MessageDeduplicationId", deduplicationId);
    return;
  }
  if (groupId === undefined) throw missingParameter("MessageGroupId");
  if (deduplicationId === undefined && !rules.contentBasedDeduplication) {
    throw new SqsError(
      "InvalidParameterValue",
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly.",
    );
  }
}
