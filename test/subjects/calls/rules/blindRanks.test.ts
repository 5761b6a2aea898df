import { describe, expect, test } from 'bun:test';
import type { RankedResult } from '../../../../src/subjects/calls/rules/dailyResults.ts';
import { rankSubmitters, type Tally } from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { MIN_RANK_DAYS } from '../../../../src/subjects/calls/rules/rankBounds.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import {
  BLIND_STRATEGIES,
  type BlindStock,
  type BlindStrategy,
  playBlindly,
  walkOf,
} from '../../../support/blindRanks.ts';
import {
  HONEST,
  talliesOf,
  tallyOf,
  type Habit,
  outcomesOf,
  PUPPETS,
  TRICKS,
} from '../../../support/rankBoards.ts';

const DAYS = 50;
/** Two calls a day. */
const MIN_CALLS = 2 * MIN_RANK_DAYS;
const SEEDS = 8;
const ACCOUNTS = 1 + 22;
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
  return Array.from({ length: ACCOUNTS }, () => playBlindly(strategy, STOCKS, prices, random));
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

describe('on fair walks with news an account that knows nothing and its 22 puppets get nowhere', () => {
  const played = BLIND_STRATEGIES.map((strategy, index) => ({
    name: strategy.name,
    boards: Array.from({ length: SEEDS }, (_, seed) => accounts(strategy, 1 + seed * 101 + index * 7919)),
  }));

  for (const { name, boards } of played) {
    test(`"${name}"`, () => {
      const enough = boards.flat().filter((results) => results.length >= MIN_CALLS);
      expect(enough.length).toBeGreaterThan((SEEDS * ACCOUNTS) / 2);
      const ranked = boards.flatMap(ranksOf).filter((rank) => rank !== null);
      expect(ranked.length).toBeLessThanOrEqual(0.02 * SEEDS * ACCOUNTS);
      boards.forEach((board, seed) => expect(firstTenthBeside(HONEST_BOARDS[seed] ?? [], board)).toEqual([]));
    });
  }
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

describe('boards of honest submitters and cheats', () => {
  const named = (habits: readonly Habit[]) => habits.map((habit) => [habit.name, habit] as const);

  const SEEDS = Array.from({ length: 10 }, (_, board) => 1 + board * 101);

  /** Shares of those who gain at least 2 % a call that have a rank, and a rank or a provisional one, after some days. */
  function sharesOfGood(days: number): { ranked: number; withProvisional: number } {
    const good = [...outcomesOf(HONEST, days, SEEDS)].filter(([name]) => Number.parseFloat(name) >= 2);
    const sum = (of: 'accounts' | 'ranked' | 'provisional'): number =>
      good.reduce((total, [, outcome]) => total + outcome[of], 0);
    return {
      ranked: sum('ranked') / sum('accounts'),
      withProvisional: (sum('ranked') + sum('provisional')) / sum('accounts'),
    };
  }

  describe('ten boards of 200 honest submitters, at a spread of 7 % a call', () => {
    test('rank most good ones after 50 days, and nearly all after 250', () => {
      const { ranked, withProvisional } = sharesOfGood(50);
      expect(ranked).toBeGreaterThan(0.55);
      expect(withProvisional).toBeGreaterThan(0.77);
      expect(sharesOfGood(250).ranked).toBeGreaterThan(0.95);
    });

    test('rank few of those who gain nothing', () => {
      const nothing = outcomesOf(HONEST, 50, SEEDS).get('0');
      expect(nothing?.ranked).toBeLessThan(0.04 * (nothing?.accounts ?? 0));
    });

    test.each(named(TRICKS))('%s: none in the first tenth', (_, cheat) => {
      for (const days of [50, 100]) {
        const outcome = outcomesOf([...HONEST, cheat], days, SEEDS).get(cheat.name);
        expect(outcome?.inFirstTenth).toBe(0);
        expect(outcome?.ranked).toBeLessThan(0.08 * (outcome?.accounts ?? 0));
      }
    });

    test.each(named(PUPPETS))('%s: fewer than one in 200 is in the first tenth', (_, cheat) => {
      for (const days of [50, 100]) {
        const outcome = outcomesOf([...HONEST, cheat], days, SEEDS).get(cheat.name);
        expect(outcome?.inFirstTenth).toBeLessThan(0.005 * (outcome?.accounts ?? 0));
        expect(outcome?.ranked).toBeLessThan(0.05 * (outcome?.accounts ?? 0));
      }
    });
  });

  test('on a board of nothing but one kind of cheat next to nobody has a rank', () => {
    for (const cheat of [...TRICKS, ...PUPPETS]) {
      const outcome = outcomesOf([cheat], 50, SEEDS).get(cheat.name);
      expect(outcome?.ranked).toBeLessThan(0.03 * (outcome?.accounts ?? 0));
    }
  });
});
