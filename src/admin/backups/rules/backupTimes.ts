import { lastNight, nextNight } from './nightlyTime.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The change to daylight saving makes a night an hour shorter. */
const SPARE_MS = 2 * HOUR_MS;

/**
 * Whether a night is one of those on which a backup is made. Nights are counted, not hours, so that one made late, or by hand
 * in the evening, puts off none.
 *
 * @param now epoch ms
 * @param lastGood when the last one was made that nothing is wrong with, epoch ms; null for none. A time more than a day
 *   ahead was written by a clock that was wrong, and counts as none
 */
export function isBackupDue(now: number, lastGood: number | null, everyDays: number): boolean {
  if (lastGood === null || lastGood > now + DAY_MS) return true;
  return lastNight(now) - lastNight(lastGood) >= everyDays * DAY_MS - SPARE_MS;
}

/** The next 03:10 of Sydney at which a backup is due. All epoch ms. */
export function nextBackup(now: number, lastGood: number | null, everyDays: number): number {
  let night = nextNight(now);
  while (!isBackupDue(night, lastGood, everyDays)) night = nextNight(night);
  return night;
}
