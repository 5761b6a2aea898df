import { addDays, weekdayOf } from './sydneyTime.ts';
import { compareCodes } from '../../lib/text.ts';
import { twoDigits } from '../../lib/twoDigits.ts';

/** A day that closes the cash market; `date` is YYYY-MM-DD. */
export type Holiday = { date: string; name: string };

const SATURDAY = 6;
const SUNDAY = 0;

/** @param date YYYY-MM-DD */
export function isWeekend(date: string): boolean {
  const weekday = weekdayOf(date);
  return weekday === SATURDAY || weekday === SUNDAY;
}

function onOrNextMonday(date: string): string {
  const weekday = weekdayOf(date);
  if (weekday === SATURDAY) return addDays(date, 2);
  return weekday === SUNDAY ? addDays(date, 1) : date;
}

/**
 * Easter Sunday of the Gregorian calendar.
 * Source: the anonymous algorithm of Nature, 20 April 1876 (Meeus, Astronomical Algorithms, chapter 8).
 * @returns YYYY-MM-DD
 */
export function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return `${year}-${twoDigits(Math.floor(sum / 31))}-${twoDigits((sum % 31) + 1)}`;
}

function secondMondayOfJune(year: number): string {
  const first = `${year}-06-01`;
  return addDays(first, ((8 - weekdayOf(first)) % 7) + 7);
}

/**
 * The cash market's holidays of any year, from the exchange's rules: New Year and Australia Day move to Monday,
 * ANZAC Day never moves, Christmas and Boxing Day on a weekend are replaced by 27 and 28 December. Only the days
 * that take a weekday away are listed.
 */
export function holidaysByRule(year: number): Holiday[] {
  const easter = easterSunday(year);
  const christmas = `${year}-12-25`;
  const boxing = `${year}-12-26`;
  const days: Holiday[] = [
    { date: onOrNextMonday(`${year}-01-01`), name: "New Year's Day" },
    { date: onOrNextMonday(`${year}-01-26`), name: 'Australia Day' },
    { date: addDays(easter, -2), name: 'Good Friday' },
    { date: addDays(easter, 1), name: 'Easter Monday' },
    { date: `${year}-04-25`, name: 'ANZAC Day' },
    { date: secondMondayOfJune(year), name: "King's Birthday" },
    { date: isWeekend(christmas) ? `${year}-12-27` : christmas, name: 'Christmas Day' },
    { date: isWeekend(boxing) ? `${year}-12-28` : boxing, name: 'Boxing Day' },
  ];
  return days.filter((day) => !isWeekend(day.date)).sort((a, b) => compareCodes(a.date, b.date));
}

/** The years whose days were checked against the exchange's published calendar; every other year follows the rules. */
export const LISTED_HOLIDAYS: Readonly<Record<number, readonly Holiday[]>> = {
  2026: [
    { date: '2026-01-01', name: "New Year's Day" },
    { date: '2026-01-26', name: 'Australia Day' },
    { date: '2026-04-03', name: 'Good Friday' },
    { date: '2026-04-06', name: 'Easter Monday' },
    { date: '2026-06-08', name: "King's Birthday" },
    { date: '2026-12-25', name: 'Christmas Day' },
    { date: '2026-12-28', name: 'Boxing Day' },
  ],
  2027: [
    { date: '2027-01-01', name: "New Year's Day" },
    { date: '2027-01-26', name: 'Australia Day' },
    { date: '2027-03-26', name: 'Good Friday' },
    { date: '2027-03-29', name: 'Easter Monday' },
    { date: '2027-06-14', name: "King's Birthday" },
    { date: '2027-12-27', name: 'Christmas Day' },
    { date: '2027-12-28', name: 'Boxing Day' },
  ],
};

/**
 * Which holiday closes the market on a date.
 * @param date YYYY-MM-DD
 * @returns the holiday's name, null on any other day (weekends included)
 */
export function holidayName(date: string): string | null {
  const year = Number(date.slice(0, 4));
  const days = LISTED_HOLIDAYS[year] ?? holidaysByRule(year);
  return days.find((day) => day.date === date)?.name ?? null;
}
