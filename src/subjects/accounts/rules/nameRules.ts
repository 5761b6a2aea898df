import type { Refusal } from '#lib/result.ts';

/** Control, format, private and unassigned code points, whatever is ignored when it is drawn, and blank letters. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{115F}\u{1160}\u{3164}\u{FFA0}]/u;

/** Whether a text holds what nobody sees. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Marks with nothing to stand on, and more of them in a row than a language puts on a letter. */
const STRAY_MARKS = /^\p{M}|[^\p{L}\p{M}]\p{M}|\p{M}{4}/u;

/** Letters of phonetic alphabets, small capitals and the like, which are drawn as common ones are. */
const TECHNICAL =
  /[\u{0180}-\u{0186}\u{0250}-\u{02AF}\u{1D00}-\u{1DBF}\u{2C60}-\u{2C7F}\u{A720}-\u{A7FF}\u{AB30}-\u{AB6F}]/u;

/**
 * The scripts in everyday use (Unicode UAX #31, table 5, "recommended"); of three languages those that they write
 * together, with Latin letters (UTS #39, section 5.2, "highly restrictive").
 */
const TOGETHER = `
  Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Ethiopic, Thaana, Devanagari, Bengali,
  Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Sinhala, Thai, Lao, Tibetan,
  Myanmar, Khmer,
  Latin|Han|Hiragana|Katakana, Latin|Han|Hangul, Latin|Han|Bopomofo
`.split(',');

/** For each of these a letter that belongs to others. */
export const FOREIGN_LETTERS = TOGETHER.map((scripts) => {
  const classes = scripts
    .trim()
    .split('|')
    .map((script) => `\\p{Script=${script}}`);
  return new RegExp(`[^${classes.join('')}\\p{Script=Common}\\p{Script=Inherited}]`, 'u');
});

const refused = (message: string): Refusal => ({ field: 'username', message });

/**
 * Why a name could be taken for another one, as far as the name alone says it: nothing invisible, no stray marks, letters
 * of one alphabet. Not of the names that are kept for the house, nor of those of others: `lookalikes.ts`.
 *
 * @param name of a bounded length
 * @returns null for a good name
 */
export function refuseName(name: string): Refusal | null {
  if (hasInvisible(name)) return refused('Username must not contain invisible characters');
  if (STRAY_MARKS.test(name)) return refused('Username must not contain marks without a letter');
  if (TECHNICAL.test(name)) return refused('Username must not contain phonetic letters');
  return FOREIGN_LETTERS.every((foreign) => foreign.test(name))
    ? refused('Username must not mix letters of different alphabets')
    : null;
}
