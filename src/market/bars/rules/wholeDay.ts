import { phasesOf } from '#market/rules/sessionClock.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import type { TimeSpan } from './bars.ts';

/**
 * A trading day from 10:00 until the closing auction is over, epoch ms.
 * @param date YYYY-MM-DD in Sydney
 * @returns null on a day without trading
 */
export function wholeDayOf(date: string): TimeSpan | null {
  const until = phasesOf(date).find(({ phase }) => phase === 'cspa')?.until;
  return until === undefined ? null : { from: fromSydney(date, 10, 0), until };
}
