import { normalised } from '#lib/unicode.ts';

const MAX_WORDS = 80;

const MARKS = /\p{M}/gu;
/** Apostrophes within a word, as in "Director's". */
const APOSTROPHES = /['’]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}]/u;

/**
 * The words of a text for searching: lower case, without accents and apostrophes.
 * @returns letters and digits only, with duplicates
 */
export const searchWords = (text: string): string[] =>
  normalised(text, 'NFKD')
    .replaceAll(MARKS, '')
    .replaceAll(APOSTROPHES, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

export const wordsOfAnnouncement = ({ code, headline }: { code: string; headline: string }): string[] =>
  searchWords(`${code} ${headline}`);

/** The words to search for, without a last word of one letter: it is still being typed. */
export function wantedWords(typed: string): string[] {
  const words = searchWords(typed);
  return words.length > 1 && words.at(-1)?.length === 1 ? words.slice(0, -1) : words;
}

/**
 * Whether a text contains all wanted words, in any order. The last one may be a prefix of two or more letters.
 * @param wanted from `wantedWords`
 */
export function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  const last = wanted.at(-1) ?? '';
  if (!wanted.slice(0, -1).every((word) => words.includes(word))) return false;
  return isWhole(last) ? words.includes(last) : words.some((word) => word.startsWith(last));
}

/** Whether a word must match completely. A single letter is not a prefix, because too many words start with it. */
export const isWhole = (word: string): boolean => word.length === 1;
