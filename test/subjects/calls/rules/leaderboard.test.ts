import { describe, expect, test } from 'bun:test';
import { type DailySample, rankBounds } from '#subjects/calls/rules/rankBounds.ts';
import {
  groupByDay,
  type RankedResult,
  rankSubmitters,
  sumUp,
  type Tally,
  wilsonLowerBound,
} from '#subjects/calls/rules/leaderboardRank.ts';
import fc from 'fast-check';
import { tallyOf } from '#support/rankBoards.ts';
import { type CallResult, resultStats } from '#subjects/calls/rules/trackRecord.ts';
import { HOLDING_BINS, RESULT_BINS } from '#subjects/calls/answers/board.ts';

type Change = Partial<Tally> & { results?: readonly RankedResult[] };

const tally = (display: string, { results = [], ...change }: Change = {}): Tally => ({
  ...tallyOf(display, results),
  ...change,
});

const DAY = 86_400_000;

/** Results of calls, each on its own day. */
const results = (...percents: number[]): RankedResult[] =>
  percents.map((percent, index) => ({
    percent,
    isShort: false,
    market: 0,
    symbol: `S${index}`,
    from: index * DAY,
    until: index * DAY + 1000,
  }));

/** This many results, cycling through the percentages. */
const inTurn = (count: number, ...percents: number[]): RankedResult[] =>
  results(...Array.from({ length: count }, (_, index) => percents[index % percents.length] ?? 0));

test('the lower bound of a share matches the published values', () => {
  expect(wilsonLowerBound(81, 263)).toBeCloseTo(0.2553, 4);
  expect(wilsonLowerBound(0, 20)).toBe(0);
  expect(wilsonLowerBound(1, 29)).toBeCloseTo(0.0061, 4);
  expect(wilsonLowerBound(5, 5)).toBeCloseTo(0.5655, 4);
  expect(wilsonLowerBound(0, 0)).toBe(0);
});

test('computes the metrics of one submitter', () => {
  const [entry] = rankSubmitters([
    tally('Ann', {
      pending: 1,
      open: 2,
      closed: 3,
      cancelled: 4,
      pocketed: 100.1 + 0.2,
      pocketedCount: 3,
      results: results(7, -2),
    }),
  ]);
  expect(entry).toEqual({
    submitter: { display: 'Ann' },
    metrics: {
      total: 10,
      pending: 1,
      open: 2,
      closed: 3,
      cancelled: 4,
      pocketedValue: 100.3,
      averagePocketed: 33.43,
      verified: 2,
      wins: 1,
      winRate: 50,
      winRateLowerBound: wilsonLowerBound(1, 2) * 100,
      averageVerified: 2.5,
      days: 2,
      averageAgainstMarket: 2.5,
      marketKnown: 2,
      meanLowerBound: null,
      provisionalLowerBound: null,
      rank: null,
      provisionalRank: null,
    },
  });
});

/** Ranks as shown: '1', '3 provisional', or nothing. */
const order = (...tallies: Tally[]) =>
  rankSubmitters(tallies).map(({ submitter, metrics: { rank, provisionalRank } }) => [
    submitter.display,
    rank === null ? (provisionalRank === null ? '' : `${provisionalRank} provisional`) : String(rank),
  ]);

test('ranks by the lower bound of the mean, not by win rate or claims', () => {
  expect(
    order(
      tally('Wins', { results: inTurn(200, 1, 1, 1, 1, 1, 1, 1, 1, 1, -25) }),
      tally('Rich', { pocketed: 10_000, pocketedCount: 1, closed: 1 }),
      tally('Steady', { results: inTurn(200, 8, -2, 6) }),
      tally('Better', { results: inTurn(200, 9, -2, 6) }),
    ),
  ).toEqual([
    ['Better', '1'],
    ['Steady', '2'],
    ['Wins', ''],
    ['Rich', ''],
  ]);
});

test('equal results share a rank, and the next rank skips', () => {
  const even = { results: inTurn(30, 80) };
  expect(order(tally('B', even), tally('A', even), tally('C', { results: inTurn(30, 70) }))).toEqual([
    ['A', '1'],
    ['B', '1'],
    ['C', '3'],
  ]);
});

const sample = (days: number, mean: number, spread = 5): DailySample => ({
  days,
  mean,
  variance: spread ** 2,
});
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

const sampleArb = fc.record({
  days: fc.integer({ min: 0, max: 300 }),
  mean: fc.integer({ min: -100, max: 100 }),
  variance: fc.integer({ min: 0, max: 10_000 }),
});

