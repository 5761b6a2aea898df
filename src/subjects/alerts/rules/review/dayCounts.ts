import { addDays, fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { type FiredDay, NOISE_DAYS } from './noise.ts';

const HOUR_MS = 3_600_000;
/** Of an alert that fires all the time so many triggers are kept for longer than this. */
const KEPT_TRIGGERS = 200;
const ALL_KEPT_MS = 48 * HOUR_MS;

/** A day of Sydney, YYYY-MM-DD: from a moment on, until before another, epoch ms. */
export type DaySpan = { date: string; from: number; until: number };

/** The days that are looked at for noise, the oldest first. @param now epoch ms */
export function noiseDays(now: number): DaySpan[] {
  const today = sydneyDate(now);
  return Array.from({ length: NOISE_DAYS }, (_, index) => {
    const date = addDays(today, index + 1 - NOISE_DAYS);
    return { date, from: fromSydney(date, 0, 0), until: fromSydney(addDays(date, 1), 0, 0) };
  });
}

/**
 * How often an alert fired on each of the days that are known in full.
 * @param fired by date, where it did @param kept how many triggers of it there are, and when the oldest was
 */
export function knownDays(
  days: readonly DaySpan[],
  fired: ReadonlyMap<string, number>,
  kept: { kept: number; oldest: number } | null,
  now: number,
): FiredDay[] {
  const isWhole = kept === null || kept.kept < KEPT_TRIGGERS;
  return days
    .filter(({ from }) => isWhole || from >= kept.oldest || from >= now - ALL_KEPT_MS)
    .map(({ date }) => ({ date, fired: fired.get(date) ?? 0 }));
}
