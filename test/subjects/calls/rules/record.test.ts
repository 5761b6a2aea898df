import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type CallResult,
  groupOf,
  HOLDING_BINS,
  median,
  RESULT_BINS,
  resultStats,
} from '../../../../src/subjects/calls/rules/record.ts';

/** 12:00 in Sydney on 10 November 2026. */
const NOON = Date.UTC(2026, 10, 10, 1);
const DAY = 86_400_000;

const result = (percent: number, change: Partial<CallResult> = {}): CallResult => ({
  publicId: `c${percent}`,
  symbol: 'BHP',
  percent,
  endedAt: NOON,
  days: 1.5,
  ...change,
});

describe('what results say together', () => {
  test('an example by hand', () => {
    const stats = resultStats([
      result(10, { endedAt: NOON, days: 2 }),
      result(-4, { endedAt: NOON - DAY, days: 0.01 }),
      // 31 October in Sydney, though 30 October in UTC at its beginning.
      result(300, { endedAt: Date.UTC(2026, 9, 30, 14), days: 40 }),
      result(0, { endedAt: NOON + DAY, days: 1 }),
    ]);
    expect(stats).toMatchObject({ count: 4, wins: 2, mean: 76.5, median: 5, medianDays: 1.5 });
    expect(stats.best.map(({ percent }) => percent)).toEqual([300, 10, 0]);
    expect(stats.worst.map(({ percent }) => percent)).toEqual([-4, 0, 10]);
    expect(stats.newest.map(({ percent }) => percent)).toEqual([300, -4, 10, 0]);
    expect(stats.distribution).toEqual([0, 0, 0, 1, 0, 1, 0, 0, 1, 1]);
    expect(stats.holding.map(({ count }) => count)).toEqual([1, 0, 2, 0, 0, 1]);
    expect(stats.months).toEqual([
      { month: '2026-11', count: 3, wins: 1, mean: 2 },
      { month: '2026-10', count: 1, wins: 1, mean: 300 },
    ]);
  });

  test('an outlier moves the mean and not the median', () => {
    const usual = [1, 2, 3, 4, 5].map((percent) => result(percent));
    const stats = resultStats([...usual, result(100_000)]);
    expect(stats.median).toBe(3.5);
    expect(stats.mean).toBeGreaterThan(16_000);
    expect(stats.distribution.at(-1)).toBe(1);
  });

  test('nothing says nothing', () => {
    expect(resultStats([])).toMatchObject({ count: 0, mean: null, median: null, best: [], months: [] });
    expect(median([])).toBeNull();
    expect(groupOf([])).toEqual({ count: 0, wins: 0, mean: null });
  });

  test('every result is counted once in each picture, whatever it is', () => {
    const results = fc.array(
      fc.record({
        percent: fc.double({ min: -100, max: 1e6, noNaN: true }),
        endedAt: fc.integer({ min: 0, max: 4e12 }),
        days: fc.double({ min: 0, max: 5000, noNaN: true }),
      }),
      { maxLength: 700 },
    );
    fc.assert(
      fc.property(results, (some) => {
        const stats = resultStats(some.map((one) => ({ publicId: null, symbol: null, ...one })));
        const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
        expect(stats.count).toBe(some.length);
        expect(stats.distribution).toHaveLength(RESULT_BINS.length);
        expect(sum(stats.distribution)).toBe(some.length);
        expect(stats.holding).toHaveLength(HOLDING_BINS.length);
        expect(sum(stats.holding.map(({ count }) => count))).toBe(some.length);
        expect(stats.newest).toHaveLength(Math.min(500, some.length));
        expect(stats.months.length).toBeLessThanOrEqual(36);
        const percents = some.map(({ percent }) => percent);
        if (some.length > 0) {
          expect(stats.best[0]?.percent).toBe(Math.max(...percents));
          expect(stats.worst[0]?.percent).toBe(Math.min(...percents));
        }
      }),
      { numRuns: 60 },
    );
  });
});
