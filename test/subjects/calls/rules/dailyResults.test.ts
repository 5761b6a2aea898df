import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { groupByDay, type RankedResult, sumUp } from '../../../../src/subjects/calls/rules/dailyResults.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 10:00 in Sydney on Monday 2 November 2026. */
const MONDAY = Date.UTC(2026, 10, 1, 23);

const result = (percent: number, from: number, until: number | null, symbol = 'BHP'): RankedResult => ({
  percent,
  market: null,
  symbol,
  from: MONDAY + from,
  until: until === null ? null : MONDAY + until,
});

const sampleOf = (settled: readonly RankedResult[], running: readonly RankedResult[] = []) =>
  sumUp(groupByDay(settled, running), running).sample;

describe('daily results', () => {
  test('calls of one day in Sydney are one sample', () => {
    expect(sampleOf([result(10, 0, HOUR), result(-4, 5 * HOUR, 6 * HOUR, 'CBA')])).toMatchObject({
      days: 1,
      mean: 3,
    });
    expect(sampleOf([result(10, 0, HOUR), result(-4, DAY, DAY + HOUR, 'CBA')])).toEqual({
      days: 2,
      mean: 3,
      variance: 98,
    });
  });

  test('a call on a stock of which another still runs belongs to the day of that one', () => {
    expect(sampleOf([result(20, 3 * DAY, 4 * DAY)], [result(10, 0, null)])).toMatchObject({
      days: 1,
      mean: 15,
    });
    expect(sampleOf([result(10, 0, 2 * DAY), result(20, 3 * DAY, 4 * DAY)]).days).toBe(2);
    expect(sampleOf([result(20, 3 * DAY, 4 * DAY)], [result(10, 0, null, 'CBA')]).days).toBe(2);
  });

  test('twenty calls of one lucky day are one day', () => {
    const day = Array.from({ length: 20 }, (_, index) => result(80, index, index + HOUR, `S${index}`));
    expect(sampleOf(day)).toEqual({ days: 1, mean: 80, variance: 0 });
  });

  test('calls added to a losing day do not dilute its loss', () => {
    const days = [result(10, 0, HOUR), result(-10, DAY, DAY + HOUR)];
    const added = Array.from({ length: 19 }, (_, index) => result(0, DAY + index, DAY + HOUR, `S${index}`));
    expect(sampleOf(days)).toMatchObject({ days: 2, mean: 0 });
    expect(sampleOf([...days, ...added])).toMatchObject({ days: 2, mean: 0 });
  });

  test('one day of many calls counts for as much as its sum, also in the spread', () => {
    const lucky = Array.from({ length: 20 }, (_, index) => result(80, index, index + HOUR, `S${index}`));
    const quiet = Array.from({ length: 9 }, (_, day) => result(0, (day + 1) * DAY, (day + 1) * DAY + HOUR));
    const { mean, variance, days } = sampleOf([...lucky, ...quiet]);
    expect(mean).toBeCloseTo(1600 / 29, 9);
    expect(mean / Math.sqrt(variance / days)).toBeCloseTo(1, 9);
  });

  test('the market’s own move is taken off where it is known', () => {
    const [known, unknown] = [result(6, 0, HOUR), result(6, DAY, DAY + HOUR)];
    const sums = sumUp(groupByDay([{ ...known, market: 4 }, unknown]));
    expect(sums).toEqual({ verified: 2, wins: 2, average: 6, sample: { days: 2, mean: 4, variance: 8 } });
  });

  test('a result counts the same whether it runs or is settled', () => {
    const percents = fc.array(fc.record({ percent: fc.integer({ min: -100, max: 300 }), day: fc.nat(20) }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(percents, fc.nat(40), (some, split) => {
        const all = some.map(({ percent, day }, index) =>
          result(percent, day * DAY + index, null, `S${index % 3}`),
        );
        const [settled, running] = [all.slice(0, split), all.slice(split)];
        const apart = sumUp(groupByDay(settled, running), running);
        const together = sumUp(groupByDay(all));
        expect(apart.verified).toBe(together.verified);
        expect(apart.wins).toBe(together.wins);
        expect(apart.sample.days).toBe(together.sample.days);
        expect(apart.sample.mean).toBeCloseTo(together.sample.mean, 9);
        expect(apart.sample.variance).toBeCloseTo(together.sample.variance, 6);
      }),
    );
  });
});
