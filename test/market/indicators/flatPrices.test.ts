import { describe, expect, test } from 'bun:test';
import { formulaOf } from '#market/indicators/formulas/index.ts';
import type { TimeframeBar } from '#market/indicators/types.ts';
import { FAMILIES, formula, runFormula } from '#support/bars.ts';

/** What a family shows for a stock whose price never moves. */
const PRICE = (price: number): number => price;
const ZERO = (): number => 0;
const UNKNOWN = (): null => null;
const VOLUME = 1000;

/** Shares of the range of their bars: of an empty one they are unknown, never the end of the scale. */
const OF_RANGE = [
  'cci',
  'uo',
  'w-r',
  'stoch-k',
  'stoch-d',
  'stoch-rsi-k',
  'stoch-rsi-d',
  'aroon-up',
  'aroon-down',
  'chaikin-money-flow',
  'money-flow',
];

/** Every family computed from bars. */
const AT_REST: Readonly<Record<string, (price: number) => number | null>> = {
  // Averages, bands, channels and stops are prices: they equal the price.
  ...Object.fromEntries(
    [
      'ema',
      'sma',
      'hull-ma',
      'vwma',
      'vwap',
      'bb-upper',
      'bb-basis',
      'bb-lower',
      'donch-ch-upper',
      'donch-ch-lower',
      'donch-ch-middle',
      'klt-chnl-upper',
      'klt-chnl-basis',
      'klt-chnl-lower',
      'p-sar',
      'ichimoku-bline',
      'ichimoku-cline',
      'ichimoku-lead1',
      'ichimoku-lead2',
      'open',
      'high',
      'low',
      'close',
    ].map((slug) => [slug, PRICE]),
  ),
  // Differences and ranges of a constant price are zero.
  ...Object.fromEntries(
    [
      'mom',
      'roc',
      'ao',
      'bbpower',
      'macd-macd',
      'macd-signal',
      'macd-hist',
      'atr',
      'atrp',
      'adr',
      'adrp',
      'change',
      'change-abs',
      'change-from-open',
      'change-from-open-abs',
      'gap',
      'volume-change',
      'volume-change-abs',
    ].map((slug) => [slug, ZERO]),
  ),
  ...Object.fromEntries(
    [...OF_RANGE, 'rsi', 'adx', 'adx-plus-di', 'adx-minus-di'].map((slug) => [slug, UNKNOWN]),
  ),
  volume: () => VOLUME,
  'average-volume-10d-calc': () => VOLUME,
  'average-volume-30d-calc': () => VOLUME,
  'average-volume-60d-calc': () => VOLUME,
  'average-volume-90d-calc': () => VOLUME,
  'relative-volume-10d-calc': () => 1,
};

const barsOf = (closes: readonly number[], volume = VOLUME): TimeframeBar[] =>
  closes.map((close, day) => ({ day, open: close, high: close, low: close, close, volume }));

const lastOf = (slug: string, bars: readonly TimeframeBar[]): number | null =>
  runFormula(formula(slug), bars).at(-1) ?? null;

/** With the tolerance of a sent value: anything far below the price counts as 0. */
const isNear = (value: number | null, expected: number | null, size: number): boolean =>
  value === null || expected === null
    ? value === expected
    : Math.abs(value - expected) <= 1e-9 * Math.max(size, Math.abs(expected));

const COMPUTED = Object.keys(FAMILIES).filter((slug) => {
  const family = FAMILIES[slug];
  return family && formulaOf(family, {}) !== null;
});

/** Equal closes, and closes that differ by binary rounding, as in adjusted histories. */
const NOISE: readonly ((price: number, bar: number) => number)[] = [
  (price) => price,
  (price, bar) => price * (1 + (bar % 3) * 1.2e-16),
];

describe('a price that never moves', () => {
  test('has an expected value for every computed family', () =>
    expect(Object.keys(AT_REST).sort()).toEqual(COMPUTED.sort()));

  test.each(Object.entries(AT_REST))('%s', (slug, expected) => {
    for (const closeAt of NOISE) {
      for (const price of [0.001, 0.002, 0.07, 0.105, 33.33, 1234.5]) {
        const closes = Array.from({ length: 130 }, (_, bar) => closeAt(price, bar));
        const value = lastOf(slug, barsOf(closes));
        expect({ price, value, right: isNear(value, expected(price), price) }).toMatchObject({ right: true });
      }
    }
  });
});

/** A trading halt, or trades at one price only: all moves are older than the window. */
describe('a price that stopped moving', () => {
  const moves = [75, 72, 78, 78, 74, 73, 74, 77, 75, 73, 76, 80, 77, 72, 74, 72].map((one) => one / 1000);
  const closes = [...moves, ...Array.from({ length: 45 }, () => 0.072)];

  test.each(OF_RANGE)('makes %s unknown', (slug) => expect(lastOf(slug, barsOf(closes))).toBeNull());

  test('leaves RSI and the directional lines at their smoothed values', () => {
    const before = lastOf('rsi', barsOf(closes.slice(0, 17)));
    expect(lastOf('rsi', barsOf(closes))).toBeCloseTo(before ?? Number.NaN, 6);
    expect(lastOf('adx-plus-di', barsOf(closes))).toBeGreaterThan(0);
  });
});

test('RSI is 100 if every close rose, and 0 if every close fell', () => {
  const rising = Array.from({ length: 60 }, (_, bar) => (2 + bar) / 1000);
  const falling = rising.toReversed();

  expect(lastOf('rsi', barsOf(rising))).toBe(100);
  expect(lastOf('rsi', barsOf(falling))).toBe(0);
});

describe('bars without volume', () => {
  const bars = barsOf(
    Array.from({ length: 60 }, (_, bar) => (70 + (bar % 5)) / 1000),
    0,
  );
  test.each([
    'vwap',
    'vwma',
    'chaikin-money-flow',
    'money-flow',
    'volume-change',
    'relative-volume-10d-calc',
  ])('make %s unknown', (slug) => expect(lastOf(slug, bars)).toBeNull());
});

test('Chaikin money flow counts a bar without range as no flow if another bar has a range', () => {
  const bars = barsOf(Array.from({ length: 60 }, (_, bar) => (70 + (bar % 5)) / 1000));

  const wide = { day: 99, open: 0.07, high: 0.08, low: 0.07, close: 0.08, volume: VOLUME };
  // As on the platform: 0 for a bar without a range, divided by the whole volume.
  expect(lastOf('chaikin-money-flow', [...bars, wide])).toBeCloseTo(1 / 20, 9);
});
