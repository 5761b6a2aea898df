/** A number of a clock or a date, with a zero before a single digit: '07'. @param value whole, not negative */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The parts of a text between white space. */
export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** The order of codes and dates, which are plain letters and digits; `compareNames` orders what people write. */
export const compareCodes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * Control characters, those that can't be seen, and those that change the direction of the text after them. Joiners,
 * variation selectors and tags are not among them, because emojis and some languages are written with them.
 */
const UNSEEN =
  /(?!\u200c|\u200d|[\u{fe00}-\u{fe0f}\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Anything but blanks and characters that take no room or show nothing. U+2800 is a Braille pattern without dots. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Marks of every kind that can't be seen, and halves of characters. */
const MARKS = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without direction marks, joiners, byte order marks and other characters that can't be seen. */
export const withoutMarks = (text: string): string => text.replaceAll(MARKS, '');

/** Whether anything of a text can be seen. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);

/** Whether a text is one line that is shown as it was written: nothing, or something of which a part can be seen. */
export const isPlainLine = (text: string): boolean =>
  text === '' || (!UNSEEN.test(text) && text.isWellFormed() && hasVisible(text));

/** The key by which names are the same name: it ignores letter case and characters that can't be seen. */
export const nameKey = (name: string): string => withoutMarks(name.trim()).toLowerCase();

/** A text without the slashes at its end. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
