import { failed, ok, type Result } from './result.ts';

export type JsonRecord = Record<string, unknown>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Limit for JSON from outside; our own data has fewer than ten levels. */
export const MAX_JSON_DEPTH = 32;

export type JsonProblem = 'malformed' | 'tooDeep';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** The codes of [ and { differ in one bit, as do those of ] and }. */
const opens = (code: number): boolean => (code | 0x20) === 0x7b;
const closes = (code: number): boolean => (code | 0x20) === 0x7d;

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

type JsonBounds = {
  maxDepth: number;
  /** Commas in all lists and objects together, which limits members and entries. */
  maxCommas?: number;
};

/**
 * The limit that the first JSON value of a text exceeds; null if none. It scans each character once without
 * allocating. For invalid JSON it only checks the depth.
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
      if (depth <= 0) return null;
    }
  }
  return null;
}

/**
 * Parses JSON from outside. It refuses deep nesting first: a megabyte of brackets takes a tenth of a second
 * to parse, and walking the result overflows the stack.
 * @param options.maxDepth depth of nested lists and objects
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

export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
