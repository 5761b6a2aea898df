import { fromSydney, sydneyDate } from '../../../market/rules/sydneyTime.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Submitter } from './deps.ts';
import type { CallStore } from './store.ts';

/** By the date in Sydney. */
const MAX_CALLS_PER_DAY = 20;
/** Pending or open. */
const MAX_LIVE_PER_SYMBOL = 3;

/**
 * Refuses what would be one call too many.
 *
 * @param now epoch ms
 * @throws AppError 429
 */
export function refuseTooMany(
  store: Pick<CallStore, 'countSince' | 'countLive'>,
  user: Submitter,
  symbol: string,
  now: number,
): void {
  if (store.countSince(user.id, fromSydney(sydneyDate(now), 0, 0)) >= MAX_CALLS_PER_DAY) {
    throw new AppError(429, `You have submitted ${MAX_CALLS_PER_DAY} calls today. Submit more tomorrow.`);
  }
  if (store.countLive(user.id, symbol) >= MAX_LIVE_PER_SYMBOL) {
    const message = `You have ${MAX_LIVE_PER_SYMBOL} pending or open calls on ${symbol}. Close or cancel one first.`;
    throw new AppError(429, { field: 'symbol', message });
  }
}
