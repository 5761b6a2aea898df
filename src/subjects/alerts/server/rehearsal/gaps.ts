import { dayOfKey } from '../../../../market/rules/localTime.ts';
import type { KnownBars } from './moments.ts';

/** Less than this part of a day's shares in its minutes means that minutes are missing. */
const WHOLE = 0.9;

/**
 * A sentence about days of which some minutes were not collected, as they are not while the server is down; null when
 * there are none. Known only of days that have a bar of their own.
 * @param from the first day that is looked at, a day number
 */
export function gapsText({ days, minutes }: KnownBars, from: number): string | null {
  const traded = new Map<number, number>();
  for (const { key, volume } of minutes) {
    const day = dayOfKey(key);
    if (day >= from) traded.set(day, (traded.get(day) ?? 0) + volume);
  }
  const gaps = days.filter(({ key, volume }) => (traded.get(key) ?? volume) < volume * WHOLE).length;
  if (gaps === 0) return null;
  const these = gaps === 1 ? 'one day' : `${gaps} days`;
  return `Some minutes of ${these} are missing: they were not tested, and volume is too low after them.`;
}
