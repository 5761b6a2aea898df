import { describe, expect, test } from 'bun:test';
import {
  rankSubmitters,
  type Tally,
  wilsonLowerBound,
} from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import type { RankedResult } from '../../../../src/subjects/calls/rules/meanBound.ts';
import { MIN_RANKED_RESULTS } from '../../../../src/subjects/calls/rules/verifiedRule.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import {
  BLIND_STRATEGIES,
  type BlindStock,
  type BlindStrategy,
  bounceOf,
  playBlindly,
  walkOf,
} from '../../../support/blindRanks.ts';

const DAYS = 50;
const SEEDS = 8;
const PUPPETS = 22;
/** From half a cent's neighbours, a tenth with each step, to what hardly moves. */
const STOCKS: readonly BlindStock[] = [
  { code: 'AAA', start: 0.02, step: 0.001 },
  { code: 'BBB', start: 0.2, step: 0.005 },
  { code: 'CCC', start: 2, step: 0.02 },
  { code: 'DDD', start: 10, step: 0.05 },
  { code: 'EEE', start: 0.05, step: 0.001 },
  { code: 'FFF', start: 0.5, step: 0.01 },
  { code: 'GGG', start: 30, step: 0.3 },
];

const tally = (display: string, results: readonly RankedResult[]): Tally => ({
  display,
  ...{ pending: 0, open: 0, closed: 0, cancelled: 0, pocketed: 0, pocketedCount: 0 },
  results,
});

/** A strategy's own account and its puppets on one fair market, each posting at moments of its own. */
function accounts(strategy: BlindStrategy, seed: number): RankedResult[][] {
  const random = createRandom(seed);
  const prices = new Map(STOCKS.map((stock) => [stock.code, walkOf(stock, DAYS, random)]));
  return Array.from({ length: 1 + PUPPETS }, () => playBlindly(strategy, STOCKS, prices, random));
}

const ranksOf = (results: readonly RankedResult[][]): (number | null)[] =>
  rankSubmitters(results.map((own, index) => tally(`account ${index}`, own))).map(
    ({ metrics }) => metrics.rank,
  );

const shareOfWins = (results: readonly RankedResult[]): number =>
  wilsonLowerBound(results.filter(({ percent }) => percent > 0).length, results.length);

/** Lower end of the 95 % interval of a mean by Student's t, which a sample without its large losses deceives. */
function studentBound(results: readonly RankedResult[]): number {
  const mean = results.reduce((sum, { percent }) => sum + percent, 0) / results.length;
  const variance =
    results.reduce((sum, { percent }) => sum + (percent - mean) ** 2, 0) / (results.length - 1);
  return mean - 2.09 * Math.sqrt(variance / results.length);
}

describe('on fair walks nobody who knows nothing has a rank, alone or with 22 puppets', () => {
  const played = BLIND_STRATEGIES.map((strategy, index) => ({
    name: strategy.name,
    boards: Array.from({ length: SEEDS }, (_, seed) => accounts(strategy, 1 + seed * 101 + index * 7919)),
  }));

  for (const { name, boards } of played) {
    test(`"${name}"`, () => {
      const enough = boards.flat().filter((results) => results.length >= MIN_RANKED_RESULTS);
      expect(enough.length).toBeGreaterThan((SEEDS * (1 + PUPPETS)) / 2);
      for (const board of boards) {
        expect(ranksOf(board.slice(0, 1))).toEqual([null]);
        expect(new Set(ranksOf(board))).toEqual(new Set([null]));
      }
    });
  }

  test('the share of wins would give them ranks, and so would a bound that trusts the spread it has seen', () => {
    const all = played
      .flatMap(({ boards }) => boards.flat())
      .filter(({ length }) => length >= MIN_RANKED_RESULTS);
    expect(all.filter((results) => shareOfWins(results) > 0.5).length).toBeGreaterThan(SEEDS);
    expect(all.filter((results) => studentBound(results) > 0).length).toBeGreaterThan(SEEDS);
  });
});

test('whoever does know something gets a rank within a year', () => {
  const ranks = Array.from({ length: 10 }, (_, seed) => {
    const random = createRandom(77 + seed);
    // Gains 10 % on three of five calls and loses 4 % on the others: 4.4 % a call.
    const results = Array.from({ length: 240 }, (_call, index) => ({
      percent: random() < 0.6 ? 10 : -4,
      symbol: `S${index % 7}`,
      from: index * 86_400_000,
      until: index * 86_400_000 + 1000,
    }));
    return ranksOf([results])[0];
  });
  expect(ranks.filter((rank) => rank === 1).length).toBe(10);
});

test('a price that bounces between two steps earns a limit order nothing', () => {
  const stock = { code: 'AAA', start: 0.01, step: 0.001 };
  const random = createRandom(5);
  const prices = new Map([[stock.code, bounceOf(stock, DAYS, random)]]);
  const bid: BlindStrategy = {
    name: 'bids at the last price',
    callType: 'buy',
    posts: () => 1,
    closes: ({ move }) => move >= 0,
  };
  const results = playBlindly(bid, [stock], prices, random);
  // Anyone who bids at the upper side pays it; at the lower one nothing ever trades through.
  expect(results.length).toBeGreaterThan(20);
  expect(results.filter(({ percent }) => percent > 0)).toEqual([]);
});
