import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ALERT_LOGIC } from '../../../../src/subjects/conditions/rules/condition.ts';
import { checkLogic } from '../../../../src/subjects/conditions/rules/checkLogic.ts';
import { PHRASES } from '../../../fixtures/phrases.ts';
import { logicOfProposals, meaningOf, PHRASE_CATALOG, reading } from '../../../support/phrases.ts';

describe('sixty phrases of traders', () => {
  test.each(PHRASES.map((phrase) => [phrase.says, phrase] as const))(
    '%s',
    (_, { says, means, unsaid = [] }) => {
      expect(meaningOf(says)).toEqual({ means, unsaid: [...unsaid] });
      // As it would be saved.
      const logic = logicOfProposals(reading(says).proposals);
      expect(checkLogic(PHRASE_CATALOG, logic)).toEqual({ ok: true, value: logic });
    },
  );

  test('are sixty, and at least fifty of them can be said whole', () => {
    expect(PHRASES).toHaveLength(60);
    expect(PHRASES.filter(({ unsaid = [] }) => unsaid.length === 0).length).toBeGreaterThanOrEqual(50);
  });
});

test('the forty phrases of the documentation are read as it says', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/phrases.md')).text();
  const rows = [...page.matchAll(/^\| (.*) \| (.*) \|$/gm)].slice(1);
  expect(rows).toHaveLength(40);
  for (const [, says = '', means = ''] of rows) expect(meaningOf(says)).toEqual({ means, unsaid: [] });
});

/** What would be wrong, beside what it is close to: each gives no condition, or none but what is listed. */
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

describe('what is close to a condition and none', () => {
  test.each(TRAPS)('%s', (text, means) => {
    const found = meaningOf(text);
    expect(found.means).toBe(means);
    expect(found.unsaid.length).toBeGreaterThan(0);
  });

  test.each(TRAPS)('%s: says why', (text) => {
    for (const { why } of reading(text).missed) expect(why).toMatch(/^[A-Z“].{10,400}[.?:”]$/u);
  });
});

describe('what a phrase leaves open', () => {
  const doubts = (text: string) =>
    reading(text).proposals.map(({ note, isDoubtful }) => (isDoubtful ? note : null));

  test.each([
    ['twice its volume', 'Read as the usual volume by this time of day; yesterday’s volume is no field.'],
    ['breaks above 1.20', 'Read as the price.'],
    ['has news', 'Only price-sensitive announcements are known to conditions.'],
    ['at its high', 'Read as the day’s.'],
    ['at the yearly high', 'Of the calendar year, which is still running.'],
    ['volume over $1m', 'Dollars are of the value traded, not of the volume, which counts shares.'],
  ])('is told: %s', (text, note) => expect(doubts(text)).toEqual([note]));

  test('is not doubted where the words are clear', () => {
    expect(doubts('price above $5 and RSI below 30')).toEqual([null, null]);
    expect(doubts('either RSI above 70 or up more than 10%')).toEqual([null, null]);
  });

  test('is every grouping that could be another one', () => {
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

  test('is everything beside a piece that was not understood and may reach beyond itself', () => {
    expect(doubts('not RSI above 70 and volume over 1m')).toEqual([expect.stringContaining('may be meant')]);
    expect(doubts('price above 1 or earnings soon')).toEqual([expect.stringContaining('asks for more')]);
    expect(doubts('RSI below 30 and stochastic below 20 on 15 minutes')).toEqual([
      expect.stringContaining('On daily bars'),
      null,
    ]);
  });
});

test('an alert is of one stock: it compares no sector', () => {
  const { proposals, missed } = reading('in Energy, up 5%', { kind: ALERT_LOGIC });
  expect(proposals).toHaveLength(1);
  expect(missed).toEqual([
    { said: 'in Energy', why: 'An alert is of one stock, so it compares no sectors.' },
  ]);
});

test('an indicator that the price source has no values of is named', () => {
  expect(reading('RSI below 30', { unavailable: ['rsi'] }).missed).toEqual([
    { said: 'RSI below 30', why: 'The price source has no values of RSI.' },
  ]);
});
