import { createHash } from "node:crypto";
import type { AttributeValue, MessageAttributes } from "../limits/index.ts";

/** `MD5OfMessageBody`. */
export function md5OfBody(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** The deduplication id of a body on a queue with content-based deduplication. */
export function contentDeduplicationId(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * `MD5OfMessageAttributes`, undefined without attributes. By the developer guide: sorted by name; per attribute the
 * length-prefixed (4 bytes, big-endian) name and type, one byte 1 (text) or 2 (binary), the length-prefixed value.
 */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash("md5");
  const addSized = (bytes: Uint8Array): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute: AttributeValue | undefined = attributes[name];
    if (attribute === undefined) continue;
    addSized(Buffer.from(name));
    addSized(Buffer.from(attribute.DataType));
    const binary = "BinaryValue" in attribute;
    hash.update(Uint8Array.of(binary ? 2 : 1));
    addSized(binary ? attribute.BinaryValue : Buffer.from(attribute.StringValue));
  }
  return hash.digest("hex");
}

/** `MD5OfMessageSystemAttributes`: the same over the one system attribute that can be sent. */
export function md5OfTraceHeader(traceHeader: string): string | undefined {
  return md5OfAttributes({ AWSTraceHeader: { DataType: "String", StringValue: traceHeader } });
}
