import { formatShortDate } from '#texts/format.ts';

/** How often an alert fired on a day of Sydney, YYYY-MM-DD. */
export type FiredDay = { date: string; fired: number };

/** More on a day is too often. */
export const NOISY_TIMES = 20;
/** Days that are looked at, today with them. */
export const NOISE_DAYS = 7;

/** Cooldowns that are offered, minutes. With half an hour an alert on a stock fires 13 times in a session at most. */
const RAISED_COOLDOWNS = [30, 60, 120, 240];

/** The cooldown to raise one to, minutes; null where there is no longer one. */
export const raisedCooldown = (minutes: number): number | null =>
  RAISED_COOLDOWNS.find((one) => one > minutes) ?? null;

/**
 * That an alert fires too often: 'Fired 24 to 61 times a day on 4 of the last 7 days.'
 * @param days known in full, at most one each @param today YYYY-MM-DD
 * @returns null when it does not
 */
export function noisyText(days: readonly FiredDay[], today: string): string | null {
  const noisy = days.filter(({ fired }) => fired > NOISY_TIMES);
  const [first] = noisy;
  if (first === undefined) return null;
  const counts = noisy.map(({ fired }) => fired);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  if (noisy.length === 1) return `Fired ${most} times on ${formatShortDate(first.date, today)}.`;
  const often = least === most ? `${most}` : `${least} to ${most}`;
  // Of one that fires all the time the older days are not kept in full.
  const of = days.length === NOISE_DAYS ? `the last ${NOISE_DAYS}` : `${days.length}`;
  return `Fired ${often} times a day on ${noisy.length} of ${of} days.`;
}
