/** Whether SQS takes every character of a text: the set of the SendMessage API reference, by code point. */
export function isLegal(text: string): boolean {
  return [...text].every((character) => {
    const point = character.codePointAt(0) ?? 0;
    return (
      point === 0x9 ||
      point === 0xa ||
      point === 0xd ||
      (point >= 0x20 && point <= 0xd7ff) ||
      (point >= 0xe000 && point <= 0xfffd) ||
      (point >= 0x10000 && point <= 0x10ffff)
    );
  });
}
