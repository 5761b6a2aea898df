import { createRandom } from '#lib/random.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { advance, type PriceUpdate, startTracking, type TrackedCall, type TrackState } from './tracker.ts';
import type { CallStatus } from './types.ts';
import { type Closing, stopClosing, implausibleReason } from './verifiedResult.ts';

/** The submitter whose call waits for review, if that submitter has a suitable call. */
const REVIEWED = 'LateMail';
/** AUD. Any gain is implausible for a call whose price never rose. */
const GAIN = 1840;
/** AUD. Implausible for a private trader. */
const GREAT_GAIN = 9_000_000;

/**
 * Why a call with this pocketed value would wait for review; null if it would not, or if its owner did not end it.
 */
const reasonFor = ({ status, call, state, closing }: DemoCall, pocketed: number): string | null =>
  status === 'closed' && closing !== null ? implausibleReason(pocketed, call, state, closing) : null;

/** Gives one call an implausible gain, so that the review queue is never empty. Prefers one that never rose. */
export function withImplausibleGain(history: readonly DemoCall[]): DemoCall[] {
  const find = (gain: number): { chosen: DemoCall; gain: number } | null => {
    const able = history.filter((demo) => reasonFor(demo, gain) !== null);
    const chosen = able.find(({ submitter }) => submitter === REVIEWED) ?? able[0];
    return chosen ? { chosen, gain } : null;
  };
  const found = find(GAIN) ?? find(GREAT_GAIN);
  return history.map((demo) => (demo === found?.chosen ? { ...demo, pocketedValue: found.gain } : demo));
}

export const DEMO_SUBMITTERS = [
  { name: 'Currawong', calls: 48, winShare: 0.78 },
  { name: 'Southerly', calls: 36, winShare: 0.44 },
  { name: 'OreBody', calls: 30, winShare: 0.7 },
  { name: 'LateMail', calls: 24, winShare: 0.36 },
  { name: 'Goldfields', calls: 16, winShare: 0.55 },
  { name: 'QuietAchiever', calls: 9, winShare: 0.66 },
  { name: 'FirstTimer', calls: 3, winShare: 0.5 },
] as const;

export type DemoCall = {
  submitter: string;
  symbol: string;
  status: CallStatus;
  call: TrackedCall;
  state: TrackState;
  closing: Closing | null;
  pocketedValue: number | null;
};

/** Sydney times of day, in hours. */
const SAMPLED_HOURS = [10.3, 11.5, 13.2, 14.6, 15.8];

/** Times on the trading days before `now`, oldest first; epoch ms. */
function tradingTimes(now: number, days: number, random: () => number): number[] {
  const times: number[] = [];
  let date = sydneyDate(now);
  for (let day = 0; day < days; day += 1) {
    date = previousTradingDay(date);
    for (const hour of [...SAMPLED_HOURS].reverse()) {
      times.push(fromSydney(date, Math.floor(hour), Math.floor((hour % 1) * 60 + random() * 10)));
    }
  }
  return times.reverse();
}

/** A random walk built backwards from `last`, so that today's price fits. */
function pricesTo(last: number, times: readonly number[], random: () => number): PriceUpdate[] {
  let price = last;
  const path: PriceUpdate[] = [];
  for (const time of [...times].reverse()) {
    path.push({ time, last: roundToStep(price) });
    price = Math.max(0.002, price * (1 + (random() - 0.5) * 0.06));
  }
  return path.reverse();
}

/** A stock with its last price (AUD) and its real prices if known, oldest first. */
export type DemoStock = { code: string; last: number; path?: readonly PriceUpdate[] };

const MIN_PATH = 60;

const MAX_ATTEMPTS = 12;

type Draft = { call: TrackedCall; state: TrackState; end: PriceUpdate };

