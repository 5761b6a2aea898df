import { type Parse, text } from './parse.ts';

/** What is known of a setting before it is read. */
export type Setting<T> = {
  parse: Parse<T>;
  fallback: T;
  /** What it is for, in the words of `--help`. */
  meaning: string;
  /** The default in the words of `--help`; the value itself when absent. */
  shown?: string;
  /** Its value never appears in a message. */
  secret?: true;
  /** Another name that is read where its own is not set, as hosts have it. */
  also?: string;
};

export const withDefault = <T>(
  parse: Parse<T>,
  fallback: T,
  meaning: string,
  shown?: string,
): Setting<T> => ({
  parse,
  fallback,
  meaning,
  ...(shown === undefined ? {} : { shown }),
});
export const optional = <T>(parse: Parse<T>, meaning: string, shown = 'none'): Setting<T | null> => ({
  parse,
  fallback: null,
  meaning,
  shown,
});
export const secret = (
  meaning: string,
  shown = 'none',
  parse: Parse<string> = text,
): Setting<string | null> => ({
  ...optional(parse, meaning, shown),
  secret: true,
});
