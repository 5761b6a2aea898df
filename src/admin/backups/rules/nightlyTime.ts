import { DAY_MS } from '#lib/units.ts';
import { Cron } from 'croner';

/** Daily at 03:10 in Sydney: daylight saving neither skips nor repeats this hour, and no market trades. */
const NIGHTLY = '10 3 * * *';

/** Paused, so that it only computes times and sets no timer. */
const cron = (): Cron => new Cron(NIGHTLY, { timezone: 'Australia/Sydney', paused: true });

/** The next 03:10 in Sydney after a moment. Both epoch ms. */
export function nextNight(after: number): number {
  const next = cron().nextRun(new Date(after));
  if (next === null) throw new RangeError(`There is no nightly run after ${after}.`);
  return next.getTime();
}

/** The latest 03:10 in Sydney that is not after `now`. Both epoch ms. */
export function lastNight(now: number): number {
  // `previousRuns` returns only earlier times; adding a second includes a run that has just begun.
  const [last] = cron().previousRuns(1, new Date(now + 1000));
  if (last === undefined) throw new RangeError(`There is no nightly run before ${now}.`);
  return last.getTime();
}

/**
 * Whether 03:10 has passed since the nightly job last ran, also while the machine was off.
 * @param lastRun when the job last began; null for never. A time more than a day ahead comes from a wrong clock and
 * counts as never
 * @param jitterMs delay after 03:10, so that installations do not all work at the same time
 */
export function isNightDue(now: number, lastRun: number | null, jitterMs: number): boolean {
  if (lastRun === null || lastRun > now + DAY_MS) return true;
  const night = lastNight(now);
  return lastRun < night && now >= night + jitterMs;
}

/** Allowance for a night that is an hour shorter because daylight saving begins. */
const SPARE_MS = 2 * 3_600_000;

/**
 * Whether a backup is due tonight. Counts nights, not hours, so that a late or manual backup postpones none.
 * @param lastGood epoch ms of the last backup without a fault; null for none. A time more than a day ahead comes from a
 * wrong clock and counts as none
 */
export function isBackupDue(now: number, lastGood: number | null, everyDays: number): boolean {
  if (lastGood === null || lastGood > now + DAY_MS) return true;
  return lastNight(now) - lastNight(lastGood) >= everyDays * DAY_MS - SPARE_MS;
}

/** The next 03:10 in Sydney at which a backup is due. All times are epoch ms. */
export function nextBackup(now: number, lastGood: number | null, everyDays: number): number {
  let night = nextNight(now);
  while (!isBackupDue(night, lastGood, everyDays)) night = nextNight(night);
  return night;
}
