import { formatNumber, formatSigned } from '#texts/format.ts';
import { formatCallPrice } from './callFormat.ts';
import type { Call } from './types.ts';

type Known<T> = { [K in keyof T]: T[K] | null };

/** What of a call says how it stands; what is not known is null. */
export type StandingCall = Known<
  Pick<
    Call,
    'status' | 'entryPrice' | 'targetPrice' | 'stopLevel' | 'entryTrade' | 'priceAtSubmission' | 'stopReached'
  >
> &
  // A sentence saying why its prices are not followed; null if they are.
  Partial<Pick<Call, 'trackingPaused'>>;

/** How an open call stands at a price; percents of that price, null where they are not known. */
export type Standing = {
  /** From what a result counts from, the dearer of the claim and the first trade after the posting. */
  percent: number | null;
  /** How far the price must move to the target, and to the stop: positive is up. */
  toTarget: number | null;
  toStop: number | null;
};

const move = (from: number, to: number | null): number | null => (to === null ? null : (to / from - 1) * 100);

/**
 * How an open call stands.
 *
 * @param last the live price, AUD; null when it is not known
 * @returns null for a call that is not open, is not followed, whose stop was reached, or without a price
 */
export function standingOf(call: StandingCall, last: number | null): Standing | null {
  if (call.status !== 'open' || call.stopReached !== null || last === null || last <= 0) return null;
  // After a split the call's prices and this one can't be compared.
  if ((call.trackingPaused ?? null) !== null) return null;
  const { entryPrice, entryTrade } = call;
  const from = entryPrice === null || entryTrade === null ? null : Math.max(entryPrice, entryTrade.price);
  return {
    percent: from === null || from <= 0 ? null : move(from, last),
    toTarget: move(last, call.targetPrice),
    toStop: move(last, call.stopLevel),
  };
}

/** '+4.2%'; at or beyond the level 'reached'; nothing when it is not known. */
export const formatToTarget = (percent: number | null): string =>
  percent === null ? '' : percent <= 0 ? 'reached' : `${formatSigned(percent, 1)}%`;
export const formatToStop = (percent: number | null): string =>
  percent === null ? '' : percent >= 0 ? 'reached' : `${formatSigned(percent, 1)}%`;

/** A claim further from the price at the posting than this is shown beside it, as a fraction of that price. */
const FAR_CLAIM = 0.05;

/** The price at the posting of a call whose claimed entry lies more than 5 % from it: 'then 38.1'; '' for others. */
export function claimText({ entryPrice, priceAtSubmission }: StandingCall): string {
  if (entryPrice === null || priceAtSubmission === null || priceAtSubmission <= 0) return '';
  const gap = Math.abs(entryPrice - priceAtSubmission);
  // Prices have few decimals, their ratio has not.
  return gap > FAR_CLAIM * priceAtSubmission + 1e-9 ? `then ${formatCallPrice(priceAtSubmission)}` : '';
}

/**
 * A sentence: 'Now +1.3%; 4.2% to the target, 3.1% to the stop', in percent of the price now.
 * @param halt that the stock does not trade, so that the price is one of before, as 'BHP is halted'; null when it does
 */
export function standingText({ percent, toTarget, toStop }: Standing, halt: string | null): string {
  const size = (value: number): string => `${formatNumber(Math.abs(value), 1)}%`;
  const parts = [
    toTarget === null ? null : toTarget <= 0 ? 'at the target or above' : `${size(toTarget)} to the target`,
    toStop === null ? null : toStop >= 0 ? 'at the stop or below' : `${size(toStop)} to the stop`,
  ].filter((part) => part !== null);
  const now = percent === null ? 'No trade yet' : `Now ${formatSigned(percent, 1)}%`;
  return [now, parts.join(', '), halt ?? ''].filter((part) => part !== '').join('; ');
}
