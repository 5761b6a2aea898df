import { type Ending, follow } from '../../src/subjects/calls/rules/follow.ts';
import type { RankedResult } from '../../src/subjects/calls/rules/dailyResults.ts';
import { startTracking, type TrackedCall, type TrackState } from '../../src/subjects/calls/rules/tracker.ts';
import { verifiedExit, verifiedResult } from '../../src/subjects/calls/rules/verifiedResult.ts';

/** A stock that starts at `start` and moves by the exchange's price steps, AUD. */
export type BlindStock = { code: string; start: number; step: number };

/** What a trader who knows nothing of the future sees of a call of his own. */
type View = { move: number; age: number; results: readonly number[]; random(): number };

export type BlindStrategy = {
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
export const TRADES_A_DAY = 12;
/** 10:00 in Sydney on 2 November 2026. */
const BEGIN = Date.UTC(2026, 10, 1, 23);

const toTick = (price: number): number => Math.round(price * 1000) / 1000;

/**
 * The prices of a stock at each trade of all days: a fair walk on its steps with news, on which one trade in forty moves by
 * up to 8 steps.
 */
export function walkOf({ start, step }: BlindStock, days: number, random: () => number): number[] {
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
export function playBlindly(
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
export const BLIND_STRATEGIES: readonly BlindStrategy[] = [
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
