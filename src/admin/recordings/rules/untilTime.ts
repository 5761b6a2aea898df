import { fromSydney, sydneyParts } from '../../../market/rules/sydneyTime.ts';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * The moment that a Sydney time of day names: today's, or, where that is past, tomorrow's.
 * @param text such as 16:30
 * @param now epoch ms
 * @returns epoch ms; null for what is no time of day
 */
export function untilTime(text: string, now: number): number | null {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const { date } = sydneyParts(now);
  const today = fromSydney(date, Number(hour), Number(minute));
  if (today > now) return today;
  // Noon of the next date, whatever daylight saving does in between.
  const tomorrow = sydneyParts(fromSydney(date, 12, 0) + 24 * 3_600_000).date;
  return fromSydney(tomorrow, Number(hour), Number(minute));
}
