import type { Token } from './tokens.ts';

/** Names of one or several words, and what each stands for. */
export type Lexicon<T> = { named: ReadonlyMap<string, T>; longest: number };

/** More words are in no name. */
const MAX_WORDS = 6;

/** @param entries what names stand for, with the names: lower case, one blank between words */
export function lexiconOf<T>(entries: readonly (readonly [T, readonly string[]])[]): Lexicon<T> {
  const named = new Map<string, T>();
  for (const [value, names] of entries) for (const name of names) named.set(name, value);
  return { named, longest: MAX_WORDS };
}

/** The longest name that begins at a place, and where it ends; null when none does. */
export function nameAt<T>(
  { named, longest }: Lexicon<T>,
  tokens: readonly Token[],
  at: number,
): { value: T; next: number } | null {
  let found: { value: T; next: number } | null = null;
  let name = '';
  for (let next = at; next < tokens.length && next < at + longest; next += 1) {
    name += next === at ? tokens[next]?.text : ` ${tokens[next]?.text}`;
    const value = named.get(name);
    if (value !== undefined) found = { value, next: next + 1 };
  }
  return found;
}

/** Where one of some names ends that may begin at a place; the place itself when none does. */
export const past = (names: Lexicon<true>, tokens: readonly Token[], at: number): number =>
  nameAt(names, tokens, at)?.next ?? at;

/** Names that are only looked for. */
export const names = (...list: readonly string[]): Lexicon<true> => lexiconOf([[true, list]]);

/** A list of names written as one text, with commas between them. */
export const words = (text: string): string[] => text.split(',').map((name) => name.trim());
