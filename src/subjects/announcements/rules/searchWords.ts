import { normalised } from '#lib/unicode.ts';

/** More words than a headline or a question has. */
const MAX_WORDS = 80;

const MARKS = /\p{M}/gu;
/** What stands within a word: "Director's". */
const APOSTROPHES = /['’]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}]/u;

/**
 * The words of a text as they are searched: lower case, without accents and apostrophes.
 * @returns letters and digits only, each word as often as it stands there
 */
export const searchWords = (text: string): string[] =>
  normalised(text, 'NFKD')
    .replaceAll(MARKS, '')
    .replaceAll(APOSTROPHES, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** The words under which an announcement is found: those of its headline, and its code. */
export const wordsOfAnnouncement = ({ code, headline }: { code: string; headline: string }): string[] =>
  searchWords(`${code} ${headline}`);

/** The words that a person looks for. Of several, a last one of one letter is left out: it has only been begun. */
export function wantedWords(typed: string): string[] {
  const words = searchWords(typed);
  return words.length > 1 && words.at(-1)?.length === 1 ? words.slice(0, -1) : words;
}

/**
 * Whether a text has all words that are looked for, in any order. The last may be the beginning of a word, because it is
 * still being typed, but not one of a single letter.
 * @param wanted as `wantedWords` gives them
 */
export function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  const last = wanted.at(-1) ?? '';
  if (!wanted.slice(0, -1).every((word) => words.includes(word))) return false;
  return isWhole(last) ? words.includes(last) : words.some((word) => word.startsWith(last));
}

/** Whether only the word itself is meant: too many words begin with one letter. */
export const isWhole = (word: string): boolean => word.length === 1;
