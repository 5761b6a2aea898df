import { type Token, words } from './lexicon.ts';

export const MAX_PHRASE = 300;

const SIGNS: Readonly<Record<string, string>> = {
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '×': 'x',
  '−': '-',
  '–': '-',
  '‐': '-',
  '‑': '-',
  '—': ';',
  '¢': 'c',
  '\n': ';',
};
const PAIRS: Readonly<Record<string, string>> = {
  '>=': '>=',
  '=>': '>=',
  '<=': '<=',
  '=<': '<=',
  '==': '=',
  '!=': '!=',
  '<>': '!=',
  '&&': '&',
  '||': '|',
};

const isDigit = (sign: string | undefined): boolean => sign !== undefined && sign >= '0' && sign <= '9';
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /\p{L}/u.test(sign);
const isApostrophe = (sign: string | undefined): boolean => sign === "'" || sign === '’';
const isSilent = (sign: string): boolean => sign !== '\n' && /[\s"“”‘]/.test(sign);

/** The end of the digits at a position, with thousands commas and a decimal point. */
function numberEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text[at])) at += 1;
  const isThousand = (): boolean =>
    text[at] === ',' &&
    isDigit(text[at + 1]) &&
    isDigit(text[at + 2]) &&
    isDigit(text[at + 3]) &&
    !isDigit(text[at + 4]);
  if (at - from <= 3) while (isThousand()) at += 4;
  if (text[at] !== '.' || !isDigit(text[at + 1])) return at;
  at += 1;
  while (isDigit(text[at])) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (isLetter(text[at]) || (isApostrophe(text[at]) && isLetter(text[at + 1]))) at += 1;
  return at;
}

/** A word in its plain form: "Day's" becomes "day", "isn't" becomes "isnt". */
function plainWord(word: string): string {
  const lower = word.toLowerCase().replaceAll('’', "'");
  return (lower.endsWith("'s") ? lower.slice(0, -2) : lower).replaceAll("'", '');
}

/** Hyphens and the en dash; the typographic minus is always a minus. */
const HYPHENS: ReadonlySet<string> = new Set(['-', '‐', '‑', '–']);

/** Words after which a hyphen means a range: "5c-10c". */
const MEASURES: ReadonlySet<string> = new Set(
  words(`
    c, ct, cts, cent, cents, dollar, dollars, k, thousand, m, mil, mln, million, b, bn, billion, x,
    times, percent, pct, pips, min, mins, minutes, hours
  `),
);

/** Whether a number begins at a position, possibly with a dollar sign or a point. */
function isAmount(text: string, at: number): boolean {
  const from = text[at] === '$' ? at + 1 : at;
  return isDigit(text[from]) || (text[from] === '.' && isDigit(text[from + 1]));
}

function wordBefore(text: string, end: number): string {
  let from = end;
  while (isLetter(text[from - 1])) from -= 1;
  return text.slice(from, end).toLowerCase();
}

/** Whether a hyphen only joins two words, as in "20-day", "price-sensitive" and "sub-$1". */
function isJoining(text: string, at: number): boolean {
  if (!HYPHENS.has(text[at] ?? '')) return false;
  const after = at + 1;
  if (!isLetter(text[at - 1])) return isDigit(text[at - 1]) && isLetter(text[after]);
  return isLetter(text[after]) || (isAmount(text, after) && !MEASURES.has(wordBefore(text, at)));
}

/** The end of something that is not a number: a time of day, a date, or badly placed points and commas. */
function strangeEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text[at]) || (/[.,:/]/.test(text[at] ?? '') && isDigit(text[at + 1]))) at += 1;
  return at;
}

function tokenAt(text: string, at: number): Token {
  const sign = text[at] ?? '';
  if (isDigit(sign) || (sign === '.' && isDigit(text[at + 1]) && !isDigit(text[at - 1]))) {
    const to = numberEnd(text, at);
    const end = strangeEnd(text, to);
    if (end > to) return { text: text.slice(at, end), from: at, to: end };
    const digits = text.slice(at, to).replaceAll(',', '');
    return { text: digits, from: at, to, numbers: [digits] };
  }
  if (isLetter(sign)) {
    const to = wordEnd(text, at);
    return { text: plainWord(text.slice(at, to)), from: at, to };
  }
  const pair = PAIRS[text.slice(at, at + 2)];
  if (pair) return { text: pair, from: at, to: at + 2 };
  return { text: SIGNS[sign] ?? sign, from: at, to: at + 1 };
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = Math.min(text.length, MAX_PHRASE);
  let at = 0;
  while (at < end) {
    const sign = text[at] ?? '';
    if (isSilent(sign) || isApostrophe(sign) || isJoining(text, at)) {
      at += 1;
      continue;
    }
    const token = tokenAt(text, at);
    const first = token.numbers && text[at - 1] === '$' ? at - 1 : at;
    tokens.push(token.numbers && isJoining(text, first - 1) ? { ...token, isHyphened: true } : token);
    at = token.to;
  }
  return tokens;
}
