import { describe, expect, test } from 'bun:test';
import {
  correctionOf,
  directionOf,
  measureSurprise,
  type Outcome,
} from '#subjects/calendar/rules/outcomes.ts';
import { isPublished, seriesKey } from '#subjects/calendar/rules/events.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { formatFigure, surpriseOf } from '#subjects/calendar/rules/figures.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import {
  averageMoves,
  type Case,
  changeOf,
  isOpenAround,
  largestOf,
  type Measured,
  notMeasured,
  weighReaction,
} from '#subjects/calendar/rules/marketMoves.ts';

const outcome = (actual: number, consensus: number | null, more: Partial<Outcome> = {}): Outcome => ({
  time: 0,
  actual,
  consensus,
  previous: null,
  revised: null,
  corrected: null,
  potency: 'ZERO',
  isBetter: null,
  ...more,
});
const withSurprises = (...surprises: number[]): Outcome[] => surprises.map((one) => outcome(10 + one, 10));

describe('a surprise', () => {
  test('is the difference divided by the sample standard deviation of the earlier ones', () => {
    // Mean 0, squares 2 × 4 + 2 × 1 = 10 over 4: 1.5811.
    const measured = measureSurprise(outcome(13, 10), withSurprises(2, -2, 1, -1, 0));
    expect(measured).toMatchObject({ difference: 3, earlier: 5, side: 'above' });
    expect(measured?.sigma).toBeCloseTo(3 / Math.sqrt(2.5), 10);
  });

  test.each([
    ['four earlier surprises', withSurprises(2, -2, 1, -1)],
    ['earlier figures without any surprise', withSurprises(0, 0, 0, 0, 0)],
    ['earlier figures without a consensus', [...withSurprises(1, -1, 2, -2), outcome(3, null)]],
    // 0.1 + 0.2 − 0.3 is not a spread.
    ['differences from rounding only', Array.from({ length: 6 }, () => outcome(0.1 + 0.2, 0.3))],
  ])('has no relative size with %s', (_, earlier) => {
    expect(measureSurprise(outcome(12, 10), earlier)).toMatchObject({ difference: 2, sigma: null });
  });

  test('is null without a consensus', () => {
    expect(measureSurprise(outcome(12, null), withSurprises(1, 2, 3, 4, 5))).toBeNull();
  });

  test('compares figures in different potencies', () => {
    const inThousands = withSurprises(2, -2, 1, -1, 0).map((one) => ({ ...one, potency: 'K' as const }));
    const inMillions = inThousands.map((one) => ({
      ...one,
      actual: one.actual / 1000,
      consensus: (one.consensus ?? 0) / 1000,
      potency: 'M' as const,
    }));
    const now = outcome(13, 10, { potency: 'K' });
    const sigma = measureSurprise(now, inThousands)?.sigma ?? Number.NaN;
    expect(measureSurprise(now, inMillions)?.sigma).toBeCloseTo(sigma, 8);
    expect(measureSurprise(now, inThousands)?.difference).toBe(3);
  });

  test.each([
    [true, 'up'],
    [false, 'down'],
    [null, 'up'],
  ] as const)('that is better (%p) goes %s', (isBetter, direction) => {
    const measured = measureSurprise(outcome(12, 10, { isBetter }), []);
    expect(measured && directionOf(measured)).toBe(direction);
  });
});

const own = outcome(2.4, 2.5);
test.each([
  ['is read from the next release', own, outcome(3, 3, { previous: 2.4, revised: 2.6 }), 2.6],
  ['is taken from its source', { ...own, corrected: 2.3 }, null, 2.3],
  ['is null for another figure', own, outcome(3, 3, { previous: 2.2, revised: 2.6 }), null],
  ['is null if there is none', own, outcome(3, 3, { previous: 2.4 }), null],
  ['is null if it was withdrawn', { ...own, corrected: 2.4 }, null, null],
] as const)('a correction %s', (_, one, next, expected) => {
  expect(correctionOf(one, next)).toBe(expected as never);
});

describe('a series', () => {
  test('is identified by the source, otherwise by country, name and period', () => {
    expect(seriesKey(aCalendarEvent({ series: 's-1' }))).toBe('s-1');
    const named = aCalendarEvent({ name: ' Employment Change ', countryCode: 'AU', periodType: 'MONTH' });
    expect(seriesKey(named)).toBe('AU|employment change|MONTH');
    expect(seriesKey({ ...named, countryCode: 'NZ' })).not.toBe(seriesKey(named));
  });

  test.each([
    ['a figure', { actual: 1 }, true],
    ['zero', { actual: 0 }, true],
    ['none yet', {}, false],
    ['a speech', { actual: 1, isSpeech: true }, false],
    ['a holiday', { actual: 1, isAllDay: true }, false],
  ])('stores %s: %p %p', (_, members, expected) => {
    expect(isPublished(aCalendarEvent(members))).toBe(expected);
  });
});

test.each([
  [1.2, 1, true, 'better'],
  [1.2, 1, false, 'worse'],
  [0.8, 1, true, 'better'],
  [0.8, 1, null, 'below'],
  [1.2, 1, null, 'above'],
  [1, 1, true, 'asExpected'],
  [1, 1, null, 'asExpected'],
  [null, 1, true, null],
  [1.2, null, true, null],
  [0, 0.1, false, 'worse'],
] as const)('%p against %p, better %p, is %p', (actual, consensus, isBetterThanExpected, expected) => {
  expect(surpriseOf({ actual, consensus, isBetterThanExpected })).toBe(expected);
});

