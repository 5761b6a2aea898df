import { describe, expect, test } from 'bun:test';
import type { RankedResult } from '../../../../src/subjects/calls/rules/dailyResults.ts';
import { rankSubmitters, type Tally } from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { MIN_RANK_DAYS } from '../../../../src/subjects/calls/rules/rankBounds.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import {
  HONEST,
  talliesOf,
  tallyOf,
  type Habit,
  outcomesOf,
  PUPPETS,
  TRICKS,
} from '../../../support/rankBoards.ts';
import { type Ending, follow } from '../../../../src/subjects/calls/rules/follow.ts';
import {
  startTracking,
  type TrackedCall,
  type TrackState,
} from '../../../../src/subjects/calls/rules/tracker.ts';
import { verifiedExit, verifiedResult } from '../../../../src/subjects/calls/rules/verifiedResult.ts';

/** A stock that starts at `start` and moves by the exchange's price steps, AUD. */
type BlindStock = { code: string; start: number; step: number };

/** What a trader who knows nothing of the future sees of a call of his own. */
type View = { move: number; age: number; results: readonly number[]; random(): number };

type BlindStrategy = {
  name: string;
  callType: 'bought' | 'buy';
  /** This many steps below the price the claimed entry lies. */
  below?: number;
  /** This many steps below the entry a hard stop lies; none without. */
  stop?: number;
  /** Posts on a stock now, this many calls at once; `jumped` is by how many steps its price has just moved. */
  posts(view: {
    day: number;
    step: number;
    code: string;
    jumped: number;
    results: readonly number[];
    random(): number;
  }): number;
  closes(view: View): boolean;
  /** Cancels what lost instead of closing it. */
  cancelsLosers?: true;
};

type Held = { call: TrackedCall; code: string; state: TrackState; end: Ending | null; posted: number };

const DAY_MS = 86_400_000;
const TRADE_MS = 20 * 60_000;
/** As the server's limits are. */
const MAX_A_DAY = 20;
const MAX_LIVE_PER_SYMBOL = 3;
/** Trades of a stock in a day. */
const TRADES_A_DAY = 12;
/** 10:00 in Sydney on 2 November 2026. */
const BEGIN = Date.UTC(2026, 10, 1, 23);

const toTick = (price: number): number => Math.round(price * 1000) / 1000;

/**
 * The prices of a stock at each trade of all days: a fair walk on its steps with news, on which one trade in forty moves by
 * up to 8 steps.
 */
function walkOf({ start, step }: BlindStock, days: number, random: () => number): number[] {
  let price = start;
  return Array.from({ length: days * TRADES_A_DAY }, () => {
    // No price falls below nothing, and there it stays; as far as it can fall it may rise.
    const most = Math.round(price / step);
    const steps = Math.min(most, random() < 0.025 ? 8 : 1);
    price = toTick(price + (random() < 0.5 ? step : -step) * steps);
    return price;
  });
}

function callOf(strategy: BlindStrategy, stock: BlindStock, price: number, now: number): TrackedCall {
  const entryPrice = toTick(price - (strategy.below ?? 0) * stock.step);
  const stop = toTick(entryPrice - (strategy.stop ?? 0) * stock.step);
  const hasStop = strategy.stop !== undefined && stop > 0;
  return {
    callType: strategy.callType,
    entryPrice,
    targetPrice: entryPrice * 10,
    stopLossType: hasStop ? 'HARD' : 'NONE',
    stopLoss: hasStop ? stop : null,
    submittedAt: now,
    priceAtSubmission: price,
  };
}

/**
 * The verified results of one account that follows a strategy, by the rules of the domain: each trade is seen by the tracker,
 * then the trader acts.
 *
 * @param prices of each stock at each trade
 */
