import { invalidParameter } from "../errors.ts";
import type { MessageAttributes } from "./attributes.ts";
import { type Input, isRecord } from "./input.ts";

/** Bytes that count to the size limit: the body plus every attribute's name, type and value, in UTF-8. */
export function messageBytes(body: string, attributes: MessageAttributes): number {
  let bytes = Buffer.byteLength(body);
  for (const [name, value] of Object.entries(attributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value.DataType);
    bytes += "BinaryValue" in value ? value.BinaryValue.byteLength : Buffer.byteLength(value.StringValue);
  }
  return bytes;
}

/** @throws SqsError InvalidParameterValue when a message is larger than its queue takes */
export function checkSize(bytes: number, maximum: number): void {
  if (bytes > maximum) {
    throw invalidParameter("MessageBody", `of ${bytes} bytes`, `Message must be at most ${maximum} bytes.`);
  }
}

/** The same for a batch entry that is not checked yet: refused entries count to the size of their batch as well. */
export function requestBytes(entry: Input): number {
  let bytes = bytesOf(entry.MessageBody);
  if (!isRecord(entry.MessageAttributes)) return bytes;
  for (const [name, value] of Object.entries(entry.MessageAttributes)) {
    bytes += Buffer.byteLength(name);
    if (isRecord(value)) bytes += bytesOf(value.DataType) + bytesOf(value.StringValue) + bytesOf(value.BinaryValue);
  }
  return bytes;
}

function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.byteLength : 0;
}
