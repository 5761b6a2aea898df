import { DAY_MS } from '#lib/units.ts';
import { bestOf, type Side, signOf, worstOf } from './side.ts';
import type { TrackedCall, TrackState } from './tracker.ts';
import type { VerifiedResult } from './types.ts';

/** The end of a call: epoch ms, and the price then in AUD, null if unknown. */
export type Closing = { time: number; price: number | null };

/**
 * The verified entry: the higher (for a short call the lower) of the claim and the first trade after the submission,
 * because nobody can trade at an older price.
 * @returns AUD; null until that trade
 */
export const verifiedEntry = (call: TrackedCall, state: TrackState): number | null =>
  state.entryTradePrice === null ? null : bestOf(call, call.entryPrice, state.entryTradePrice);

/**
 * The verified exit: the lower (for a short call the higher) of the last price at the end and the first trade after it.
 * @returns AUD; null until that trade
 */
export const verifiedExit = (
  side: Side,
  lastKnown: number | null,
  exitTrade: number | null,
): number | null => (exitTrade === null ? null : worstOf(side, lastKnown ?? exitTrade, exitTrade));

/**
 * The price available at the submission: the last price, or before the open a higher match price (a lower one for a
 * short call), because nobody still trades at yesterday's price.
 * @returns AUD; null if unknown
 */
export function submissionPrice(
  side: Side,
  stock: { status: string; last: number | null; match_price: number | null; close: number | null },
): number | null {
  const last = stock.last ?? stock.match_price ?? stock.close;
  if (stock.status !== 'Pre Open' || stock.match_price === null || last === null) return last;
  return bestOf(side, last, stock.match_price);
}

/** Converts epoch ms to days with one decimal. */
export const daysBetween = (from: number, to: number): number => Math.round(((to - from) / DAY_MS) * 10) / 10;

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
  const { price } = closing;
  const gained = (at: number): number => Math.round(signOf(call) * (at / entryPrice - 1) * 1e6) / 1e4 + 0;
  return {
    percent: gained(price),
    bestPercent: gained(bestOf(call, state.best ?? price, price)),
    worstPercent: gained(worstOf(call, state.worst ?? price, price)),
    daysOpen: daysBetween(state.filledAt, closing.time),
    entryPrice,
    exitPrice: price,
  };
}

/** A larger position in one stock is implausible for a private trader, so it is reviewed, not refused; AUD. */
export const MAX_PLAUSIBLE_POSITION = 1_000_000;

type ClaimedEntry = Side & Pick<TrackedCall, 'entryPrice'>;

/** The entry price that favours the claim: the one that gains most for a gain, least for a loss; AUD. */
export const paidFor = (
  pocketed: number,
  call: ClaimedEntry,
  { fillPrice }: Pick<TrackState, 'fillPrice'>,
): number => (pocketed > 0 ? worstOf(call, call.entryPrice, fillPrice ?? call.entryPrice) : call.entryPrice);

/** The position, AUD at the entry, that gives this amount at a price; null if the price moved the wrong way. */
export function positionFor(side: Side, pocketed: number, paid: number, price: number): number | null {
  const move = Math.sign(pocketed) * signOf(side) * (price - paid);
  return move <= 0 ? null : (Math.abs(pocketed) / move) * paid;
}

/**
 * Why a pocketed value cannot come from the recorded prices. A call has no position size, so only three facts are
 * certain: a call without a fill has no gain or loss; a gain needs a price above the entry, a loss one below, and the
 * reverse for a short call; and a value that needs a position above a million dollars is not a retail trader's.
 * @param pocketed AUD, as the owner claims
 * @returns a sentence for administrators; null if plausible
 */
export function implausibleReason(
  pocketed: number,
  call: ClaimedEntry,
  state: Pick<TrackState, 'filledAt' | 'fillPrice' | 'best' | 'worst'>,
  closing: Closing,
): string | null {
  if (pocketed === 0) return null;
  if (state.filledAt === null) return 'The call never filled, so there was nothing to pocket.';
  const prices = [state.best, state.worst, closing.price].filter((price) => price !== null);
  if (prices.length === 0) return 'No price was recorded while the call was open.';
  const favoured = (pocketed > 0 ? bestOf : worstOf)(call, ...prices);
  const position = positionFor(call, pocketed, paidFor(pocketed, call, state), favoured);
  if (position === null) {
    const what = pocketed > 0 ? 'gain' : 'loss';
    const where = pocketed > 0 === call.isShort ? 'below' : 'above';
    return `A ${what} was pocketed, but the price never traded ${where} the entry.`;
  }
  if (position <= MAX_PLAUSIBLE_POSITION) return null;
  const size = Math.round(position).toLocaleString('en-AU');
  return `At the best price, the pocketed value would need a position of $${size}.`;
}
