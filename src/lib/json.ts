import { failed, ok, type Result } from './result.ts';

/** An object as JSON has it: its members are not known yet. */
export type JsonRecord = Record<string, unknown>;

/** True for a JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists and objects inside each other that are read from outside; what is known here has fewer than ten. */
export const MAX_JSON_DEPTH = 32;

export type JsonProblem = 'malformed' | 'tooDeep';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** True for [ and {, which differ in one bit, as ] and } do. */
const opens = (code: number): boolean => (code | 0x20) === 0x7b;
const closes = (code: number): boolean => (code | 0x20) === 0x7d;

/** The place of the quote that ends the string which starts at `from`; the text's end when none does. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

type JsonBounds = {
  /** Most lists and objects inside each other. */
  maxDepth: number;
  /** Most commas, which is to say members and entries, of all lists and objects together. */
  maxCommas?: number;
};

/**
 * What the first JSON value of a text has too much of; null when nothing. Looks at each character once and allocates
 * nothing; of text that is no JSON it tells only that its brackets are not too deep.
 */
export function jsonExcess(
  text: string,
  { maxDepth, maxCommas = Number.POSITIVE_INFINITY }: JsonBounds,
): 'tooDeep' | 'tooMany' | null {
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) {
      commas += 1;
      if (commas > maxCommas) return 'tooMany';
    } else if (opens(code)) {
      depth += 1;
      if (depth > maxDepth) return 'tooDeep';
    } else if (closes(code)) {
      depth -= 1;
      // The value is over: what follows is either nothing or no JSON.
      if (depth <= 0) return null;
    }
  }
  return null;
}

/**
 * Parses JSON that somebody else wrote. Text that is nested too deep is refused before anything is made of it: a
 * megabyte of brackets takes a tenth of a second, and what comes of it overflows the stack of anyone who walks through it.
 * @param options.maxDepth most lists and objects inside each other
 */
export function parseJson(
  text: string,
  options: { maxDepth: number } = { maxDepth: MAX_JSON_DEPTH },
): Result<unknown, JsonProblem> {
  if (jsonExcess(text, options) !== null) return failed('tooDeep');
  try {
    return ok(JSON.parse(text));
  } catch {
    return failed('malformed');
  }
}

/** The table's own entry under a name from outside. Names from the object prototype, such as 'constructor', have none. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
