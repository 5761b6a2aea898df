import { fromSydney } from '#lib/sydneyTime.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { phasesOf } from '../rules/sessionClock.ts';
import { previousTradingDay } from '../rules/tradingDay.ts';
import type { SessionGap } from './rules/sessionDay.ts';

/**
 * The recorded minutes of a date: from the pre-open until the closing prices are known; null if nothing trades.
 * @param delayMinutes by which prices are late
 */
export function sessionHours(date: string, delayMinutes = 0): SessionGap | null {
  const midnight = fromSydney(date, 0, 0);
  const minuteOf = (time: number): number => Math.floor((time - midnight) / MINUTE_MS);
  const phases = phasesOf(date);
  const [from, adjust] = [phases[0]?.since, phases.find(({ phase }) => phase === 'adjust')];
  if (from === undefined || !adjust) return null;
  const until = minuteOf(adjust.since) + 1 + Math.ceil(delayMinutes);
  return { from: minuteOf(from), until: Math.min(until, minuteOf(adjust.until)) };
}

/** Since when announcements count as of this session, epoch ms: the previous day's close. */
export const newsSince = (date: string): number =>
  phasesOf(previousTradingDay(date)).find(({ phase }) => phase === 'post-close')?.since ??
  fromSydney(date, 0, 0);
