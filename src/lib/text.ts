/** The parts of a text between white space. */
export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** The order of codes and dates, which are plain letters and digits; `compareNames` orders what people write. */
export const compareCodes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Control characters, those that can't be seen, and those that turn the direction of what stands after them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Whether a text is one line that is shown as it was written. */
export const isPlainLine = (text: string): boolean => !UNSEEN.test(text) && text.isWellFormed();

/** A text without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
