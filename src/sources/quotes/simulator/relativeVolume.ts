import { ARRIVAL_POWER } from './auctionFlow.ts';
import type { Live } from './live.ts';
import { type Schedule, slotAt, slotStart } from './phases.ts';
import { closeShareOf, openShareOf } from './record.ts';
import type { StockDay } from './stockDay.ts';

/** The share of a usual opening auction's volume that is matched at a second of the pre-open. */
function usualMatched(schedule: Schedule, second: number): number {
  const passed = (second - schedule.preOpen) / (schedule.ospa - schedule.preOpen);
  const arrived = 1 - (1 - Math.min(1, Math.max(0, passed))) ** (1 / ARRIVAL_POWER);
  return Math.max(0.02, arrived ** 1.5);
}

/** Share of a usual day's volume that has traded by a second of the day. */
function usualTraded(day: StockDay, schedule: Schedule, second: number): number {
  const { listing } = day;
  if (second >= schedule.closing) return 1;
  const open = openShareOf(listing);
  const session = 1 - open - closeShareOf(listing);
  if (second >= schedule.end) return open + session;
  const slot = slotAt(second);
  const begin = slotStart(schedule, slot);
  const part = (second - begin) / (slotStart(schedule, slot + 1) - begin);
  const from = schedule.passed[slot] ?? 0;
  return open + session * (from + part * ((schedule.passed[slot + 1] ?? 1) - from));
}

/**
 * Relative volume: today's volume over the usual volume by this time of day; before the open the matched volume over the
 * usually matched volume. The usual volume is the mean of the last 20 days. Null while nothing has traded or matched.
 */
export function relativeVolume(live: Live, day: StockDay, schedule: Schedule, second: number): number | null {
  if (day.averageVolume <= 0) return null;
  const waiting = second < schedule.open;
  const volume = waiting ? (live.match?.volume ?? 0) : live.volume;
  if (volume === 0) return null;
  const usual = waiting
    ? openShareOf(day.listing) * usualMatched(schedule, second)
    : usualTraded(day, schedule, second);
  return Math.round((volume / (day.averageVolume * usual)) * 100) / 100;
}
