import { DAY_MS } from '#lib/units.ts';
import type { TrackedCall, TrackState } from './tracker.ts';
import type { VerifiedResult } from './types.ts';

/** The end of a call: epoch ms, and the price then in AUD, null if unknown. */
export type Closing = { time: number; price: number | null };

/**
 * The verified entry: the higher of the claim and the first trade after the submission, because nobody can buy at an
 * older price.
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
 * The price available at the submission: the last price, or before the open a higher match price, because nobody still
 * sells at yesterday's price.
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

/** Converts epoch ms to days with one decimal. */
export const daysBetween = (from: number, to: number): number => Math.round(((to - from) / DAY_MS) * 10) / 10;

const percentFrom = (from: number, to: number): number => Math.round((to / from - 1) * 1e6) / 1e4 + 0;

export const stopClosing = ({ stopAt, stopPrice }: TrackState): Closing | null =>
  stopAt === null || stopPrice === null ? null : { time: stopAt, price: stopPrice };

/**
 * The result by recorded prices, independent of the owner's claim. A reached stop ends the call at the traded price.
 * @returns percentages with four decimals; null without a fill, or until the trades of entry and exit
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

/** A larger position in one stock is implausible for a private trader, so it is reviewed, not refused; AUD. */
export const MAX_PLAUSIBLE_POSITION = 1_000_000;

/** The entry price that favours the claim: the lowest for a gain, the highest for a loss; AUD. */
export const paidFor = (
  pocketed: number,
  { entryPrice }: Pick<TrackedCall, 'entryPrice'>,
  { fillPrice }: Pick<TrackState, 'fillPrice'>,
): number => (pocketed > 0 ? Math.min(entryPrice, fillPrice ?? entryPrice) : entryPrice);

/** The position, AUD at the entry, that gives this amount at a price; null if the price moved the wrong way. */
export function positionFor(pocketed: number, paid: number, price: number): number | null {
  const move = pocketed > 0 ? price - paid : paid - price;
  return move <= 0 ? null : (Math.abs(pocketed) / move) * paid;
}

/**
 * Why a pocketed value cannot come from the recorded prices. A call has no position size, so only three facts are
 * certain: a call without a fill has no gain or loss; a gain needs a price above the entry, a loss one below; and a
 * value that needs a position above a million dollars is not a retail trader's.
 * @param pocketed AUD, as the owner claims
 * @returns a sentence for administrators; null if plausible
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
