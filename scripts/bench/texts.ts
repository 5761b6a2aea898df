import { createRedactor, REDACTION_RULES } from '#lib/redact.ts';
import { patternsOfProgram } from '#support/patterns.ts';
import { reading } from '#support/phrases.ts';
import type { Row } from './row.ts';
import { growsTooFast, hardTexts } from './support/growth.ts';
import { FROM_OUTSIDE } from './support/textsFromOutside.ts';

const LENGTH = 16_000;

/** Repeated to fill a text: combining marks, surrogates, separators, and syntax that the product reads. */
const PIECES = [
  '\u0300',
  '\u0316',
  '\u0300\u0316',
  'a\u0300\u0316',
  '\u0f71\u0f72\u0f74',
  '\uff9e',
  '\u0345\u0334',
  '\ud800',
  '\udc00',
  '\u{1F600}',
  '\u{1F469}\u200d',
  '\u{1F1E6}',
  '\u1100',
  '\ufdfa',
  '\u0130',
  'ß',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\u200b',
  '\u202e',
  '\u0000',
  '\u3000',
  '\u00a0',
  'a',
  'A',
  '1',
  'a ',
  'BHP ',
  '1.',
  '-',
  '_',
  '*',
  '**a',
  '`',
  '[',
  '](',
  '<',
  '>',
  '|',
  ',',
  ';',
  ':',
  '.',
  '/',
  '\\',
  '"',
  "'",
  '%',
  '%25',
  '@',
  '#',
  '&',
  '=',
  '$',
  '1_',
  'www.',
  'https://',
  '/price ',
  '0'.repeat(64),
  '127.0.0.1,',
  '::',
  '\uff9e\u0300',
];
const MARKS = ['\u0300', '\u0316', '\uff9e'];

const filled = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const hostile = (length: number): string[] => [
  ...PIECES.map((text) => filled(text, length)),
  ...MARKS.flatMap((a) => MARKS.map((b) => filled(a, length / 2) + filled(b, length / 2))),
];

/** Worst texts of each redaction rule: beginnings of a match without an end, and long runs. */
const WORST: Record<string, readonly string[]> = {
  'Telegram address': ['bot', 'bot1', 'bot1234567890123456789012345', '1'],
  'Telegram token': ['1', '123456:', '12345678901234567890:a ', '1-'],
  'JSON Web Token': ['-eyJ', 'eyJ', '-eyJa.', 'eyJa.a', '-eyJa.-', 'eyJ-'],
  'Discord token': ['a-', 'a', `${'a'.repeat(23)}.bbbbbb.`, `${'a'.repeat(30)}.`, 'a.'],
  'model key': ['sk-', '-sk', ' sk-a', 'sk'],
  scheme: ['Bearer ', 'Bearer        a', 'Bot\n', 'Basic'],
  query: ['?a', '?-', '&token', `?${'a'.repeat(70)}`, '?', '?setup'],
  'address with a password': ['://', '://a', '://a:', `://${'a'.repeat(300)}:`, '://:b', '://a:b'],
  header: ['cookie', 'cookie ', 'cookie        ', 'authorization:[', 'cookie: "[redacted]', 'x-api-key='],
  'quoted value': ['token', 'token"', 'token        ', 'token="\\', 'token=" ', 'token=\'"', '\\"', 'setup:'],
};

const PHRASES = [
  'or ',
  '1',
  '1,',
  '20, ',
  '20 and ',
  'up ',
  'a',
  ', ',
  '- ',
  '$',
  'not ',
  'average ',
  'price above ',
  'between 1 and ',
  'above 20, 50 ',
  'price above 5 or ',
];

/** Whether work on a text of `length` characters grows faster than the text. @param at returns a shorter text */
const isSlow = (work: (text: string) => unknown, length: number, at: (length: number) => string): boolean =>
  growsTooFast({
    sixteenth: () => work(at(Math.round(length / 16))),
    quarter: () => work(at(Math.round(length / 4))),
    whole: () => work(at(length)),
  });

/**
 * Whether a pattern is slow. Each use scans the whole text; replacing takes longest. The text's end, which does not
 * match, is kept.
 */
const isSlowPattern = (pattern: RegExp, text: string): boolean =>
  isSlow(
    (part) => part.replace(pattern, ''),
    text.length,
    (length) => (length === text.length ? text : text.slice(0, length) + text.slice(-1)),
  );

const rowOf = (what: string, count: number, slow: readonly string[]): Row => ({
  what: `${what} (${count})`,
  measured: slow.length === 0 ? 'run time grows linearly' : `too slow: ${slow.join('; ')}`,
  target: 'none',
  ok: slow.length === 0,
});

/** Measures hostile texts of 16,000 characters: no work on a text may grow faster than the text. */
export async function run(): Promise<Row[]> {
  const careless = /[\w-]*(?:password|secret)=/g;
  if (!isSlowPattern(careless, filled('a-', LENGTH)))
    throw new Error('The measure does not find a slow pattern.');
  const { found } = await patternsOfProgram();
  const slowPatterns = found.filter(({ pattern }) =>
    hardTexts(pattern, LENGTH).some((text) => isSlowPattern(pattern, text)),
  );
  const texts = hostile(LENGTH);
  const slowPlaces = Object.entries(FROM_OUTSIDE).filter(([, work]) =>
    texts.some((text) => isSlow(work, LENGTH, (length) => text.slice(0, length))),
  );
  const slowRules = REDACTION_RULES.filter(({ name, pattern, replacement }) =>
    (WORST[name] ?? []).some((unit) =>
      isSlow(
        (text) => text.replace(pattern, replacement),
        LENGTH,
        (length) => filled(unit, length),
      ),
    ),
  );
  const redactor = createRedactor(['a literal secret']);
  const slowRedactor = isSlow(redactor.text, LENGTH, (length) => filled('a-', length)) ? ['all rules'] : [];
  const slowPhrases = PHRASES.filter((text) => isSlow(reading, 300, (length) => filled(text, length)));
  return [
    rowOf(
      'Regular expressions',
      found.length,
      slowPatterns.map(({ where }) => where),
    ),
    rowOf(
      'Functions that parse external text',
      Object.keys(FROM_OUTSIDE).length,
      slowPlaces.map(([where]) => where),
    ),
    rowOf('Redaction rules', REDACTION_RULES.length, [...slowRules.map(({ name }) => name), ...slowRedactor]),
    rowOf('Phrases of 300 characters', PHRASES.length, slowPhrases),
  ];
}
