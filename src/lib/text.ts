/** Two digits of a time or a date: '07'. @param value whole, not negative */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time of day: '09:05'. @param minute of the day */
export const minuteText = (minute: number): string =>
  `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

export const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');

/** The order of codes and dates, which are plain letters and digits; `compareNames` is for text by people. */
export const compareCodes = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * Control and invisible characters, and those that change the direction of text. Joiners, variation selectors
 * and tags are allowed, because emojis and some languages need them.
 */
const UNSEEN =
  /(?!\u200c|\u200d|[\u{fe00}-\u{fe0f}\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Anything but blanks and invisible characters. U+2800 is a Braille pattern without dots. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

const MARKS = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes direction marks, joiners, byte order marks and other invisible characters. */
export const withoutMarks = (text: string): string => text.replaceAll(MARKS, '');

export const hasVisible = (text: string): boolean => VISIBLE.test(text);

/** Whether a text is one line without hidden characters: empty, or partly visible. */
export const isPlainLine = (text: string): boolean =>
  text === '' || (!UNSEEN.test(text) && text.isWellFormed() && hasVisible(text));

/** Names with equal keys are the same name: letter case and invisible characters do not count. */
export const nameKey = (name: string): string => withoutMarks(name.trim()).toLowerCase();

export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
