import {
  type Attributes,
  attributeBytes,
  type ItemMessage,
  MAX_ATTRIBUTES,
  MAX_MESSAGE_BYTES,
  messageBytes,
} from "./message.ts";
import { CONTEXT_ATTRIBUTE, encodeContext, type RetryContext } from "./retry-context.ts";

/** A message ready to send, and whether the context found room on it. */
export interface ComposedMessage {
  readonly body: string;
  readonly attributes: Attributes;
  readonly groupId?: string;
  readonly contextTravels: boolean;
  /** Size as SQS counts it. */
  readonly bytes: number;
}

/**
 * Puts the context on an item's message. Body and user attributes are never changed: where ten attributes or 1 MiB are
 * used up, the message goes without the context, and its sender writes an alias row instead.
 */
export function composeMessage(message: ItemMessage, context: RetryContext): ComposedMessage {
  const bytes = messageBytes(message.body, message.attributes);
  const ours = { dataType: "String", text: encodeContext(context) };
  const bytesWithContext = bytes + attributeBytes(CONTEXT_ATTRIBUTE, ours);
  const contextTravels =
    Object.keys(message.attributes).length < MAX_ATTRIBUTES && bytesWithContext <= MAX_MESSAGE_BYTES;
  if (!contextTravels) return { ...message, contextTravels, bytes };
  const attributes = { ...message.attributes, [CONTEXT_ATTRIBUTE]: ours };
  return { ...message, attributes, contextTravels, bytes: bytesWithContext };
}
