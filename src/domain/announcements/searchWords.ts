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
  text
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .replaceAll(APOSTROPHES, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** The words under which an announcement is found: those of its headline, and its code. */
export const wordsOfAnnouncement = ({ code, headline }: { code: string; headline: string }): string[] =>
  searchWords(`${code} ${headline}`);

/**
 * Whether a text has all words that are looked for, in any order. The last may be the beginning of a word, because it is
 * still being typed.
 */
export function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  const last = wanted.at(-1) ?? '';
  return (
    wanted.slice(0, -1).every((word) => words.includes(word)) && words.some((word) => word.startsWith(last))
  );
}