function playBlindly(
  strategy: BlindStrategy,
  stocks: readonly BlindStock[],
  prices: ReadonlyMap<string, readonly number[]>,
  random: () => number,
): RankedResult[] {
  const done: RankedResult[] = [];
  const percents: number[] = [];
  let held: Held[] = [];
  let posted = { day: -1, count: 0 };
  const resultOf = ({ call, code, state, end }: Held, price: number | null): RankedResult[] => {
    const exit = verifiedExit(end?.price ?? null, price);
    const percent = verifiedResult(call, state, { time: end?.time ?? 0, price: exit })?.percent;
    const from = state.entryTradeAt ?? call.submittedAt;
    return percent === undefined
      ? []
      : [{ percent, market: null, symbol: code, from, until: end?.time ?? null }];
  };
  const trades = prices.get(stocks[0]?.code ?? '')?.length ?? 0;
  for (let trade = 0; trade < trades; trade += 1) {
    const day = Math.floor(trade / TRADES_A_DAY);
    const now = BEGIN + day * DAY_MS + (trade % TRADES_A_DAY) * TRADE_MS;
    if (posted.day !== day) posted = { day, count: 0 };
    const live: Held[] = [];
    for (const one of held) {
      const last = prices.get(one.code)?.[trade] ?? 0;
      const { state, exit } = follow(one.call, one.state, { time: now, since: now - 1, last }, one.end);
      one.state = state;
      if (exit === null) live.push(one);
      else {
        const results = resultOf(one, exit.price);
        done.push(...results);
        percents.push(...results.map(({ percent }) => percent));
      }
    }
    held = live;
    for (const one of held) {
      const last = prices.get(one.code)?.[trade] ?? 0;
      const move = (last - one.call.entryPrice) / (stocks.find(({ code }) => code === one.code)?.step ?? 1);
      if (one.end !== null || !strategy.closes({ move, age: trade - one.posted, results: percents, random }))
        continue;
      one.end = { time: now + 1, price: last, isCancelled: strategy.cancelsLosers === true && move < 0 };
    }
    for (const stock of stocks) {
      const last = prices.get(stock.code)?.[trade] ?? 0;
      if (last <= (strategy.below ?? 0) * stock.step) continue;
      const step = trade % TRADES_A_DAY;
      const before = prices.get(stock.code)?.[trade - 1] ?? last;
      const jumped = Math.round((last - before) / stock.step);
      const wanted = strategy.posts({ day, step, code: stock.code, jumped, results: percents, random });
      const same = held.filter(({ code, end }) => code === stock.code && end === null).length;
      const count = Math.min(wanted, MAX_LIVE_PER_SYMBOL - same, MAX_A_DAY - posted.count);
      for (let index = 0; index < count; index += 1) {
        const call = callOf(strategy, stock, last, now + 2);
        held.push({ call, code: stock.code, state: startTracking(call), end: null, posted: trade });
        posted.count += 1;
      }
    }
  }
  const open = held.flatMap((one) => resultOf(one, prices.get(one.code)?.at(-1) ?? null));
  return [...done, ...open];
}

const seldom = ({ random }: { random(): number }): number => (random() < 0.06 ? 1 : 0);

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Those that were at the top once, and what somebody would try who has read how the rank comes about. */
const BLIND_STRATEGIES: readonly BlindStrategy[] = [
  {
    name: 'closes winners at four steps, keeps losers',
    callType: 'bought',
    posts: seldom,
    closes: ({ move }) => move >= 4,
  },
  { name: 'closes winners at one step', callType: 'bought', posts: seldom, closes: ({ move }) => move >= 1 },
  { name: 'closes at once', callType: 'bought', posts: seldom, closes: () => true },
  { name: 'holds for ever', callType: 'bought', posts: seldom, closes: () => false },
  {
    name: 'cuts losers, lets winners run',
    callType: 'bought',
    stop: 2,
    posts: seldom,
    closes: ({ move }) => move >= 12,
  },
  {
    name: 'three calls on one stock at once',
    callType: 'bought',
    posts: ({ random }) => (random() < 0.04 ? 3 : 0),
    closes: ({ move, age }) => move >= 3 || age > 30,
  },
  {
    name: 'all calls of a day at its first trade',
    callType: 'bought',
    posts: ({ step }) => (step === 0 ? 3 : 0),
    closes: ({ age }) => age >= 10,
  },
  {
    name: 'stops posting while it is ahead',
    callType: 'bought',
    posts: (view) => (view.results.length >= 20 && meanOf(view.results) > 2 ? 0 : seldom(view)),
    closes: ({ move, age }) => move >= 2 || age > 40,
  },
  {
    name: 'posts on news that everybody has seen',
    callType: 'bought',
    posts: ({ jumped }) => (jumped >= 8 ? 1 : 0),
    closes: ({ move, age }) => move >= 3 || age >= 12,
  },
  {
    name: 'cancels what has lost',
    callType: 'bought',
    cancelsLosers: true,
    posts: seldom,
    closes: ({ move, age }) => move >= 3 || move <= -3 || age > 40,
  },
  {
    name: 'waits for a lower price, closes one step up',
    callType: 'buy',
    below: 1,
    posts: seldom,
    closes: ({ move }) => move >= 1,
  },
];

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
