import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { rankSubmitters, type Tally } from '../../../src/domain/calls/leaderboard.ts';
import { wilsonLowerBound } from '../../../src/domain/calls/wilson.ts';

const tally = (display: string, change: Partial<Tally> = {}): Tally => ({
  display,
  pending: 0,
  open: 0,
  closed: 0,
  cancelled: 0,
  pocketed: 0,
  pocketedCount: 0,
  verified: 0,
  wins: 0,
  verifiedSum: 0,
  ...change,
});

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
      verified: 2,
      wins: 1,
      verifiedSum: 5,
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

test('many wins of many go before few of few, and fewer than five have no rank', () => {
  const board = rankSubmitters([
    tally('Lucky', { closed: 4, verified: 4, wins: 4, pocketed: 9000, pocketedCount: 4 }),
    tally('Steady', { closed: 50, verified: 50, wins: 40 }),
    tally('Five', { closed: 5, verified: 5, wins: 5 }),
    tally('Rich', { pocketed: 10_000, pocketedCount: 1 }),
  ]);
  expect(board.map((entry) => [entry.submitter.display, entry.metrics.rank])).toEqual([
    ['Steady', 1],
    ['Five', 2],
    ['Rich', null],
    ['Lucky', null],
  ]);
});

test('equals share a rank and the next one counts on', () => {
  const even = { closed: 6, verified: 6, wins: 3, verifiedSum: 6 };
  const board = rankSubmitters([tally('B', even), tally('A', even), tally('C', { ...even, verifiedSum: 5 })]);
  expect(board.map((entry) => [entry.submitter.display, entry.metrics.rank])).toEqual([
    ['A', 1],
    ['B', 1],
    ['C', 3],
  ]);
});
