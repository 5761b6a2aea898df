/** The parts of a text between white space. */
export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** The order of codes and dates, which are plain letters and digits; `compareNames` orders what people write. */
export const compareCodes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** A text without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
