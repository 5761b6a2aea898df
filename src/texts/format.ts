import { sydneyDate } from '../lib/sydneyTime.ts';
import { readTime } from '../lib/read.ts';
import { sydneyParts } from '#lib/sydneyTime.ts';
import { twoDigits } from '../lib/text.ts';

export const DASH = '–';
/** U+2212: as wide as a plus sign, unlike the hyphen. */
export const MINUS = '−';

const intlNumber = (size: number, decimals: number): string =>
  new Intl.NumberFormat('en-AU', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(size);

const MAX_DIGITS = 15;

function grouped(whole: string): string {
  let text = whole.slice(-3);
  for (let end = whole.length - 3; end > 0; end -= 3)
    text = `${whole.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}

/**
 * Formats a non-negative number as Intl does, rounding its decimal digits half up. Intl takes a phone a tenth
 * of a second for the first number and is five times as slow afterwards. It is used only for sizes beyond
 * prices and volumes.
 */
function sizeText(size: number, decimals: number): string {
  const plain = size.toFixed(decimals);
  if (size < 1000 && Number(plain) === size) return plain;
  const [whole = '', fraction = ''] = String(size).split('.');
  if (whole.includes('e') || fraction.includes('e') || whole.length + decimals > MAX_DIGITS) {
    return size < 0.000001 && decimals <= 4 ? plain : intlNumber(size, decimals);
  }
  const cut = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const digits = String((fraction[decimals] ?? '0') >= '5' ? cut + 1 : cut).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? grouped(digits) : `${grouped(digits.slice(0, point))}.${digits.slice(point)}`;
}

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/**
 * A number with separators and fixed decimals, en-AU, with a true minus sign; a dash if missing.
 * @param decimals digits after the point
 */
export function formatNumber(value: number | null | undefined, decimals: number): string {
  if (!isNumber(value)) return DASH;
  const text = sizeText(Math.abs(value), decimals);
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** '1 stock', '1,240 stocks'. @param noun takes an 's' in the plural */
export const counted = (count: number, noun: string): string =>
  `${formatNumber(count, 0)} ${noun}${count === 1 ? '' : 's'}`;

/** Like formatNumber, with a plus sign if the shown value is above zero. */
export function formatSigned(value: number | null | undefined, decimals: number): string {
  const text = formatNumber(value, decimals);
  return isNumber(value) && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Each unit begins where the next smaller one would round to a thousand. */
const SHORT_UNITS = [
  { from: 999.95e9, size: 1e12, unit: 'T' },
  { from: 999.95e6, size: 1e9, unit: 'B' },
  { from: 999.95e3, size: 1e6, unit: 'M' },
  { from: 999.5, size: 1e3, unit: 'K' },
] as const;

/**
 * A short form of a large number: '278.0 B', '1.5 M', '12.3 K'; whole below a thousand.
 * @param isSigned adds a plus sign to positive values
 */
export function formatShort(value: number, isSigned = false): string {
  const format = isSigned ? formatSigned : formatNumber;
  const short = SHORT_UNITS.find(({ from }) => Math.abs(value) >= from);
  return short ? `${format(value / short.size, 1)} ${short.unit}` : format(value, 0);
}

// Written out, because the first Intl date takes a phone a tenth of a second.
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A date, en-AU: 'Saturday 21 November 2026'. @param date YYYY-MM-DD; other text is returned unchanged */
export function formatDate(date: string): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(utc)) return date;
  const day = new Date(utc);
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()} ${LONG_MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/**
 * A short calendar date, en-AU: '19 Nov', with the year if it differs from `relativeTo`: '19 Nov 2025'.
 * @param date YYYY-MM-DD; anything else is returned as it is
 * @param relativeTo YYYY-MM-DD
 */
export function formatShortDate(date: string, relativeTo: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return date;
  return `${Number(day)} ${name}${relativeTo.startsWith(year) ? '' : ` ${year}`}`;
}

export function formatTime(instant: string | number | null | undefined): string {
  const time = readTime(instant);
  if (time === null) return DASH;
  const { hour, minute } = sydneyParts(time);
  return `${twoDigits(hour)}:${twoDigits(minute)}`;
}

/**
 * The Sydney time of day with seconds: '10:42:07'. @param time epoch ms or ISO 8601; a dash for anything else
 */
export function formatClock(time: number | string | null | undefined): string {
  const known = readTime(time);
  if (known === null) return DASH;
  const { hour, minute, second } = sydneyParts(known);
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`;
}

export function formatMinutes(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

/** '21 Nov 10:42' in Sydney. @param time epoch ms or ISO 8601; a dash for anything else */
export function formatMoment(time: number | string | null | undefined): string {
  const known = readTime(time);
  if (known === null) return DASH;
  const date = sydneyDate(known);
  return `${formatShortDate(date, date)} ${formatTime(known)}`;
}
