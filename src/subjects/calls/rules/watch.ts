import { isQuotedOn } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { isOpened, isSameTrading, type Quote, tradedBetween, type TradedPrices } from './pricePath.ts';
import {
  advance,
  cheapestOf,
  dearestOf,
  pricesOf,
  type PriceUpdate,
  type TrackedCall,
  type TrackState,
} from './tracker.ts';

/**
 * A quote, when it was made and when the server took it: epoch ms, wall clock. `statedAt` is when it was made by the market's
 * clock, if its provider states it.
 */
export type TimedQuote = { quote: Quote; time: number; takenAt: number; statedAt?: number | null };

/** The last trade that was recorded: its price and its Sydney date. */
export type LastTrade = { price: number; date: string };

/** A price step that may be a bad print: the price before it, and what traded since, the step first. */
export type SuspectPrint = { before: number; prints: readonly PriceUpdate[] };

/** What is remembered of a stock, to find in its next quote what traded since. Never changed in place. */
export type Watch = TimedQuote & { trade: LastTrade | null; doubt: SuspectPrint | null };

/** What the feed declares. */
export type FeedTraits = { days: 'consecutive' | 'independent'; delayMs: number };

type Observation = {
  watch: Watch;
  /** What traded, oldest first. Empty while a print is in doubt. */
  trades: readonly PriceUpdate[];
};

/** A larger change from one trade to the next, as a fraction, is a step that the next trades must confirm. */
const MAX_STEP = 0.4;
/** This many trades after a step decide whether it was a bad print. */
const CONFIRMING_TRADES = 3;
/** A range that grew and a price that is back within this time were a bad print too, ms. */
const SPIKE_MS = 60_000;

/** What a stock shows when a call on it is submitted. */
export const startWatch = (seen: TimedQuote): Watch => ({
  ...seen,
  trade: seen.quote.last === null ? null : tradeOf(seen.quote, seen.quote.last),
  doubt: null,
});

const tradeOf = ({ date }: Quote, price: number): LastTrade => ({ price, date });

// Prices have few decimals, their ratio has not: 1.54 is 40 % above 1.1, and no more.
const isStep = (from: number, to: number): boolean => Math.abs(to / from - 1) > MAX_STEP + 1e-9;

/** Whether a step was traded at two prices at least: then it is no single bad print. @param last the price of the step */
function isConfirmed(traded: TradedPrices, base: number, last: number): boolean {
  const prices = pricesOf(traded).filter((price) => isStep(base, price) && price > base === last > base);
  return new Set(prices).size > 1;
}

/** Whether a price lies nearer to the one before the step than to the step. */
function isUndone({ before, prints: [print] }: SuspectPrint, price: number): boolean {
  const printed = print?.last ?? before;
  return Math.abs(Math.log(price / before)) < Math.abs(Math.log(price / printed));
}

/** Leaves out an end of the range that lies a step away from the prices before and after it. */
function withoutSpikes(traded: PriceUpdate, before: number, last: number): PriceUpdate {
  const rest = { ...traded };
  if (rest.high !== undefined && isStep(before, rest.high) && isStep(last, rest.high)) delete rest.high;
  if (rest.low !== undefined && isStep(before, rest.low) && isStep(last, rest.low)) delete rest.low;
  return rest;
}

/** Whether a quote is known to be of another date's trading than the one before, although it may show the same figures. */
const isOfNewDate = (before: Watch, { quote, statedAt }: TimedQuote): boolean =>
  quote.date !== before.quote.date && isQuotedOn(statedAt, quote.date);

/** From when on everything that is new in a quote was traded: what came before was in the quote before. */
function sinceOf(before: Watch, seen: TimedQuote, { days, delayMs }: FeedTraits): number {
  const { quote } = seen;
  const known = before.takenAt - delayMs;
  if (days === 'independent' || !isOpened(before.quote, quote, isOfNewDate(before, seen))) return known;
  // A whole session lies between them, and none trades before 09:59.
  return Math.max(known, fromSydney(quote.date, 9, 59));
}

/** Sorts bad prints out of what traded. */
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
 * Finds what traded between two quotes of a stock. A quote older than the one before changes nothing. A step of more
 * than 40 % is held back: trades that go back within three make it a bad print, of which nothing is told; else it
 * is told once three trades have confirmed it.
 */
export function watchQuote(before: Watch, seen: TimedQuote, feed: FeedTraits): Observation {
  // A time in the future was noted before the clock was set back.
  if (seen.time < before.time && before.time <= seen.takenAt) {
    return { watch: { ...before, quote: seen.quote, takenAt: seen.takenAt }, trades: [] };
  }
  const { quote } = seen;
  const traded = tradedBetween(before.quote, quote, isOfNewDate(before, seen));
  if (traded === null) {
    // The figures of the day before may stand until the first trade of the new one.
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

/** The last price that is not in doubt, AUD; null when none is known. */
export const trustedPrice = ({ trade }: Watch): number | null => trade?.price ?? null;

/** How its owner ended a call: when (epoch ms), how, and the last price known then, AUD. */
export type Ending = { time: number; price: number | null; isCancelled: boolean };

/** The first trade after the end of a call. */
export type ExitTrade = { time: number; price: number };

type Followed = { state: TrackState; exit: ExitTrade | null };

/** Whether the whole of an update is known to have been traded after a moment. */
const isWhollyAfter = ({ since }: PriceUpdate, moment: number): boolean =>
  since === undefined || since >= moment;

/** Whether the last trade of an update came after a moment; in the same millisecond the order of arrival says so. */
const endsAfter = (update: PriceUpdate, moment: number): boolean =>
  update.time > moment || (update.time === moment && isWhollyAfter(update, moment));

/**
 * What of an update was traded after a moment: all of it, only its last price when the rest may be older, or null.
 *
 * @param moment epoch ms
 */
function tradedAfter(update: PriceUpdate, moment: number): PriceUpdate | null {
  if (!endsAfter(update, moment)) return null;
  if (isWhollyAfter(update, moment)) return update;
  return update.last === undefined ? null : { time: update.time, since: moment, last: update.last };
}

/** The update in which the first trade after the end of a call lies. */
function exitOf(call: TrackedCall, state: TrackState, update: PriceUpdate, end: Ending): Followed {
  const isAfter = isWhollyAfter(update, end.time);
  // What may have been traded before the end counts as if it had been: the owner could have seen it.
  const before = isAfter ? state : advance(call, state, update);
  const price = cheapestOf(isAfter ? update : { ...update, open: undefined });
  if (price === null) return { state: before, exit: null };
  const exit = { time: update.time, price };
  const isUnentered = before.entryTradePrice === null && call.callType === 'bought';
  if (!isUnentered || end.isCancelled) return { state: before, exit };
  // Closed before any trade was printed: bought and sold in the same one.
  return {
    state: { ...before, entryTradeAt: update.time, entryTradePrice: dearestOf(update) ?? price },
    exit,
  };
}

/**
 * Moves a call on by what traded after its submission. Up to its end trades fill it and reach its levels; the first one
 * after the end is the exit, with which it is settled. A cancelled call that no trade was printed for before its end has
 * no entry then, and so no result.
 *
 * @param end null while its owner has not ended it
 * @returns the same state when nothing changed
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
