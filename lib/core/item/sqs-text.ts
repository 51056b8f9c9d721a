/** What SQS does not take in a body or a string attribute; the allowed set stands in the SendMessage API reference. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Bytes of `text` in UTF-8, as SQS counts them. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** `text` with every character that SQS refuses (lone surrogates included) replaced by U+FFFD. */
export function legalise(text: string): string {
  return text.replace(ILLEGAL, "\ufffd");
}

/** The longest start of `text` that has at most `maxBytes` bytes in UTF-8 and ends on a whole code point. */
export function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