describe('lower bounds of true means', () => {
  test('need ten days, a provisional one five', () => {
    const bounds = rankBounds([sample(4, 30), sample(5, 30), sample(9, 30), sample(10, 30), sample(0, 0)]);
    expect(bounds.map(({ full }) => full !== null)).toEqual([false, false, false, true, false]);
    expect(bounds.map(({ provisional }) => provisional !== null)).toEqual([false, true, true, true, false]);
  });

  test('match a manual example: two submitters, means 4 and −4, spread 5, 25 days', () => {
    // The variance of a mean is 25 / 25 = 1, so the prior’s is 4² − 1 = 15, and 15/16 of a mean is kept.
    const [up, down] = rankBounds([sample(25, 4), sample(25, -4)]);
    expect(up?.full).toBeCloseTo(3.75 - 1.959964 * Math.sqrt(15 / 16), 5);
    expect(up?.provisional).toBeCloseTo(3.75 - 1.281552 * Math.sqrt(15 / 16), 5);
    expect(down?.full).toBeCloseTo(-3.75 - 1.959964 * Math.sqrt(15 / 16), 5);
  });

  test('are zero for all if chance explains the differences of the means', () => {
    const bounds = rankBounds([sample(20, 1), sample(20, -1), sample(20, 0.5), sample(20, 0)]);
    for (const { full } of bounds) expect(full).toBeCloseTo(0, 9);
  });

  test('use a spread of at least 5 %: small gains may hide a large loss to come', () => {
    const [farmer] = rankBounds([sample(100, 0.9, 0.1), ...many(20, sample(100, 0))]);
    expect(farmer?.full).toBeLessThanOrEqual(0);
  });

  test('are not affected by a few lotteries on the board', () => {
    const board = [...many(20, sample(50, 3, 7)), ...many(20, sample(50, -3, 7))];
    const [without] = rankBounds(board);
    const [withThem] = rankBounds([...board, ...many(5, sample(50, 2, 150))]);
    expect(withThem?.full).toBeCloseTo(without?.full ?? 0, 1);
  });

  test('are below the mean, the full one below the provisional one, for any board', () => {
    fc.assert(
      fc.property(fc.array(sampleArb, { maxLength: 30 }), (board) => {
        const bounds = rankBounds(board);
        expect(bounds).toHaveLength(board.length);
        bounds.forEach(({ full, provisional }, index) => {
          const mean = board[index]?.mean ?? 0;
          if (provisional === null) return;
          expect(Number.isFinite(provisional)).toBe(true);
          expect(provisional).toBeLessThanOrEqual(Math.max(0, mean));
          if (full !== null) expect(full).toBeLessThanOrEqual(provisional);
        });
      }),
    );
  });
});

const HOUR = 3_600_000;
/** 10:00 in Sydney on Monday 2 November 2026. */
const MONDAY = Date.UTC(2026, 10, 1, 23);

const result = (percent: number, from: number, until: number | null, symbol = 'BHP'): RankedResult => ({
  percent,
  isShort: false,
  market: null,
  symbol,
  from: MONDAY + from,
  until: until === null ? null : MONDAY + until,
});

const sampleOf = (settled: readonly RankedResult[], running: readonly RankedResult[] = []) =>
  sumUp(groupByDay(settled, running), running).sample;

describe('daily results', () => {
  test('treat calls of one day in Sydney as one sample', () => {
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

  test('assign a call to the day of an earlier open call on the same stock', () => {
    expect(sampleOf([result(20, 3 * DAY, 4 * DAY)], [result(10, 0, null)])).toMatchObject({
      days: 1,
      mean: 15,
    });
    expect(sampleOf([result(10, 0, 2 * DAY), result(20, 3 * DAY, 4 * DAY)]).days).toBe(2);
    expect(sampleOf([result(20, 3 * DAY, 4 * DAY)], [result(10, 0, null, 'CBA')]).days).toBe(2);
  });

  test('weigh a day of many calls by its sum, in the spread too', () => {
    const lucky = Array.from({ length: 20 }, (_, index) => result(80, index, index + HOUR, `S${index}`));
    const quiet = Array.from({ length: 9 }, (_, day) => result(0, (day + 1) * DAY, (day + 1) * DAY + HOUR));
    const { mean, variance, days } = sampleOf([...lucky, ...quiet]);
    expect(mean).toBeCloseTo(1600 / 29, 9);
    expect(mean / Math.sqrt(variance / days)).toBeCloseTo(1, 9);
  });

  test('subtract the market’s own move if it is known', () => {
    const [known, unknown] = [result(6, 0, HOUR), result(6, DAY, DAY + HOUR)];
    const sums = sumUp(groupByDay([{ ...known, market: 4 }, unknown]));
    expect(sums).toEqual({
      verified: 2,
      wins: 2,
      known: 1,
      average: 6,
      sample: { days: 2, mean: 4, variance: 8 },
    });
  });

  test('are the same for an open and a settled result', () => {
    const some = fc.record({ percent: fc.integer({ min: -100, max: 300 }), day: fc.nat(20) });
    const percents = fc.array(some, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(percents, fc.nat(40), (list, split) => {
        const all = list.map(({ percent, day }, index) =>
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

describe('a track record', () => {
  /** 12:00 in Sydney on 10 November 2026. */
  const NOON = Date.UTC(2026, 10, 10, 1);

  const result = (percent: number, change: Partial<CallResult> = {}): CallResult => ({
    publicId: `c${percent}`,
    symbol: 'BHP',
    isShort: false,
    percent,
    market: null,
    endedAt: NOON,
    days: 1.5,
    ...change,
  });

  test('matches a manual example', () => {
    const stats = resultStats([
      result(10, { endedAt: NOON, days: 2, market: 4 }),
      result(-4, { endedAt: NOON - DAY, days: 0.01, market: 3, isShort: true }),
      // 31 October in Sydney, though 30 October in UTC at its start.
      result(300, { endedAt: Date.UTC(2026, 9, 30, 14), days: 40 }),
      result(0, { endedAt: NOON + DAY, days: 1 }),
    ]);
    expect(stats).toMatchObject({ count: 4, wins: 2, mean: 76.5, median: 5, medianDays: 1.5 });
    // Only two moves of the market are known: 10 against 4, and a short −4 against −3.
    expect(stats.againstMarket).toEqual({ count: 2, wins: 1, mean: 2.5 });
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

  test('counts every result once in each chart', () => {
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
        const stats = resultStats(
          some.map((one) => ({ publicId: null, symbol: null, isShort: false, market: null, ...one })),
        );
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
