import { addDays } from './sydneyTime.ts';
import { isWeekend, holidayName } from './holidays.ts';

/** @param date YYYY-MM-DD; @returns true when shares trade on that date */
export const isTradingDay = (date: string): boolean => !isWeekend(date) && holidayName(date) === null;

/** @param date YYYY-MM-DD; @returns the last trading day before it */
export function previousTradingDay(date: string): string {
  let day = addDays(date, -1);
  while (!isTradingDay(day)) day = addDays(day, -1);
  return day;
}

/** @param date YYYY-MM-DD; @returns the first trading day after it */
export function nextTradingDay(date: string): string {
  let day = addDays(date, 1);
  while (!isTradingDay(day)) day = addDays(day, 1);
  return day;
}

/**
 * The market closes at 14:10 on the last trading days before Christmas and of the year.
 * @param date YYYY-MM-DD
 */
export function closesEarly(date: string): boolean {
  if (!date.includes('-12-', 4) || !isTradingDay(date)) return false;
  const year = date.slice(0, 4);
  return (
    date === previousTradingDay(`${year}-12-25`) || date === previousTradingDay(`${Number(year) + 1}-01-01`)
  );
}
