import { SqsError } from "../errors.ts";
import { illegalCharacterAt } from "./characters.ts";
import { type Input, isRecord } from "./input.ts";
import { LIMITS } from "./values.ts";

/** A message attribute that SQS takes: exactly one value, of the kind that its type asks for. */
export type AttributeValue =
  | { readonly DataType: string; readonly StringValue: string }
  | { readonly DataType: string; readonly BinaryValue: Uint8Array };

export type MessageAttributes = Readonly<Record<string, AttributeValue>>;

const NAME = /^[A-Za-z0-9_.-]+$/;
const RESERVED = /^(aws|amazon)\./i;
const TYPE = /^(String|Number|Binary)(\..+)?$/s;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Checks the message attributes of one message.
 *
 * @throws SqsError InvalidParameterValue: more than ten, a bad name, type or value, an empty value, a list value
 */
export function checkedAttributes(value: unknown): MessageAttributes {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw refused("Message attributes must be a map of name to value.");
  const entries = Object.entries(value);
  if (entries.length > LIMITS.messageAttributes) {
    throw refused(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${LIMITS.messageAttributes}].`,
    );
  }
  return Object.fromEntries(entries.map(([name, attribute]) => [name, checkedAttribute(name, attribute)]));
}

function checkedAttribute(name: string, attribute: unknown): AttributeValue {
  checkName(name);
  if (!isRecord(attribute)) throw refused(`The message attribute '${name}' must be an object.`);
  const type = checkedType(name, attribute.DataType);
  for (const list of ["StringListValues", "BinaryListValues"]) {
    const entries = attribute[list] ?? [];
    if (!Array.isArray(entries) || entries.length > 0) {
      throw refused(`Message attribute list values are not supported: '${name}' has ${list}.`);
    }
  }
  return type.startsWith("Binary") ? binaryValue(name, type, attribute) : stringValue(name, type, attribute);
}

function checkName(name: string): void {
  if (name.length === 0 || name.length > LIMITS.attributeNameLength) {
    throw refused(`Message attribute name '${name}' must have 1 to ${LIMITS.attributeNameLength} characters.`);
  }
  if (!NAME.test(name) || name.startsWith(".") || name.endsWith(".") || name.includes("..")) {
    throw refused(
      `Message attribute name '${name}' is invalid: letters, digits, '_', '-' and single inner '.' are allowed.`,
    );
  }
  if (RESERVED.test(name)) throw refused(`Message attribute name '${name}' starts with a reserved prefix.`);
}

function checkedType(name: string, type: unknown): string {
  if (typeof type !== "string" || type === "") {
    throw refused(`The message attribute '${name}' must contain a non-empty message attribute type.`);
  }
  if (!TYPE.test(type) || type.length > LIMITS.attributeTypeLength || illegalCharacterAt(type) >= 0) {
    throw refused(`The type '${type}' of message attribute '${name}' must start with String, Number or Binary.`);
  }
  return type;
}

function binaryValue(name: string, type: string, attribute: Input): AttributeValue {
  const bytes = attribute.BinaryValue;
  if (attribute.StringValue !== undefined && attribute.StringValue !== null) {
    throw refused(`The message attribute '${name}' with type '${type}' must use field 'BinaryValue'.`);
  }
  if (!(bytes instanceof Uint8Array) || bytes.byteLength === 0) {
    throw refused(`The message attribute '${name}' must contain a non-empty value for type '${type}'.`);
  }
  return { DataType: type, BinaryValue: Uint8Array.from(bytes) };
}

function stringValue(name: string, type: string, attribute: Input): AttributeValue {
  const text = attribute.StringValue;
  if (attribute.BinaryValue !== undefined && attribute.BinaryValue !== null) {
    throw refused(`The message attribute '${name}' with type '${type}' must use field 'StringValue'.`);
  }
  if (typeof text !== "string" || text === "") {
    throw refused(`The message attribute '${name}' must contain a non-empty value for type '${type}'.`);
  }
  if (illegalCharacterAt(text) >= 0) {
    throw refused(`The value of message attribute '${name}' has a character outside the allowed set.`);
  }
  if (type.startsWith("Number") && !isNumber(text)) {
    throw refused(`Can't cast the value of message attribute '${name}' to a number.`);
  }
  return { DataType: type, StringValue: text };
}

/** A decimal number with an optional exponent and at most 38 significant digits. */
function isNumber(text: string): boolean {
  const mantissa = NUMBER.exec(text)?.[1];
  if (mantissa === undefined) return false;
  const digits = mantissa.replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
  return digits.length <= LIMITS.numberDigits;
}

function refused(message: string): SqsError {
  return new SqsError("InvalidParameterValue", message);
}
