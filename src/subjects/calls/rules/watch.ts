import { isQuotedOn } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { isOpened, isSameTrading, type Quote, tradedBetween, type TradedPrices } from './pricePath.ts';
import {
  advance,
  entryIn,
  exitIn,
  pricesOf,
  type PriceUpdate,
  type TrackedCall,
  type TrackState,
} from './tracker.ts';

/**
 * `time` and `takenAt`: when the quote was made and received, epoch ms by the wall clock. `statedAt`: when it was
 * made by the market's clock, if its provider states it.
 */
export type TimedQuote = { quote: Quote; time: number; takenAt: number; statedAt?: number | null };

export type LastTrade = { price: number; date: string };

/** A possible bad print: the price before it, and the trades from it on. */
export type SuspectPrint = { before: number; prints: readonly PriceUpdate[] };

/** The last known quote and trade of a stock, between two quotes. Immutable. */
export type Watch = TimedQuote & { trade: LastTrade | null; doubt: SuspectPrint | null };

export type FeedTraits = { days: 'consecutive' | 'independent'; delayMs: number };

type Observation = {
  watch: Watch;
  /** Trades, oldest first. Empty while a print is suspect. */
  trades: readonly PriceUpdate[];
};

/** A change between trades above this fraction must be confirmed by the next trades. */
const MAX_STEP = 0.4;
/** The number of trades after a step that decide whether it was a bad print. */
const CONFIRMING_TRADES = 3;
/** If the range grew and the price returned within this time (ms), that was a bad print too. */
const SPIKE_MS = 60_000;

export const startWatch = (seen: TimedQuote): Watch => ({
  ...seen,
  trade: seen.quote.last === null ? null : tradeOf(seen.quote, seen.quote.last),
  doubt: null,
});

const tradeOf = ({ date }: Quote, price: number): LastTrade => ({ price, date });

// Tolerance for the rounding of the ratio: 1.54 is exactly 40 % above 1.1.
const isStep = (from: number, to: number): boolean => Math.abs(to / from - 1) > MAX_STEP + 1e-9;

/** A step traded at two or more prices is not a single bad print. @param last the price of the step */
function isConfirmed(traded: TradedPrices, base: number, last: number): boolean {
  const prices = pricesOf(traded).filter((price) => isStep(base, price) && price > base === last > base);
  return new Set(prices).size > 1;
}

/** Whether a price is closer to the one before the step than to the step. */
function isUndone({ before, prints: [print] }: SuspectPrint, price: number): boolean {
  const printed = print?.last ?? before;
  return Math.abs(Math.log(price / before)) < Math.abs(Math.log(price / printed));
}

/** Drops an end of the range that is a step away from the prices before and after it. */
function withoutSpikes(traded: PriceUpdate, before: number, last: number): PriceUpdate {
  const rest = { ...traded };
  if (rest.high !== undefined && isStep(before, rest.high) && isStep(last, rest.high)) delete rest.high;
  if (rest.low !== undefined && isStep(before, rest.low) && isStep(last, rest.low)) delete rest.low;
  return rest;
}

/** Whether a quote belongs to a new date's trading, even if the figures are the same. */
const isOfNewDate = (before: Watch, { quote, statedAt }: TimedQuote): boolean =>
  quote.date !== before.quote.date && isQuotedOn(statedAt, quote.date);

/** The earliest time of trades that are new in a quote; earlier ones were in the previous quote. */
function sinceOf(before: Watch, seen: TimedQuote, { days, delayMs }: FeedTraits): number {
  const { quote } = seen;
  const known = before.takenAt - delayMs;
  if (days === 'independent' || !isOpened(before.quote, quote, isOfNewDate(before, seen))) return known;
  // A new session started between the quotes, and none trades before 09:59.
  return Math.max(known, fromSydney(quote.date, 9, 59));
}

function filterBadPrints(before: Watch, traded: PriceUpdate, seen: TimedQuote, base: number | null) {
  const last = traded.last ?? seen.quote.last;
  if (base === null || last === null) return { trades: [traded], doubt: null };
  const { doubt } = before;
  if (doubt && !isUndone(doubt, last)) {
    const prints = [...doubt.prints, traded];
    if (prints.length > CONFIRMING_TRADES) return { trades: prints, doubt: null };
    return { trades: [], doubt: { ...doubt, prints } };
  }
  if (isStep(base, last) && !isConfirmed(traded, base, last)) {
    return { trades: [], doubt: { before: base, prints: [traded] } };
  }
  const isShort = seen.time - before.time <= SPIKE_MS && seen.quote.date === before.quote.date;
  return { trades: [isShort || doubt ? withoutSpikes(traded, base, last) : traded], doubt: null };
}