test.each([
  ['the first minute after the open', '2026-11-18', 10, 1, true, true],
  ['the open itself, which is not measured from before', '2026-11-18', 10, 0, false, false],
  ['half an hour before the close', '2026-11-18', 15, 30, true, true],
  ['a minute later', '2026-11-18', 15, 31, true, false],
  ['five minutes before the close', '2026-11-18', 15, 55, true, false],
  ['four minutes before the close', '2026-11-18', 15, 56, false, false],
  ['the night', '2026-11-18', 0, 30, false, false],
  ['a Saturday', '2026-11-21', 11, 30, false, false],
  ['a public holiday', '2026-01-26', 11, 30, false, false],
  ['Christmas Eve, which closes at 14:10', '2026-12-24', 13, 40, true, true],
  ['Christmas Eve after the close', '2026-12-24', 14, 30, false, false],
  // Daylight saving ends on 5 April 2026 and begins on 4 October.
  ['the Tuesday after, Monday being a holiday', '2026-04-07', 11, 30, true, true],
  ['the Monday after', '2026-10-05', 10, 1, true, true],
] as const)('the market is open around a time: %s', (_, date, hour, minute, after5, after30) => {
  const time = fromSydney(date, hour, minute);
  expect([isOpenAround(time, 5), isOpenAround(time, 30)]).toEqual([after5, after30]);
});

describe('the market reaction', () => {
  test('is weighted by market capitalisation, and includes the number of stocks', () => {
    const reaction = weighReaction([
      { change: 1, cap: 300 },
      { change: -1, cap: 100 },
      { change: 0, cap: 100 },
      { change: null, cap: 1e12 },
      { change: 9, cap: 0 },
    ]);
    expect(reaction).toEqual({ change: 0.4, up: 1, down: 1, counted: 3 });
  });

  test.each([
    [{ before: 50, after: 51 }, 2],
    [{ before: 50, after: 50 }, 0],
    [{ before: null, after: 51 }, null],
    [{ before: 50, after: null }, null],
    [{ before: 0, after: 51 }, null],
  ])('a change from %j is %p', (prices, expected) => {
    const change = changeOf(prices);
    if (expected === null) expect(change).toBeNull();
    else expect(change).toBeCloseTo(expected, 9);
  });

  test('covers the 50 largest shares without funds, ordered by code', () => {
    const stocks = Array.from({ length: 60 }, (_, index) => ({
      code: `C${String(99 - index)}`,
      marketCap: index === 59 ? null : 1000 - index,
      securityType: index === 0 ? 'fund' : 'stock',
    }));
    const largest = largestOf(stocks);
    expect(largest).toHaveLength(50);
    expect(largest.map(({ code }) => code)).toEqual(largest.map(({ code }) => code).toSorted());
    expect(Math.min(...largest.map(({ cap }) => cap))).toBe(950);
    expect(largest.some(({ code }) => code === 'C99')).toBe(false);
  });
});

describe('averages', () => {
  const measured = (change: number): Measured => ({
    state: 'measured',
    reaction: { change, up: 1, down: 0, counted: 1 },
  });
  const aCase = (change: number | null, side: 'better' | 'worse' | 'asExpected'): Case => ({
    surprise: { difference: 1, sigma: null, earlier: 0, side },
    market: { 5: notMeasured('shut'), 30: change === null ? notMeasured('blind') : measured(change) },
    stock: { 5: null, 30: change },
  });

  test('include the number of cases and skip unmeasured ones', () => {
    const averages = averageMoves([aCase(1, 'better'), aCase(3, 'better'), aCase(null, 'better')]);
    expect(averages).toEqual([
      {
        of: 'all',
        after5: null,
        after30: { mean: 2, cases: 2 },
        stock5: null,
        stock30: { mean: 2, cases: 2 },
      },
    ]);
  });

  test('are split by direction from three cases on', () => {
    const cases = [
      ...[1, 2, 3].map((change) => aCase(change, 'better')),
      ...[-1, -2].map((change) => aCase(change, 'worse')),
      aCase(9, 'asExpected'),
    ];
    expect(averageMoves(cases).map(({ of, after30 }) => [of, after30])).toEqual([
      ['all', { mean: 2, cases: 6 }],
      ['up', { mean: 2, cases: 3 }],
    ]);
  });
});

describe('a figure in a table', () => {
  const NONE = { actual: null, consensus: null, previous: null, revised: null };

  test.each([
    [-0.2, '%', 'ZERO', '−0.2%'],
    [4.35, '%', 'ZERO', '4.4%'],
    [0, '%', 'ZERO', '0.0%'],
    [-0.04, '%', 'ZERO', '0.0%'],
    [54.6, null, 'ZERO', '54.6'],
    [101.257, null, 'ZERO', '101.26'],
    [66, null, 'K', '66K'],
    [222.45, null, 'K', '222.5K'],
    [-1.523, '$', 'B', '−$1.523B'],
    [3.2, '€', 'M', '€3.2M'],
    [1234.5, '¥', 'B', '¥1,234.5B'],
    [25, 'bp', 'ZERO', '25 bp'],
    [1, '', 'T', '1T'],
  ] as const)('%p of %p in %p is %p', (actual, unit, potency, text) => {
    expect(formatFigure(actual, aCalendarEvent({ ...NONE, actual, unit, potency }))).toBe(text);
  });

  test('has as many decimals as its neighbours', () => {
    const event = aCalendarEvent({ ...NONE, actual: 50, consensus: 49.85, previous: 49.8, unit: null });
    expect(formatFigure(event.actual, event)).toBe('50.00');
    expect(formatFigure(event.previous, event)).toBe('49.80');
  });
});
