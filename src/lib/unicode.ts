/**
 * Unicode's stream-safe format (UAX #15, section 13) allows at most this many in a row; no language needs more.
 */
const MAX_MARKS = 30;

/** Everything that Unicode reorders: marks, and the two half-width signs whose compatible forms are marks. */
const MARK = /[\p{M}\uFF9E\uFF9F]/u;
const TOO_MANY_MARKS = /[\p{M}\uFF9E\uFF9F]{31}/u;

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
 * A text in a Unicode normal form. Sorting marks takes quadratic time in a row (16,000 block the loop for
 * half a second), so those after the thirtieth are dropped.
 */
export const normalised = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  streamSafe(text).normalize(form);

/** The order of names for people: by letters, ignoring case and accents. Bounded as `normalised`. */
export const compareNames = (a: string, b: string): number =>
  streamSafe(a).localeCompare(streamSafe(b), 'en-AU');
