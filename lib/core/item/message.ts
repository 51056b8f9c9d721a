import { byteLength } from "./sqs-text.ts";

/** A message attribute: text for the types `String` and `Number`, bytes for `Binary`; suffixes (`String.uuid`) stay. */
export type Attribute =
  | { readonly dataType: string; readonly text: string }
  | { readonly dataType: string; readonly bytes: Uint8Array };

export type Attributes = Readonly<Record<string, Attribute>>;

/** What travels with an item from queue to queue: the body as it is, and the user's own attributes. */
export interface ItemMessage {
  readonly body: string;
  readonly attributes: Attributes;
  /** Fair-queue group on a standard queue. */
  readonly groupId?: string;
}

/** SQS allows ten attributes on a message. */
export const MAX_ATTRIBUTES = 10;

/** SQS's limit for one message and for the sum of one batch: 1 MiB of body, attribute names, types and values. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** Bytes of a body and its attributes as SQS counts them. */
export function messageBytes(body: string, attributes: Attributes): number {
  let bytes = byteLength(body);
  for (const [name, attribute] of Object.entries(attributes)) bytes += attributeBytes(name, attribute);
  return bytes;
}

/** Bytes that one attribute adds to a message: its name, type and value. */
export function attributeBytes(name: string, attribute: Attribute): number {
  const value = "text" in attribute ? byteLength(attribute.text) : attribute.bytes.length;
  return byteLength(name) + byteLength(attribute.dataType) + value;
}
