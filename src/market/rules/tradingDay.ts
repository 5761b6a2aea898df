import { compareCodes, twoDigits } from '#lib/text.ts';
import { addDays, weekdayOf } from '#lib/sydneyTime.ts';

/** A weekday that differs from the calendar's rules: closed, an early close, or usual trading. */
export type SpecialDay = {
  date: string;
  kind: 'closed' | 'early' | 'normal';
  closesAt: string | null;
  reason: string;
};

/**
 * The special days of this process. Like the runtime's time zones they are facts that every rule needs, so
 * they are not passed to each. Each server registers its list and removes it when it stops. Several servers
 * in one process, as in tests, share them.
 */
const held = new Map<object, readonly SpecialDay[]>();
const known: { days: readonly SpecialDay[]; revision: number } = { days: [], revision: 0 };

/** Registers days, replacing those of the same holder. @param holder an empty list removes its days */
export function holdSpecialDays(holder: object, days: readonly SpecialDay[]): void {
  if (days.length === 0) held.delete(holder);
  else held.set(holder, days);
  const all = [...held.values()].flat();
  if (JSON.stringify(all) === JSON.stringify(known.days)) return;
  known.days = all;
  known.revision += 1;
}

const specialDay = (date: string): SpecialDay | null => known.days.find((day) => day.date === date) ?? null;

export const specialDays = (): readonly SpecialDay[] => known.days;

/** Changes with the special days, to invalidate derived values. */
export const specialDaysRevision = (): number => known.revision;

/** A day that closes the cash market; `date` is YYYY-MM-DD. */
export type Holiday = { date: string; name: string };

const SATURDAY = 6;
const SUNDAY = 0;

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
 * Easter Sunday of the Gregorian calendar. Source: the anonymous algorithm of Nature, 20 April 1876 (Meeus,
 * Astronomical Algorithms, chapter 8).
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
 * The cash market's weekday holidays by the exchange's rules: New Year and Australia Day move to Monday,
 * ANZAC Day never moves, Christmas and Boxing Day on a weekend are replaced by 27 and 28 December.
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
    ...(year === 2022 ? [{ date: '2022-09-22', name: 'National Day of Mourning' }] : []),
  ];
  return days.filter((day) => !isWeekend(day.date)).sort((a, b) => compareCodes(a.date, b.date));
}

/** Cached by year, because every rule about days needs them. */
const years = new Map<number, readonly Holiday[]>();

function holidaysOf(year: number): readonly Holiday[] {
  const known = years.get(year) ?? holidaysByRule(year);
  years.set(year, known);
  return known;
}

/** @param date YYYY-MM-DD @returns the holiday's name, null on any other day (weekends included) */
export function holidayName(date: string): string | null {
  const days = holidaysOf(Number(date.slice(0, 4)));
  return days.find((day) => day.date === date)?.name ?? null;
}

/** Usual end of continuous trading, in minutes after midnight. */
const USUAL_CLOSE = 16 * 60;
const EARLY_CLOSE = 14 * 60 + 10;

const isUsualDay = (date: string): boolean => !isWeekend(date) && holidayName(date) === null;

/** The nearest open day before (−1) or after (1) a date. */
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

const minuteOfTime = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * End of continuous trading, in minutes after midnight in Sydney.
 * @param date YYYY-MM-DD
 * @param special the date's special rule; null to use only the calendar's rules
 * @returns null on a non-trading day
 */
export function closingMinute(date: string, special: SpecialDay | null = specialDay(date)): number | null {
  if (isWeekend(date) || special?.kind === 'closed') return null;
  if (special) return special.closesAt === null ? USUAL_CLOSE : minuteOfTime(special.closesAt);
  if (!isUsualDay(date)) return null;
  return endsEarlyByRule(date) ? EARLY_CLOSE : USUAL_CLOSE;
}

export const isTradingDay = (date: string): boolean => closingMinute(date) !== null;

export const previousTradingDay = (date: string): string => nearest(date, -1, isTradingDay);

export const nextTradingDay = (date: string): string => nearest(date, 1, isTradingDay);

/** How much earlier trading ends, minutes: 110 if it ends at 14:10, 0 on a non-trading day. */
export const minutesEarly = (date: string): number => USUAL_CLOSE - (closingMinute(date) ?? USUAL_CLOSE);

export const closesEarly = (date: string): boolean => minutesEarly(date) > 0;
