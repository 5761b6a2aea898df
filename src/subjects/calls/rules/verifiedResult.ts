import type { TrackedCall, TrackState } from './tracker.ts';
import type { VerifiedResult } from './types.ts';

const DAY_MS = 86_400_000;

/** When a call ended, epoch ms, and the price that counts for its end, AUD; null when there is none. */
export type Closing = { time: number; price: number | null };

/**
 * The price that a verified result counts from: the dearer of the claim and the first trade after the submission. Nobody
 * could have bought at an older price, whatever it was.
 *
 * @returns AUD; null while that trade is awaited
 */
export const verifiedEntry = (call: TrackedCall, state: TrackState): number | null =>
  state.entryTradePrice === null ? null : Math.max(call.entryPrice, state.entryTradePrice);

/**
 * The price that a verified result counts to: the cheaper of the last price known at the end and the first trade after
 * it.
 *
 * @returns AUD; null while that trade is awaited
 */
export const verifiedExit = (lastKnown: number | null, exitTrade: number | null): number | null =>
  exitTrade === null ? null : Math.min(lastKnown ?? exitTrade, exitTrade);

/**
 * The price a reader could have paid when a call was submitted: the last price, or before the open the match price
 * when that is dearer, because nobody sells at yesterday's price any more.
 *
 * @returns AUD; null when no price is known
 */
export function submissionPrice(stock: {
  status: string;
  last: number | null;
  match_price: number | null;
  close: number | null;
}): number | null {
  const last = stock.last ?? stock.match_price ?? stock.close;
  if (stock.status !== 'Pre Open' || stock.match_price === null || last === null) return last;
  return Math.max(last, stock.match_price);
}

/** Days from one moment to another, epoch ms, with one decimal. */
export const daysBetween = (from: number, to: number): number => Math.round(((to - from) / DAY_MS) * 10) / 10;

const percentFrom = (from: number, to: number): number => Math.round((to / from - 1) * 1e6) / 1e4 + 0;

/** Where a reached stop ended a call, whatever its owner did later; null without one. */
export const stopClosing = ({ stopAt, stopPrice }: TrackState): Closing | null =>
  stopAt === null || stopPrice === null ? null : { time: stopAt, price: stopPrice };

/**
 * What the recorded prices gave, whatever the owner says. A reached stop ends it, at the price that was traded there.
 *
 * @returns percents with four decimals; null for a call that never filled, or while the trade of its entry or its exit
 *   is awaited
 */
export function verifiedResult(
  call: TrackedCall,
  state: TrackState,
  closedBy: Closing,
): VerifiedResult | null {
  const entryPrice = verifiedEntry(call, state);
  const closing = stopClosing(state) ?? closedBy;
  if (state.filledAt === null || closing.price === null || entryPrice === null) return null;
  return {
    percent: percentFrom(entryPrice, closing.price),
    bestPercent: percentFrom(entryPrice, Math.max(state.best ?? closing.price, closing.price)),
    worstPercent: percentFrom(entryPrice, Math.min(state.worst ?? closing.price, closing.price)),
    daysOpen: daysBetween(state.filledAt, closing.time),
    entryPrice,
    exitPrice: closing.price,
  };
}

/** A position that a private trader hardly holds in one stock, AUD. A larger one is looked at, not refused. */
export const MAX_PLAUSIBLE_POSITION = 1_000_000;

/** The cheapest price that a gain, or the dearest that a loss, can be counted from, AUD. */
export const paidFor = (
  pocketed: number,
  { entryPrice }: Pick<TrackedCall, 'entryPrice'>,
  { fillPrice }: Pick<TrackState, 'fillPrice'>,
): number => (pocketed > 0 ? Math.min(entryPrice, fillPrice ?? entryPrice) : entryPrice);

/** The position, AUD at the entry, that makes this much at a price; null if none does, because the price moved the other way. */
export function positionFor(pocketed: number, paid: number, price: number): number | null {
  const move = pocketed > 0 ? price - paid : paid - price;
  return move <= 0 ? null : (Math.abs(pocketed) / move) * paid;
}

/**
 * Why a pocketed value can't have come from the recorded prices, as far as that can be told. A call has no position
 * size, so only three things are certain: without a fill there is nothing to pocket; a gain needs a price above the
 * entry, a loss one below it; and a value that even at the best (or worst) price of the path needs a position of
 * more than a million dollars is not a retail trader's.
 *
 * @param pocketed AUD, as the owner gave it
 * @returns a sentence for the administrator, or null when the value is plausible
 */
export function implausibleReason(
  pocketed: number,
  call: Pick<TrackedCall, 'entryPrice'>,
  state: Pick<TrackState, 'filledAt' | 'fillPrice' | 'best' | 'worst'>,
  closing: Closing,
): string | null {
  if (pocketed === 0) return null;
  if (state.filledAt === null) return 'The call never filled, so there was nothing to pocket.';
  const prices = [state.best, state.worst, closing.price].filter((price) => price !== null);
  if (prices.length === 0) return 'No price was recorded while the call was open.';
  const favoured = pocketed > 0 ? Math.max(...prices) : Math.min(...prices);
  const position = positionFor(pocketed, paidFor(pocketed, call, state), favoured);
  if (position === null) {
    return pocketed > 0
      ? 'A gain was pocketed, but the price never traded above the entry.'
      : 'A loss was pocketed, but the price never traded below the entry.';
  }
  if (position <= MAX_PLAUSIBLE_POSITION) return null;
  const size = Math.round(position).toLocaleString('en-AU');
  return `At the best price of its path the pocketed value would need a position of $${size}.`;
}
