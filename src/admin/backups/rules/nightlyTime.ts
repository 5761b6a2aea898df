import { Cron } from 'croner';

/** Daily at 03:10 in Sydney: an hour that no change of daylight saving skips or repeats, and in which nothing trades. */
const NIGHTLY = '10 3 * * *';

const DAY_MS = 24 * 3_600_000;

/** Paused: it only reckons, and neither sets a timer nor reads a clock. */
const cron = (): Cron => new Cron(NIGHTLY, { timezone: 'Australia/Sydney', paused: true });

/** The next 03:10 of Sydney after a moment. Both epoch ms. */
export function nextNight(after: number): number {
  const next = cron().nextRun(new Date(after));
  if (next === null) throw new RangeError(`There is no night after ${after}.`);
  return next.getTime();
}

/** The 03:10 of Sydney that was last, or is now. Both epoch ms. */
export function lastNight(now: number): number {
  // croner looks for one that lies before; the second that has just begun counts too.
  const [last] = cron().previousRuns(1, new Date(now + 1000));
  if (last === undefined) throw new RangeError(`There is no night before ${now}.`);
  return last.getTime();
}

/**
 * Whether the nightly job is to run: 03:10 passed since it last did, also while the machine was off.
 *
 * @param lastRun when it began last; null when it never did. A time more than a day ahead was written by a clock that was
 *   wrong, and counts as never
 * @param jitterMs so much after 03:10, so that not all installations in the world work at once
 */
export function isNightDue(now: number, lastRun: number | null, jitterMs: number): boolean {
  if (lastRun === null || lastRun > now + DAY_MS) return true;
  const night = lastNight(now);
  return lastRun < night && now >= night + jitterMs;
}

/** The change to daylight saving makes a night an hour shorter. */
const SPARE_MS = 2 * 3_600_000;

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
