import { SqsError } from "../errors.ts";
import { type Input, isRecord } from "../limits/index.ts";

/** A request body with the base64 of its binary attribute values decoded. @throws SqsError SerializationException */
export function decodedInput(json: Input): Input {
  const decoded = withDecodedAttributes(json);
  if (!Array.isArray(decoded.Entries)) return decoded;
  const entries: readonly unknown[] = decoded.Entries;
  return { ...decoded, Entries: entries.map((entry) => (isRecord(entry) ? withDecodedAttributes(entry) : entry)) };
}

/** An output with the bytes of its binary attribute values as base64. */
export function encodedOutput(output: object): object {
  const { Messages: messages } = output as { readonly Messages?: unknown };
  if (!Array.isArray(messages)) return output;
  return { ...output, Messages: messages.map((message) => mapAttributes(message, encodedValue)) };
}

function withDecodedAttributes(holder: Input): Input {
  return mapAttributes(mapAttributes(holder, decodedValue), decodedValue, "MessageSystemAttributes");
}

function mapAttributes(holder: Input, map: (value: unknown) => unknown, field = "MessageAttributes"): Input {
  const attributes = holder[field];
  if (!isRecord(attributes)) return holder;
  return {
    ...holder,
    [field]: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, map(value)])),
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function decodedValue(value: unknown): unknown {
  if (!isRecord(value) || value.BinaryValue === undefined || value.BinaryValue === null) return value;
  if (typeof value.BinaryValue !== "string" || !BASE64.test(value.BinaryValue)) {
    throw new SqsError("SerializationException", "A BinaryValue must be base64 text.");
  }
  return { ...value, BinaryValue: Uint8Array.from(Buffer.from(value.BinaryValue, "base64")) };
}

function encodedValue(value: unknown): unknown {
  if (!isRecord(value) || !(value.BinaryValue instanceof Uint8Array)) return value;
  return { ...value, BinaryValue: Buffer.from(value.BinaryValue).toString("base64") };
}
