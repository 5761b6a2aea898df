import { addDays } from './sydneyTime.ts';
import { isWeekend, holidayName } from './holidays.ts';
import { type SpecialDay, specialDay } from './specialDays.ts';

/** When continuous trading ends on a usual day, in minutes after midnight. */
const USUAL_CLOSE = 16 * 60;
const EARLY_CLOSE = 14 * 60 + 10;

const isUsualDay = (date: string): boolean => !isWeekend(date) && holidayName(date) === null;

/** The nearest day before (−1) or after (1) a date on which the market is open. */
function nearest(date: string, by: 1 | -1, isOpen: (date: string) => boolean): string {
  let day = addDays(date, by);
  while (!isOpen(day)) day = addDays(day, by);
  return day;
}

/** The market closes at 14:10 on the last trading days before Christmas and of the year. */
function endsEarlyByRule(date: string): boolean {
  if (!date.includes('-12-', 4)) return false;
  const next = nearest(date, 1, isUsualDay);
  const christmas = `${date.slice(0, 4)}-12-25`;
  return date < christmas ? next > christmas : !next.startsWith(date.slice(0, 4));
}

/** Minutes after midnight of HH:MM. */
const minuteOfTime = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * When continuous trading ends on a date, in minutes after midnight in Sydney.
 * @param date YYYY-MM-DD
 * @param special the special rule of the date; null to use only the calendar's rules
 * @returns null when shares don't trade that day
 */
export function closingMinute(date: string, special: SpecialDay | null = specialDay(date)): number | null {
  if (isWeekend(date) || special?.kind === 'closed') return null;
  if (special) return special.closesAt === null ? USUAL_CLOSE : minuteOfTime(special.closesAt);
  if (!isUsualDay(date)) return null;
  return endsEarlyByRule(date) ? EARLY_CLOSE : USUAL_CLOSE;
}

/** @param date YYYY-MM-DD; @returns true when shares trade on that date */
export const isTradingDay = (date: string): boolean => closingMinute(date) !== null;

/** @param date YYYY-MM-DD; @returns the last trading day before it */
export const previousTradingDay = (date: string): string => nearest(date, -1, isTradingDay);

/** @param date YYYY-MM-DD; @returns the first trading day after it */
export const nextTradingDay = (date: string): string => nearest(date, 1, isTradingDay);

/**
 * How much sooner than on a usual day trading ends, in minutes: 110 on a day that closes at 14:10.
 * @param date YYYY-MM-DD; 0 for one without trading
 */
export const minutesEarly = (date: string): number => USUAL_CLOSE - (closingMinute(date) ?? USUAL_CLOSE);

/** @param date YYYY-MM-DD; @returns whether trading ends sooner than on a usual day */
export const closesEarly = (date: string): boolean => minutesEarly(date) > 0;
