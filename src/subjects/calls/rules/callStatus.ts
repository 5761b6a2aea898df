import { formatNumber, formatSigned } from '#texts/format.ts';
import { formatCallPrice } from './callFormat.ts';
import { bestOf, percentGained, type Side } from './side.ts';
import type { Call } from './types.ts';

type Known<T> = { [K in keyof T]: T[K] | null };

export type StatusCall = Side &
  Known<
    Pick<
      Call,
      | 'status'
      | 'entryPrice'
      | 'targetPrice'
      | 'stopLevel'
      | 'entryTrade'
      | 'priceAtSubmission'
      | 'stopReached'
    >
  > &
  // The reason, as a sentence, why the call's prices are not followed.
  Partial<Pick<Call, 'trackingPaused'>>;

/** An open call at a price; percents of that price, null if unknown. */
export type Status = Side & {
  /** Percent gained from the verified entry. */
  percent: number | null;
  /** Percent that the price must move to reach the target, and the stop; positive is a gain. */
  toTarget: number | null;
  toStop: number | null;
};

/** @returns null if the call is not open or not followed, its stop was reached, or there is no price */
export function statusOf(call: StatusCall, last: number | null): Status | null {
  if (call.status !== 'open' || call.stopReached !== null || last === null || last <= 0) return null;
  // After a split the call's prices are not comparable.
  if ((call.trackingPaused ?? null) !== null) return null;
  const { entryPrice, entryTrade, isShort } = call;
  const gained = (entry: number, price: number | null): number | null =>
    price === null ? null : percentGained(call, entry, price);
  const from = entryPrice === null || entryTrade === null ? null : bestOf(call, entryPrice, entryTrade.price);
  return {
    isShort,
    percent: from === null || from <= 0 ? null : gained(from, last),
    toTarget: gained(last, call.targetPrice),
    toStop: gained(last, call.stopLevel),
  };
}

/** A claimed entry that differs by more than this fraction from the price at the posting is shown with that price. */
const FAR_CLAIM = 0.05;

/** 'then 38.1', the price at the posting, if the claimed entry is more than 5 % from it; otherwise empty. */
export function claimText({ entryPrice, priceAtSubmission }: StatusCall): string {
  if (entryPrice === null || priceAtSubmission === null || priceAtSubmission <= 0) return '';
  const gap = Math.abs(entryPrice - priceAtSubmission);
  // Tolerance for the rounding of the ratio.
  return gap > FAR_CLAIM * priceAtSubmission + 1e-9 ? `then ${formatCallPrice(priceAtSubmission)}` : '';
}

/**
 * 'Now +1.3%; 4.2% to the target, 3.1% to the stop', in percent of the current price.
 * @param halt why the stock does not trade and its price is old, as 'BHP is halted'; null if it trades
 */
export function statusText({ percent, toTarget, toStop, isShort }: Status, halt: string | null): string {
  const size = (value: number): string => `${formatNumber(Math.abs(value), 1)}%`;
  const [beyond, short] = isShort ? ['below', 'above'] : ['above', 'below'];
  const parts = [
    toTarget === null
      ? null
      : toTarget <= 0
        ? `at the target or ${beyond}`
        : `${size(toTarget)} to the target`,
    toStop === null ? null : toStop >= 0 ? `at the stop or ${short}` : `${size(toStop)} to the stop`,
  ].filter((part) => part !== null);
  const now = percent === null ? 'No trade yet' : `Now ${formatSigned(percent, 1)}%`;
  return [now, parts.join(', '), halt ?? ''].filter((part) => part !== '').join('; ');
}
