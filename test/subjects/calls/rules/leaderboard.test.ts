import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { groupByDay, type RankedResult } from '../../../../src/subjects/calls/rules/dailyResults.ts';
import {
  rankSubmitters,
  type Tally,
  wilsonLowerBound,
} from '../../../../src/subjects/calls/rules/leaderboardRank.ts';

type Change = Partial<Tally> & { results?: readonly RankedResult[] };

const tally = (display: string, { results = [], ...change }: Change = {}): Tally => ({
  display,
  pending: 0,
  open: 0,
  closed: 0,
  cancelled: 0,
  pocketed: 0,
  pocketedCount: 0,
  days: groupByDay(results),
  running: [],
  ...change,
});

const DAY = 86_400_000;

/** Results of calls on a day each. */
const results = (...percents: number[]): RankedResult[] =>
  percents.map((percent, index) => ({
    percent,
    market: 0,
    symbol: `S${index}`,
    from: index * DAY,
    until: index * DAY + 1000,
  }));

/** This many results in a row, in turn. */
const inTurn = (count: number, ...percents: number[]): RankedResult[] =>
  results(...Array.from({ length: count }, (_, index) => percents[index % percents.length] ?? 0));

describe('wilsonLowerBound', () => {
  test('published values', () => {
    expect(wilsonLowerBound(81, 263)).toBeCloseTo(0.2553, 4);
    expect(wilsonLowerBound(0, 20)).toBe(0);
    expect(wilsonLowerBound(1, 29)).toBeCloseTo(0.0061, 4);
    expect(wilsonLowerBound(5, 5)).toBeCloseTo(0.5655, 4);
    expect(wilsonLowerBound(0, 0)).toBe(0);
  });
  test('lies below the share, and grows with more of the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (trials, some) => {
        const wins = Math.min(some, trials);
        const bound = wilsonLowerBound(wins, trials);
        expect(bound).toBeGreaterThanOrEqual(0);
        expect(bound).toBeLessThanOrEqual(wins / trials);
        expect(wilsonLowerBound(wins * 2, trials * 2)).toBeGreaterThanOrEqual(bound);
      }),
    );
  });
});

test('metrics of one submitter', () => {
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
      meanLowerBound: null,
      provisionalLowerBound: null,
      rank: null,
      provisionalRank: null,
    },
  });
});

test('without closed calls there is no average and no rate', () => {
  const metrics = rankSubmitters([tally('Ann', { open: 1 })])[0]?.metrics;
  expect(metrics).toMatchObject({
    averagePocketed: null,
    winRate: null,
    winRateLowerBound: null,
    rank: null,
  });
});

/** Ranks as they are shown: '1', '3 provisional', or nothing. */
const order = (...tallies: Tally[]) =>
  rankSubmitters(tallies).map(({ submitter, metrics: { rank, provisionalRank } }) => [
    submitter.display,
    rank === null ? (provisionalRank === null ? '' : `${provisionalRank} provisional`) : String(rank),
  ]);

test('the lower bound of the mean ranks, and neither the win rate nor what somebody claims', () => {
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

test('provisional ranks follow the full ones, then who has enough days, then the others, each by their mean', () => {
  expect(
    order(
      tally('None'),
      tally('Lucky', { results: inTurn(3, 90) }),
      tally('Four', { results: inTurn(4, 50) }),
      tally('Five', { results: inTurn(5, 30) }),
      tally('Nine', { results: inTurn(9, 40) }),
      tally('Ten', { results: inTurn(10, 40) }),
      tally('Flat', { results: inTurn(10, 0) }),
      tally('Loser', { results: inTurn(20, -3, 1) }),
    ),
  ).toEqual([
    ['Ten', '1'],
    ['Nine', '2 provisional'],
    ['Five', '3 provisional'],
    ['Flat', ''],
    ['Loser', ''],
    ['Lucky', ''],
    ['Four', ''],
    ['None', ''],
  ]);
});

test('what the whole market made is no submitter’s merit', () => {
  const withMarket = inTurn(50, 3, 1).map((result) => ({ ...result, market: 2 }));
  expect(
    order(tally('Rides', { results: withMarket }), tally('Chooses', { results: inTurn(50, 6, 4) })),
  ).toEqual([
    ['Chooses', '1'],
    ['Rides', ''],
  ]);
});

test('equals share a rank and the next one counts on', () => {
  const even = { results: inTurn(30, 80) };
  expect(order(tally('B', even), tally('A', even), tally('C', { results: inTurn(30, 70) }))).toEqual([
    ['A', '1'],
    ['B', '1'],
    ['C', '3'],
  ]);
});
