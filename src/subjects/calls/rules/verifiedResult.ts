import { DAY_MS } from '#lib/units.ts';
import type { TrackedCall, TrackState } from './tracker.ts';
import type { VerifiedResult } from './types.ts';

/** Epoch ms, and the price of the end in AUD; null for none. */
export type Closing = { time: number; price: number | null };

/**
 * The verified entry: the higher of the claim and the first trade after the submission, because nobody could have
 * bought at an older price.
 * @returns AUD; null until that trade
 */
export const verifiedEntry = (call: TrackedCall, state: TrackState): number | null =>
  state.entryTradePrice === null ? null : Math.max(call.entryPrice, state.entryTradePrice);

/**
 * The verified exit: the lower of the last price at the end and the first trade after it.
 * @returns AUD; null until that trade
 */
export const verifiedExit = (lastKnown: number | null, exitTrade: number | null): number | null =>
  exitTrade === null ? null : Math.min(lastKnown ?? exitTrade, exitTrade);

/**
 * The price available at the submission: the last price, or before the open a higher match price, because nobody
 * sells at yesterday's price any more.
 * @returns AUD; null if unknown
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

/** Epoch ms to days with one decimal. */
export const daysBetween = (from: number, to: number): number => Math.round(((to - from) / DAY_MS) * 10) / 10;

const percentFrom = (from: number, to: number): number => Math.round((to / from - 1) * 1e6) / 1e4 + 0;

export const stopClosing = ({ stopAt, stopPrice }: TrackState): Closing | null =>
  stopAt === null || stopPrice === null ? null : { time: stopAt, price: stopPrice };

/**
 * The result by recorded prices, whatever the owner claims. A reached stop ends it at the traded price.
 * @returns percents with four decimals; null without a fill, or until the trades of entry and exit
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

/** A larger position in one stock is implausible for a private trader, AUD. It is reviewed, not refused. */
export const MAX_PLAUSIBLE_POSITION = 1_000_000;

/** The lowest price that a gain, or the highest that a loss, can be counted from, AUD. */
export const paidFor = (
  pocketed: number,
  { entryPrice }: Pick<TrackedCall, 'entryPrice'>,
  { fillPrice }: Pick<TrackState, 'fillPrice'>,
): number => (pocketed > 0 ? Math.min(entryPrice, fillPrice ?? entryPrice) : entryPrice);

/** The position, AUD at the entry, that gives this amount at a price; null if the price moved the other way. */
export function positionFor(pocketed: number, paid: number, price: number): number | null {
  const move = pocketed > 0 ? price - paid : paid - price;
  return move <= 0 ? null : (Math.abs(pocketed) / move) * paid;
}

/**
 * Why a pocketed value cannot come from the recorded prices. A call has no position size, so only three facts are
 * certain: without a fill there is nothing to pocket; a gain needs a price above the entry, a loss one below; and a
 * value that needs a position above a million dollars is not a retail trader's.
 * @param pocketed AUD, as the owner gave it
 * @returns a sentence for administrators, or null if plausible
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
  return `At the best price, the pocketed value would need a position of $${size}.`;
}
