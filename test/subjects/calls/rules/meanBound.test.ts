import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  meanLowerBound,
  type RankedResult,
  roundsOf,
} from '../../../../src/subjects/calls/rules/meanBound.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 10:00 in Sydney on Monday 2 November 2026. */
const MONDAY = Date.UTC(2026, 10, 1, 23);

const result = (percent: number, from: number, until: number | null, symbol = 'BHP'): RankedResult => ({
  percent,
  symbol,
  from: MONDAY + from,
  until: until === null ? null : MONDAY + until,
});
const daily = (percents: readonly number[]): RankedResult[] =>
  percents.map((percent, day) => result(percent, day * DAY, day * DAY + HOUR));
const many = (count: number, percent: number): number[] => Array.from({ length: count }, () => percent);

describe('rounds', () => {
  test('calls of one day in Sydney count as one, their mean', () => {
    expect(roundsOf([result(10, 0, HOUR), result(-4, 5 * HOUR, 6 * HOUR, 'CBA')])).toEqual([0.03]);
    expect(roundsOf([result(10, 0, HOUR), result(-4, DAY, DAY + HOUR, 'CBA')])).toEqual([0.1, -0.04]);
  });
  test('a call on a stock of which another still runs belongs to the round of that one', () => {
    expect(roundsOf([result(10, 0, null), result(20, 3 * DAY, 4 * DAY)])).toEqual([0.15]);
    expect(roundsOf([result(10, 0, 2 * DAY), result(20, 3 * DAY, 4 * DAY)])).toEqual([0.1, 0.2]);
    expect(roundsOf([result(20, 3 * DAY, 4 * DAY), result(10, 0, null, 'CBA')])).toEqual([0.1, 0.2]);
  });
});

describe('the lower bound of a mean', () => {
  test('says nothing of nothing, and little of few', () => {
    expect(meanLowerBound([])).toBe(-100);
    expect(meanLowerBound(daily([50]))).toBeLessThan(-99);
    expect(meanLowerBound(daily(many(20, 1)))).toBeLessThan(-10);
  });

  test('by hand: twenty doublings refute a mean of zero, and what lies just above the bound is not refuted', () => {
    const bound = meanLowerBound(daily(many(20, 100)));
    const capital = [0.5, 1, 2].reduce(
      (sum, stake) => sum + (1 + stake * (2 / (1 + bound / 100) - 1)) ** 20,
      0,
    );
    expect(capital / 3 / 1000).toBeCloseTo(1, 1);
    expect(bound).toBeGreaterThan(0);
  });

  test('many small gains do not hide a large loss that has not come yet', () => {
    // Student's t knows no spread in them and would say 1 %.
    expect(meanLowerBound(daily(many(200, 1)))).toBeLessThan(0);
    expect(meanLowerBound(daily([...many(400, 1), -100]))).toBeLessThan(0);
  });

  test('one day of twenty lucky calls is one result', () => {
    const day = Array.from({ length: 20 }, (_, index) => result(80, index, index + HOUR, `S${index}`));
    expect(meanLowerBound(day)).toBeLessThan(-90);
    expect(meanLowerBound(daily(many(20, 80)))).toBeGreaterThan(0);
  });

  test('never above the mean of the rounds, less with a worse result, more with more of the same', () => {
    const percents = fc.array(fc.integer({ min: -100, max: 300 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(percents, fc.nat(), (some, place) => {
        const bound = meanLowerBound(daily(some));
        const mean = some.reduce((sum, one) => sum + one, 0) / some.length;
        expect(bound).toBeGreaterThanOrEqual(-100);
        expect(bound).toBeLessThanOrEqual(mean + 1e-9);
        const worse = some.with(place % some.length, -100);
        expect(meanLowerBound(daily(worse))).toBeLessThanOrEqual(bound + 0.01);
        expect(meanLowerBound(daily([...some, ...some]))).toBeGreaterThanOrEqual(bound - 0.01);
      }),
    );
  });
});
