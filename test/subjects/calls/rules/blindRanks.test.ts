import { describe, expect, test } from 'bun:test';
import type { RankedResult } from '../../../../src/subjects/calls/rules/dailyResults.ts';
import {
  rankSubmitters,
  type Tally,
  wilsonLowerBound,
} from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { MIN_RANK_DAYS } from '../../../../src/subjects/calls/rules/rankBounds.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import {
  BLIND_STRATEGIES,
  type BlindStock,
  type BlindStrategy,
  bounceOf,
  playBlindly,
  walkOf,
} from '../../../support/blindRanks.ts';
import { HONEST, talliesOf, tallyOf } from '../../../support/rankBoards.ts';

const DAYS = 50;
/** Two calls a day. */
const MIN_CALLS = 2 * MIN_RANK_DAYS;
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

/** A strategy's own account and its puppets on one fair market, each posting at moments of its own. */
function accounts(strategy: BlindStrategy, seed: number): RankedResult[][] {
  const random = createRandom(seed);
  const prices = new Map(STOCKS.map((stock) => [stock.code, walkOf(stock, DAYS, random)]));
  return Array.from({ length: 1 + PUPPETS }, () => playBlindly(strategy, STOCKS, prices, random));
}

const ranksOf = (results: readonly RankedResult[][]): (number | null)[] =>
  rankSubmitters(results.map((own, index) => tallyOf(`account#${index}`, own))).map(
    ({ metrics }) => metrics.rank,
  );

const HONEST_BOARDS = Array.from({ length: SEEDS }, (_, seed) => talliesOf(HONEST, DAYS, 1 + seed * 101));

/** The accounts of a strategy that are in the first tenth of a board. */
function firstTenthBeside(honest: readonly Tally[], results: readonly RankedResult[][]): string[] {
  const own = results.map((one, index) => tallyOf(`account#${index}`, one));
  const board = rankSubmitters([...honest, ...own]);
  const first = board.slice(0, Math.floor(board.length / 10));
  return first.map(({ submitter }) => submitter.display).filter((display) => display.startsWith('account#'));
}

const shareOfWins = (results: readonly RankedResult[]): number =>
  wilsonLowerBound(results.filter(({ percent }) => percent > 0).length, results.length);

/** Lower end of the 95 % interval of a mean by Student's t, which a sample without its large losses deceives. */
function studentBound(results: readonly RankedResult[]): number {
  const mean = results.reduce((sum, { percent }) => sum + percent, 0) / results.length;
  const variance =
    results.reduce((sum, { percent }) => sum + (percent - mean) ** 2, 0) / (results.length - 1);
  return mean - 2.09 * Math.sqrt(variance / results.length);
}

describe('on fair walks with news an account that knows nothing and its 22 puppets get nowhere', () => {
  const played = BLIND_STRATEGIES.map((strategy, index) => ({
    name: strategy.name,
    boards: Array.from({ length: SEEDS }, (_, seed) => accounts(strategy, 1 + seed * 101 + index * 7919)),
  }));

  for (const { name, boards } of played) {
    test(`"${name}"`, () => {
      const enough = boards.flat().filter((results) => results.length >= MIN_CALLS);
      expect(enough.length).toBeGreaterThan((SEEDS * (1 + PUPPETS)) / 2);
      const ranked = boards.flatMap(ranksOf).filter((rank) => rank !== null);
      expect(ranked.length).toBeLessThanOrEqual(0.02 * SEEDS * (1 + PUPPETS));
      boards.forEach((board, seed) => expect(firstTenthBeside(HONEST_BOARDS[seed] ?? [], board)).toEqual([]));
    });
  }

  test('the share of wins would give them ranks, and so would a bound that trusts the spread it has seen', () => {
    const all = played.flatMap(({ boards }) => boards.flat()).filter(({ length }) => length >= MIN_CALLS);
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
      market: null,
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
