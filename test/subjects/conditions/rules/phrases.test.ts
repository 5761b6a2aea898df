import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ALERT_LOGIC } from '#subjects/conditions/rules/condition.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { PHRASES } from '../../../fixtures/phrases.ts';
import { logicOfProposals, meaningOf, PHRASE_CATALOG, reading } from '#support/phrases.ts';
import { MAX_PHRASE, tokensOf } from '#subjects/conditions/rules/phrases/tokens.ts';

test.each(PHRASES.map((phrase) => [phrase.says, phrase] as const))(
  'reads a phrase of traders: %s',
  (_, { says, means, unsaid }) => {
    expect(meaningOf(says)).toEqual({ means, unsaid });
    // In the form in which it would be saved.
    const logic = logicOfProposals(reading(says).proposals);
    expect(checkLogic(PHRASE_CATALOG, logic)).toEqual({ ok: true, value: logic });
  },
);

test('the phrases of the documentation are read as documented', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/phrases.md')).text();
  const rows = [...page.matchAll(/^\| (.*) \| (.*) \|$/gm)].slice(1);
  expect(rows).toHaveLength(14);
  for (const [, says = '', means = ''] of rows) expect(meaningOf(says)).toEqual({ means, unsaid: [] });
});

/** Phrases close to a condition that would be misread: each gives no condition or only the listed ones. */
const TRAPS: readonly (readonly [text: string, means: string])[] = [
  ['price above 5 for 3 days', ''],
  ['price above 5 since Monday', ''],
  ['price above 5 until Friday', ''],
  ['price not far above 5', ''],
  ['never above 5', ''],
  ['price above 5 if RSI is low', ''],
  ['dropped 10% from its high', ''],
  ['price 5% above vwap', ''],
  ['price above vwap by 5%', ''],
  ['more than 5% above its 20 day average', ''],
  ['up 5% in the last 10 minutes', ''],
  ['volume above its 20 day average', ''],
  ['twice its 20 day average volume', ''],
  ['volume is twice yesterday’s volume', ''],
  ['volume has doubled', ''],
  ['price above yesterday’s high', ''],
  ['breaks above last month’s high', ''],
  ['price above this month’s high', ''],
  ['price above the day’s high', ''],
  ['market cap under 100', ''],
  ['value over $500k shares', ''],
  ['price above 5%', ''],
  ['gap over $3', ''],
  ['RSI above price', ''],
  ['RSI 30', ''],
  ['price crosses its 20 ema', ''],
  ['20 ema above hourly 50 ema', ''],
  ['hourly price above 5', ''],
  ['close above 5', ''],
  ['just above vwap', ''],
  ['up nearly 5%', ''],
  ['higher highs', ''],
  ['BHP up 5%', ''],
  ['gold price above 2000', ''],
  ['price above 20 and 50 day average above 200 day average', ''],
  ['(gap over 5% and up 5%) or volume over 1m', ''],
  ['either gap over 5% and up 5% or volume over 1m', ''],
  ['price > 1.000,50', ''],
  ['between 10:00 and 10:30', ''],
  ['price between 5 and 2', ''],
  ['price above 5, then falls below 4', 'Last above 5'],
  ['neither RSI above 70 nor volume over 1m', ''],
  ['news about lithium', ''],
  ['RSI(99) below 30', ''],
  ['short interest over 5% and under 10%', ''],
  ['value over $500k and under $2', 'Value above 500,000'],
  ['price above 1 or earnings soon', 'Last above 1'],
];

test.each(TRAPS)('is not read as a condition: %s', (text, means) => {
  const found = meaningOf(text);
  expect(found.means).toBe(means);
  expect(found.unsaid.length).toBeGreaterThan(0);
  for (const { why } of reading(text).missed) expect(why).toMatch(/^[A-Z“].{10,400}[.?:”]$/u);
});

