import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import {
  changeOf,
  isOpenAround,
  largestOf,
  type Measured,
  notMeasured,
  weighReaction,
} from '../../../../src/subjects/calendar/rules/marketMoves.ts';
import { averageMoves, type Case } from '../../../../src/subjects/calendar/rules/moveAverages.ts';

describe('whether there is a market around a moment', () => {
  test.each([
    ['11:30', '2026-11-18', 11, 30, true, true],
    ['the first minute after the open', '2026-11-18', 10, 1, true, true],
    ['the open itself: what came before is not measured across it', '2026-11-18', 10, 0, false, false],
    ['a minute before the open', '2026-11-18', 9, 59, false, false],
    ['half an hour before the close', '2026-11-18', 15, 30, true, true],
    ['a minute later', '2026-11-18', 15, 31, true, false],
    ['five minutes before the close', '2026-11-18', 15, 55, true, false],
    ['four minutes before the close', '2026-11-18', 15, 56, false, false],
    ['the night', '2026-11-18', 0, 30, false, false],
    ['a Saturday', '2026-11-21', 11, 30, false, false],
    ['a public holiday', '2026-01-26', 11, 30, false, false],
    ['Christmas Eve, which closes at 14:10', '2026-12-24', 13, 40, true, true],
    ['Christmas Eve, later', '2026-12-24', 13, 45, true, false],
    ['Christmas Eve after the close', '2026-12-24', 14, 30, false, false],
    // Daylight saving ends on 5 April 2026 and begins on 4 October.
    ['the Friday before clocks go back', '2026-04-02', 11, 30, true, true],
    ['the Tuesday after, Monday being a holiday', '2026-04-07', 11, 30, true, true],
    ['the Friday before clocks go ahead', '2026-10-02', 10, 1, true, true],
    ['the Monday after', '2026-10-05', 10, 1, true, true],
  ] as const)('%s', (_, date, hour, minute, after5, after30) => {
    const time = fromSydney(date, hour, minute);
    expect([isOpenAround(time, 5), isOpenAround(time, 30)]).toEqual([after5, after30]);
  });
});

describe('what the largest stocks did', () => {
  test('is weighed by market capitalisation, and tells how many count', () => {
    const reaction = weighReaction([
      { change: 1, cap: 300 },
      { change: -1, cap: 100 },
      { change: 0, cap: 100 },
      { change: null, cap: 1e12 },
      { change: 9, cap: 0 },
    ]);
    expect(reaction).toEqual({ change: 0.4, up: 1, down: 1, counted: 3 });
  });

  test('is nothing where no stock has a price before and after', () => {
    expect(weighReaction([])).toBeNull();
    expect(weighReaction([{ change: null, cap: 5 }])).toBeNull();
  });

  test('lies between the smallest and the largest change', () => {
    for (let turn = 1; turn < 100; turn += 1) {
      const stocks = Array.from({ length: 10 }, (_, index) => ({
        change: Math.sin(turn * (index + 3)),
        cap: 1 + ((turn * 7919 * (index + 1)) % 1000),
      }));
      const changes = stocks.map(({ change }) => change);
      const { change = Number.NaN } = weighReaction(stocks) ?? {};
      expect(change).toBeGreaterThanOrEqual(Math.min(...changes));
      expect(change).toBeLessThanOrEqual(Math.max(...changes));
    }
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

  test('are the 50 largest shares, no funds, in the order of their codes', () => {
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

  test('say of how many cases they are, and leave out what was not measured', () => {
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

  test('are told by direction from three cases on', () => {
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

  test('are none where nothing was measured', () => {
    expect(averageMoves([])).toEqual([]);
    expect(averageMoves([aCase(null, 'better')])).toEqual([]);
  });
});
