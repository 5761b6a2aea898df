/** The parts of a text between white space. */
export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** A text without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
