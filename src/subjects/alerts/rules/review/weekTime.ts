import { addDays, fromSydney, sydneyDate, weekdayOf } from '#market/rules/sydneyTime.ts';

const SATURDAY = 6;
const HOUR = 10;
/** A server that was away at ten on Saturday still tells it until the end of Sunday. */
const DAYS_LATE = 2;

/**
 * The Saturday whose review is due: from its 10:00 in Sydney to the end of Sunday.
 * @param now epoch ms @returns its date, YYYY-MM-DD; null at any other time
 */
export function dueWeek(now: number): string | null {
  const today = sydneyDate(now);
  for (let back = 0; back < DAYS_LATE; back += 1) {
    const date = addDays(today, -back);
    if (weekdayOf(date) === SATURDAY) return now >= fromSydney(date, HOUR, 0) ? date : null;
  }
  return null;
}

const WEEK_DAYS = 7;

/**
 * Whether a person was told of a week already. A clock that was far ahead and is right again does not silence it.
 * @param told the last Saturday they were told of, YYYY-MM-DD
 */
export const wasTold = (told: string | null, week: string): boolean =>
  told !== null && told >= week && told <= addDays(week, WEEK_DAYS);
