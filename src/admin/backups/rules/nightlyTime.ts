import { DAY_MS } from '#lib/units.ts';
import { Cron } from 'croner';

/** Daily at 03:10 in Sydney: daylight saving neither skips nor repeats this hour, and nothing trades. */
const NIGHTLY = '10 3 * * *';

/** Paused: only computes times, without a timer. */
const cron = (): Cron => new Cron(NIGHTLY, { timezone: 'Australia/Sydney', paused: true });

/** The next 03:10 in Sydney after a moment. Both epoch ms. */
export function nextNight(after: number): number {
  const next = cron().nextRun(new Date(after));
  if (next === null) throw new RangeError(`There is no nightly run after ${after}.`);
  return next.getTime();
}

/** The latest 03:10 in Sydney that is not after `now`. Both epoch ms. */
export function lastNight(now: number): number {
  // croner returns only earlier times; adding a second includes one that has just begun.
  const [last] = cron().previousRuns(1, new Date(now + 1000));
  if (last === undefined) throw new RangeError(`There is no nightly run before ${now}.`);
  return last.getTime();
}

/**
 * Whether 03:10 has passed since the nightly job last ran, also while the machine was off.
 * @param lastRun when it last began; null for never. A time more than a day ahead comes from a wrong clock and counts
 *   as never.
 * @param jitterMs delay after 03:10, so that installations do not all work at the same time
 */
export function isNightDue(now: number, lastRun: number | null, jitterMs: number): boolean {
  if (lastRun === null || lastRun > now + DAY_MS) return true;
  const night = lastNight(now);
  return lastRun < night && now >= night + jitterMs;
}

/** The change to daylight saving makes a night an hour shorter. */
const SPARE_MS = 2 * 3_600_000;

/**
 * Whether a backup is due tonight. Counts nights rather than hours, so a late or manual backup postpones none.
 * @param lastGood epoch ms of the last backup without a fault; null for none. A time more than a day ahead comes from
 *   a wrong clock and counts as none.
 */
export function isBackupDue(now: number, lastGood: number | null, everyDays: number): boolean {
  if (lastGood === null || lastGood > now + DAY_MS) return true;
  return lastNight(now) - lastNight(lastGood) >= everyDays * DAY_MS - SPARE_MS;
}

/** The next 03:10 in Sydney when a backup is due. All epoch ms. */
export function nextBackup(now: number, lastGood: number | null, everyDays: number): number {
  let night = nextNight(now);
  while (!isBackupDue(night, lastGood, everyDays)) night = nextNight(night);
  return night;
}
