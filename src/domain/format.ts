import { readTime } from '../lib/read.ts';
import { SYDNEY } from './market/sydneyTime.ts';

/** Shown for a value that is not known. */
export const DASH = '–';
/** U+2212: as wide as a plus sign, unlike the hyphen. */
export const MINUS = '−';

const LOCALE = 'en-AU';

const makeFormatter = (decimals: number): Intl.NumberFormat =>
  new Intl.NumberFormat(LOCALE, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

// Making one costs more than a thousand uses, and every cell of every tick uses one.
const FORMATTERS: readonly Intl.NumberFormat[] = [0, 1, 2, 3, 4].map(makeFormatter);

const formatterFor = (decimals: number): Intl.NumberFormat => FORMATTERS[decimals] ?? makeFormatter(decimals);

/** Rounds to the shown decimals first, so that -0.04 at one decimal is 0.0 and carries no sign. */
const isShownNegative = (text: string): boolean => text.startsWith('-') && /[1-9]/.test(text);

/**
 * What Intl writes of a number that needs neither rounding nor separators, at a fifth of its price; null for any other.
 * Messages are written by the thousand, and tables by the cell.
 */
function plainNumber(value: number, decimals: number): string | null {
  if (!(Math.abs(value) < 1000)) return null;
  const text = value.toFixed(decimals);
  return Number(text) === value ? text : null;
}

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/**
 * A number with separators and a fixed count of decimals, en-AU, with the true minus sign; a dash when missing.
 * @param decimals digits after the point
 */
export function formatNumber(value: number | null | undefined, decimals: number): string {
  if (!isNumber(value)) return DASH;
  const text = plainNumber(value, decimals) ?? formatterFor(decimals).format(value);
  if (!text.startsWith('-')) return text;
  return isShownNegative(text) ? MINUS + text.slice(1) : text.slice(1);
}

/** As formatNumber, with a plus sign before what is shown as more than zero. */
export function formatSigned(value: number | null | undefined, decimals: number): string {
  const text = formatNumber(value, decimals);
  return isNumber(value) && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Each begins where the one before it would round to a thousand. */
const SHORT_UNITS = [
  { from: 999.95e9, size: 1e12, unit: 'T' },
  { from: 999.95e6, size: 1e9, unit: 'B' },
  { from: 999.95e3, size: 1e6, unit: 'M' },
  { from: 999.5, size: 1e3, unit: 'K' },
] as const;

/**
 * A large number in short: '278.0 B', '1.5 M', '12.3 K'; below a thousand whole.
 * @param isSigned with a plus sign before what is more than zero
 */
export function formatShort(value: number, isSigned = false): string {
  const format = isSigned ? formatSigned : formatNumber;
  const short = SHORT_UNITS.find(({ from }) => Math.abs(value) >= from);
  return short ? `${format(value / short.size, 1)} ${short.unit}` : format(value, 0);
}

const dateFormatter = new Intl.DateTimeFormat(LOCALE, {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

const timeFormatter = new Intl.DateTimeFormat(LOCALE, {
  timeZone: SYDNEY,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/**
 * A calendar date in words, en-AU: 'Saturday 21 November 2026'.
 * @param date YYYY-MM-DD; anything else is given back as it is
 */
export function formatDate(date: string): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(utc) ? date : dateFormatter.format(utc).replaceAll(',', '');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/**
 * A calendar date in short, en-AU: '19 Nov', in another year than the one beside it '19 Nov 2025'.
 * @param date YYYY-MM-DD; anything else is given back as it is @param beside YYYY-MM-DD
 */
export function formatShortDate(date: string, beside: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return date;
  return `${Number(day)} ${name}${beside.startsWith(year) ? '' : ` ${year}`}`;
}

/**
 * The Sydney time of day, HH:MM.
 * @param instant ISO 8601 or epoch ms; a dash when it is neither
 */
export function formatTime(instant: string | number | null | undefined): string {
  const time = readTime(instant);
  return time === null ? DASH : timeFormatter.format(time);
}

const clockFormat = new Intl.DateTimeFormat(LOCALE, {
  timeZone: SYDNEY,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** The time of day in Sydney with seconds: '10:42:07'. @param time epoch ms or ISO 8601; a dash when it is neither */
export function formatClock(time: number | string | null | undefined): string {
  const known = readTime(time);
  return known === null ? DASH : clockFormat.format(known);
}

/** A length of time in whole minutes: '12 min', '1 h 05 min'. */
export function formatMinutes(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