describe('an ambiguity of a phrase', () => {
  const doubts = (text: string) =>
    reading(text).proposals.map(({ note, isDoubtful }) => (isDoubtful ? note : null));

  test.each([
    [
      'twice its volume',
      'Read as the usual volume by this time of day; yesterday’s volume is not available.',
    ],
    ['breaks above 1.20', 'Read as the price.'],
    ['has news', 'Conditions can only use price-sensitive announcements.'],
    ['at its high', 'Read as the day’s.'],
    ['at the yearly high', 'For the current calendar year.'],
    ['volume over $1m', 'Dollars apply to the value traded. Volume counts shares.'],
  ])('is reported: %s', (text, note) => expect(doubts(text)).toEqual([note]));

  test('includes every grouping with an alternative', () => {
    expect(doubts('price above 1, gap over 3% or volume over 1m')).not.toContain(null);
    expect(doubts('RSI below 30 or above 70 and volume over 1m')).toEqual([
      expect.stringContaining('grouped'),
      expect.stringContaining('grouped'),
      null,
    ]);
    expect(meaningOf('(gap over 5% or up 5%) and volume over 1m').means).toBe(
      'any of (Gap % above 5 or Change % at or above 5) and Volume above 1,000,000',
    );
  });

  test('covers everything near an unknown piece that may affect it', () => {
    expect(doubts('not RSI above 70 and volume over 1m')).toEqual([expect.stringContaining('may apply')]);
    expect(doubts('price above 1 or earnings soon')).toEqual([expect.stringContaining('is stricter')]);
    expect(doubts('RSI below 30 and stochastic below 20 on 15 minutes')).toEqual([
      expect.stringContaining('On daily bars'),
      null,
    ]);
  });
});

test('an alert covers one stock and cannot compare a sector', () => {
  const { proposals, missed } = reading('in Energy, up 5%', { kind: ALERT_LOGIC });
  expect(proposals).toHaveLength(1);
  expect(missed).toEqual([
    { said: 'in Energy', why: 'An alert is on one stock, so it can’t compare sectors.' },
  ]);
});

test('an indicator without values from the price source is named', () => {
  expect(reading('RSI below 30', { unavailable: ['rsi'] }).missed).toEqual([
    { said: 'RSI below 30', why: 'The price source has no values of RSI.' },
  ]);
});

const WORDS = [...new Set(PHRASES.flatMap(({ says }) => says.split(' ')))];
const SIGNS = [',', ';', '(', ')', '-', '+', '%', '$', '>', '<=', '.', '/', 'and', 'or', 'either', 'between'];
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...SIGNS),
  fc.integer({ min: -9999, max: 99999 }).map(String),
);
const phrase = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), phrase);
/** Letters of no language that the grammar knows, too long for an abbreviation. */
const strange = fc.string({ unit: fc.constantFrom('q', 'z', 'j', 'ж', 'ß'), minLength: 5, maxLength: 12 });

describe('any text', () => {
  test('gives conditions that can be saved, and pieces contained in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { proposals, missed } = reading(text);
        const logic = logicOfProposals(proposals);
        // There may be too many proposals; the limit applies when they are accepted.
        if (proposals.length <= 40)
          expect(checkLogic(PHRASE_CATALOG, logic).ok || logic.conditions.length > 10).toBe(true);
        for (const { said } of missed) expect(text.toWellFormed()).toContain(said.toWellFormed());
        for (const { said } of proposals) {
          for (const part of said.split(' or ')) expect(text).toContain(part);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('with an unknown word never gives a condition for that word’s piece', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PHRASES), strange, fc.nat(), ({ says }, foreign, place) => {
        const words = says.split(' ');
        const at = place % (words.length + 1);
        const text = [...words.slice(0, at), foreign, ...words.slice(at)].join(' ');
        const { proposals, missed } = reading(text);
        expect(missed.some(({ said }) => said.includes(foreign))).toBe(true);
        expect(proposals.filter(({ said }) => said.includes(foreign))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('is read up to three hundred characters', () => {
    const text = `${'price above 5 and '.repeat(50)}`;
    expect(Math.max(...tokensOf(text).map(({ to }) => to))).toBeLessThanOrEqual(MAX_PHRASE + 20);
    expect(reading(text).proposals.length).toBeLessThan(20);
  });
});
