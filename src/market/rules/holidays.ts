import { addDays, weekdayOf } from './sydneyTime.ts';
import { compareCodes, twoDigits } from '#lib/text.ts';

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
    // Proclaimed; what is proclaimed later is a special day.
    ...(year === 2022 ? [{ date: '2022-09-22', name: 'National Day of Mourning' }] : []),
  ];
  return days.filter((day) => !isWeekend(day.date)).sort((a, b) => compareCodes(a.date, b.date));
}

/** Cache by year, because every rule about days needs the holidays of its year. */
const years = new Map<number, readonly Holiday[]>();

function holidaysOf(year: number): readonly Holiday[] {
  const known = years.get(year) ?? holidaysByRule(year);
  years.set(year, known);
  return known;
}

/**
 * Which holiday closes the market on a date.
 * @param date YYYY-MM-DD
 * @returns the holiday's name, null on any other day (weekends included)
 */
export function holidayName(date: string): string | null {
  const days = holidaysOf(Number(date.slice(0, 4)));
  return days.find((day) => day.date === date)?.name ?? null;
}