function draftCall(path: readonly PriceUpdate[], random: () => number, isLive: boolean): Draft | null {
  const begin = isLive
    ? path.length - 3 - Math.floor(random() * 20)
    : Math.floor(random() * (path.length - 12));
  const first = path[begin];
  const length = isLive ? path.length - begin : 5 + Math.floor(random() * 35);
  const later = path.slice(begin + 1, begin + length);
  const end = later.at(-1);
  if (first?.last === undefined || end === undefined) return null;
  // The trade that verifies a filled position has the same price.
  const after = [{ time: first.time + 20_000, last: first.last }, ...later];
  const isBought = random() < 0.6;
  const entryPrice = isBought ? first.last : roundToStep(first.last * 0.985);
  const trailing = random() < 0.3;
  const call: TrackedCall = {
    callType: isBought ? 'bought' : 'buy',
    isShort: false,
    entryPrice,
    targetPrice: Math.max(roundToStep(entryPrice * (1.04 + random() * 0.1)), roundToStep(entryPrice + 0.001)),
    stopLossType: trailing ? 'TRAILING_PCT' : 'HARD',
    stopLoss: trailing ? 4 + Math.floor(random() * 8) : roundToStep(entryPrice * 0.95),
    submittedAt: first.time + 7_000,
    priceAtSubmission: first.last,
  };
  if (call.targetPrice <= entryPrice || call.stopLoss === entryPrice) return null;
  const state = after.reduce((before, update) => advance(call, before, update), startTracking(call));
  const stopped = stopClosing(state);
  if (isLive && stopped !== null) return null;
  return { call, state, end: stopped === null ? end : { time: stopped.time, last: stopped.price ?? 0 } };
}

/** Repeats until the outcome is a gain or a loss, as wanted; null after too many attempts. */
function draftWithOutcome(
  { last, path = [] }: DemoStock,
  times: readonly number[],
  random: () => number,
  { wins, isLive }: { wins: boolean; isLive: boolean },
): Draft | null {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const made = path.length >= MIN_PATH ? path : pricesTo(last, times, random);
    const draft = draftCall(made, random, isLive);
    if (!draft) continue;
    const hasWon = (draft.end.last ?? 0) > draft.call.entryPrice;
    if (isLive || (draft.state.filledAt !== null && hasWon === wins)) return draft;
  }
  return null;
}

function pocketedOf(draft: Draft, random: () => number): number {
  const shares = Math.round((1500 + random() * 6500) / draft.call.entryPrice);
  return Math.round(shares * ((draft.end.last ?? 0) - draft.call.entryPrice) * 100) / 100;
}

/**
 * Demo calls with real prices of the stock if known, otherwise a random walk. The tracker's rules compute every
 * state, and pocketed values fit the prices.
 * @param now epoch ms; the calls are on the thirty trading days before it
 * @param stocks with their last price, AUD
 */
export function demoCalls(now: number, stocks: readonly DemoStock[], seed = 1): DemoCall[] {
  const random = createRandom(seed);
  const usable = stocks.filter((stock) => stock.last >= 0.05 && stock.last < 60);
  if (usable.length === 0) return [];
  const times = tradingTimes(now, 30, random);
  return DEMO_SUBMITTERS.flatMap(({ name, calls, winShare }) =>
    Array.from({ length: calls }, (_, index): DemoCall[] => {
      const stock = usable[Math.floor(random() * usable.length)];
      const isLive = index % 6 === 5;
      // Gains are spread evenly.
      const wins = (index * winShare) % 1 < winShare;
      const draft = stock && draftWithOutcome(stock, times, random, { wins, isLive });
      if (!stock || !draft) return [];
      const { call, state, end } = draft;
      const closing = { time: end.time + 40_000, price: end.last ?? null };
      const common = { submitter: name, symbol: stock.code, call, state };
      if (isLive) {
        const status = state.filledAt === null ? 'pending' : 'open';
        return [{ ...common, status, closing: null, pocketedValue: null }];
      }
      if (index % 11 === 7) return [{ ...common, status: 'cancelled', closing, pocketedValue: null }];
      return [{ ...common, status: 'closed', closing, pocketedValue: pocketedOf(draft, random) }];
    }).flat(),
  );
}