/**
 * Finds the trades between two quotes of a stock. An older quote changes nothing. A step of more than 40 % is delayed:
 * if the price returns within three trades, it was a bad print and is dropped, otherwise it counts.
 */
export function watchQuote(before: Watch, seen: TimedQuote, feed: FeedTraits): Observation {
  // A last quote in the future was recorded before the clock was set back.
  if (seen.time < before.time && before.time <= seen.takenAt) {
    return { watch: { ...before, quote: seen.quote, takenAt: seen.takenAt }, trades: [] };
  }
  const { quote } = seen;
  const traded = tradedBetween(before.quote, quote, isOfNewDate(before, seen));
  if (traded === null) {
    // The previous day's figures may remain until the first trade of the new day.
    const isStale = quote.date !== before.quote.date && isSameTrading(before.quote, quote);
    return { watch: { ...before, ...seen, quote: isStale ? before.quote : quote }, trades: [] };
  }
  const isNewDay = before.trade !== null && before.trade.date !== quote.date;
  const base = isNewDay && feed.days === 'independent' ? null : (before.trade?.price ?? null);
  const update: PriceUpdate = { ...traded, time: seen.time, since: sinceOf(before, seen, feed) };
  const { trades, doubt } = filterBadPrints(before, update, seen, base);
  const trade = doubt === null && quote.last !== null ? tradeOf(quote, quote.last) : before.trade;
  return { watch: { ...seen, trade, doubt }, trades };
}

/** The last price that is not suspect, AUD. */
export const trustedPrice = ({ trade }: Watch): number | null => trade?.price ?? null;

/** The end of a call by its owner: epoch ms, and the last price then in AUD. */
export type Ending = { time: number; price: number | null; isCancelled: boolean };

/** The first trade after the end. */
export type ExitTrade = { time: number; price: number };

type Followed = { state: TrackState; exit: ExitTrade | null };

const isWhollyAfter = ({ since }: PriceUpdate, moment: number): boolean =>
  since === undefined || since >= moment;

/** Within the same millisecond, the order of arrival decides. */
const endsAfter = (update: PriceUpdate, moment: number): boolean =>
  update.time > moment || (update.time === moment && isWhollyAfter(update, moment));

/** The part of an update that traded after a time: the whole, only its last price if the rest may be older, or null. */
function tradedAfter(update: PriceUpdate, moment: number): PriceUpdate | null {
  if (!endsAfter(update, moment)) return null;
  if (isWhollyAfter(update, moment)) return update;
  return update.last === undefined ? null : { time: update.time, since: moment, last: update.last };
}

/** Applies the update that has the first trade after the end of a call. */
function exitOf(call: TrackedCall, state: TrackState, update: PriceUpdate, end: Ending): Followed {
  const isAfter = isWhollyAfter(update, end.time);
  // Trades that may be older than the end count before it, because the owner could have seen them.
  const before = isAfter ? state : advance(call, state, update);
  const price = exitIn(call, isAfter ? update : { ...update, open: undefined });
  if (price === null) return { state: before, exit: null };
  const exit = { time: update.time, price };
  const isUnentered = before.entryTradePrice === null && call.callType === 'bought';
  if (!isUnentered || end.isCancelled) return { state: before, exit };
  // The call was closed before any trade, so entry and exit are the same trade.
  return {
    state: { ...before, entryTradeAt: update.time, entryTradePrice: entryIn(call, update) ?? price },
    exit,
  };
}

/**
 * Advances a call by the trades after its submission. Until the end, trades fill it and reach its levels; the first
 * trade after the end is the exit and settles it. A call cancelled before any trade has no entry and no result.
 * @param end null until the owner ends it
 * @returns the same state if nothing changed
 */
export function follow(
  call: TrackedCall,
  state: TrackState,
  update: PriceUpdate,
  end: Ending | null,
): Followed {
  const part = tradedAfter(update, call.submittedAt);
  if (part === null) return { state, exit: null };
  if (end === null || !endsAfter(part, end.time)) return { state: advance(call, state, part), exit: null };
  return exitOf(call, state, part, end);
}
