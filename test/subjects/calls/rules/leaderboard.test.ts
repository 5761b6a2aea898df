import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  rankSubmitters,
  type Tally,
  wilsonLowerBound,
} from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { meanLowerBound, type RankedResult } from '../../../../src/subjects/calls/rules/meanBound.ts';

const tally = (display: string, change: Partial<Tally> = {}): Tally => ({
  display,
  pending: 0,
  open: 0,
  closed: 0,
  cancelled: 0,
  pocketed: 0,
  pocketedCount: 0,
  results: [],
  ...change,
});

const DAY = 86_400_000;

/** Results of calls on a day each. */
const results = (...percents: number[]): RankedResult[] =>
  percents.map((percent, index) => ({
    percent,
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
      meanLowerBound: meanLowerBound(results(7, -2)),
      rank: null,
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

const order = (...tallies: Tally[]) =>
  rankSubmitters(tallies).map((entry) => [entry.submitter.display, entry.metrics.rank]);

test('the low estimate of the mean ranks, and neither the win rate nor what somebody says of himself', () => {
  expect(
    order(
      tally('Wins', { results: inTurn(200, 1, 1, 1, 1, 1, 1, 1, 1, 1, -25) }),
      tally('Rich', { pocketed: 10_000, pocketedCount: 1, closed: 1 }),
      tally('Steady', { results: inTurn(200, 8, -2, 6) }),
      tally('Better', { results: inTurn(200, 9, -2, 6) }),
    ),
  ).toEqual([
    ['Better', 1],
    ['Steady', 2],
    ['Wins', null],
    ['Rich', null],
  ]);
});

test('a mean of -1.6 % never stands above one of +4.4 %', () => {
  expect(
    order(
      tally('Loser', { results: inTurn(60, 2, 2, 2, -12.4) }),
      tally('Gainer', { results: inTurn(25, 20, -11.2) }),
    ),
  ).toEqual([
    ['Gainer', null],
    ['Loser', null],
  ]);
});

test('fewer than 20 results have no rank, however good; those with none stand last', () => {
  expect(
    order(
      tally('None'),
      tally('Nineteen', { results: inTurn(19, 90) }),
      tally('Twenty', { results: inTurn(20, 80) }),
      tally('Flat', { results: inTurn(20, 0) }),
    ),
  ).toEqual([
    ['Twenty', 1],
    ['Flat', null],
    ['Nineteen', null],
    ['None', null],
  ]);
});

test('equals share a rank and the next one counts on', () => {
  const even = { results: inTurn(30, 80) };
  expect(order(tally('B', even), tally('A', even), tally('C', { results: inTurn(30, 70) }))).toEqual([
    ['A', 1],
    ['B', 1],
    ['C', 3],
  ]);
});
