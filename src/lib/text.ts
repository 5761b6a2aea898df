/** A text whose first letter is a capital one. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number of a clock or a date, with a zero before a single digit: '07'. @param value whole, not negative */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** With one decimal below 10, otherwise without; bytes are never parts of one. */
const shown = (value: number, unit: number): string =>
  unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));

/**
 * A number of bytes in words, in steps of 1024: '812 B', '9.5 KB', '130 MB'.
 * @param bytes 0 for what is no number or below it
 */
export function humanSize(bytes: number): string {
  let value = Number.isFinite(bytes) ? Math.max(0, bytes) : 0;
  let unit = 0;
  // What would be shown as 1024 is one of the next unit; 9.96 would be shown as 10.0, which has no decimal.
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const text = shown(value, unit);
  return `${text === '10.0' ? '10' : text} ${UNITS[unit]}`;
}

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

/** Unicode's stream-safe format (UAX #15, section 13) has no more of them in a row; no language comes near. */
const MAX_MARKS = 30;

/** Whatever Unicode reorders: marks, and the two half-width signs whose compatible forms are marks. */
const MARK = /[\p{M}\uFF9E\uFF9F]/u;
const TOO_MANY_MARKS = /[\p{M}\uFF9E\uFF9F]{31}/u;

/** The text without the marks of a row that are beyond the most. */
function streamSafe(text: string): string {
  if (!TOO_MANY_MARKS.test(text)) return text;
  let marks = 0;
  let made = '';
  for (const character of text) {
    marks = MARK.test(character) ? marks + 1 : 0;
    if (marks <= MAX_MARKS) made += character;
  }
  return made;
}

/**
 * A text in a normal form of Unicode. To put marks in their order takes the square of how many stand in a row (16,000
 * hold the loop for half a second), so those after the thirtieth are left out: the time grows with the length alone.
 */
export const normalised = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  streamSafe(text).normalize(form);

/** The order of names for people: by letters, whatever their case and accents. Bounded as `normalised`. */
export const compareNames = (a: string, b: string): number =>
  streamSafe(a).localeCompare(streamSafe(b), 'en-AU');

/** A moment as it stands in a file's name: 2026-11-22T16-10-00-000Z. @param now epoch ms */
export const fileStamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');
