import { CONTEXT_ATTRIBUTE } from "./item/retry-context.ts";

/**
 * The number that a setting's text means; undefined unless it is plain decimal digits, with blanks around them at most.
 *
 * `Number("")` is 0 and `parseInt("10s")` is 10: so the notation is checked before the conversion. Hexadecimal and
 * exponent notation are refused, because nobody who writes them into an environment can be sure what is read.
 */
export function plainNumber(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** A finite number in plain decimal digits, such that {@link plainNumber} gives exactly the same number back. */
export function plainDecimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}

/** Whether a text is a URL that the SDK can send to. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text);
}

/** Whether a text can be the name of a sender's message attribute: SQS's rules, and not the name of ours. */
export function isUserAttributeName(text: string): boolean {
  const reserved = text === CONTEXT_ATTRIBUTE || /^(aws|amazon)\./i.test(text);
  return /^[\w-]+(\.[\w-]+)*$/.test(text) && text.length <= 256 && !reserved;
}
