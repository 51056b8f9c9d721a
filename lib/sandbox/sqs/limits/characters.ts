/**
 * Index of the first code unit of `text` that SQS does not take, or -1. Allowed, by the SendMessage reference:
 * `#x9 #xA #xD #x20–#xD7FF #xE000–#xFFFD #x10000–#x10FFFF`; so no lone surrogates.
 */
export function illegalCharacterAt(text: string): number {
  return text.search(ILLEGAL);
}

/** With the `u` flag a pair of surrogates is one code point, and a lone one falls outside every allowed range. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
