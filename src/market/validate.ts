import { isRecord } from '../lib/json.ts';
import type { Refusal } from '../lib/result.ts';
import { SECURITY_TYPES, STOCK_STATUSES, type Stock, type StockUpdate } from './rules/stock.ts';

type NumberField =
  | 'open'
  | 'high'
  | 'low'
  | 'close'
  | 'last'
  | 'vwap'
  | 'volume'
  | 'value'
  | 'match_price'
  | 'match_vol'
  | 'buy_surplus'
  | 'marketCap'
  | 'relativeVolume'
  | 'sensitiveAnnouncements';

const PRICES: readonly NumberField[] = ['open', 'high', 'low', 'close', 'last', 'vwap', 'match_price'];
const AMOUNTS: readonly NumberField[] = [
  'volume',
  'value',
  'match_vol',
  'marketCap',
  'relativeVolume',
  'sensitiveAnnouncements',
];

export const NUMBER_FIELDS: readonly NumberField[] = [...PRICES, ...AMOUNTS, 'buy_surplus'];

const STATUSES: ReadonlySet<unknown> = new Set(STOCK_STATUSES);
const TYPES: ReadonlySet<unknown> = new Set(SECURITY_TYPES);

const CODE = /^[A-Z0-9][A-Z0-9.]{0,11}$/;

/** Tolerance of a last price or a VWAP outside of the day's range, as a fraction. */
const RANGE_TOLERANCE = 0.1;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);

const isStated = (value: unknown): boolean => value !== undefined && value !== null;

const wrong = (field: string, message: string): Refusal => ({ field, message });

/**
 * Why an update can't be valid. Changes neither argument.
 * @param before null if the stock is not listed
 * @returns the first wrong field and a sentence; null if it is valid
 */
export function refusalOf(update: StockUpdate, before: Stock | null): Refusal | null {
  if (typeof update.code !== 'string' || !CODE.test(update.code)) {
    const code = textOf(update.code);
    return wrong('code', `${code} is not a stock code; send up to 12 capital letters and digits.`);
  }
  return wrongNumber(update) ?? wrongText(update) ?? wrongRecord(update) ?? wrongRange(update, before);
}

function wrongNumber(update: StockUpdate): Refusal | null {
  for (const field of NUMBER_FIELDS) {
    const value: unknown = update[field];
    if (!isStated(value)) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return wrong(field, `${field} is ${textOf(value)}; send a finite number, or null if unknown.`);
    }
  }
  for (const field of PRICES) {
    const value = update[field];
    if (typeof value === 'number' && value <= 0) {
      return wrong(field, `${field} is ${value}; send a price above 0, or null if unknown.`);
    }
  }
  for (const field of AMOUNTS) {
    const value = update[field];
    if (typeof value === 'number' && value < 0) {
      return wrong(field, `${field} is ${value}; it cannot be negative.`);
    }
  }
  const { quoteTime } = update;
  return isStated(quoteTime) && !Number.isFinite(quoteTime)
    ? wrong('quoteTime', `quoteTime is ${textOf(quoteTime)}; send epoch milliseconds.`)
    : null;
}

function wrongText(update: StockUpdate): Refusal | null {
  const { name, status, securityType, sector } = update;
  if (isStated(name) && typeof name !== 'string') return wrong('name', `name is ${textOf(name)}; send text.`);
  if (isStated(sector) && typeof sector !== 'string') {
    return wrong('sector', `sector is ${textOf(sector)}; send text or null.`);
  }
  if (isStated(status) && !STATUSES.has(status)) {
    return wrong('status', `status ${textOf(status)} is not known.`);
  }
  if (isStated(securityType) && !TYPES.has(securityType)) {
    const type = textOf(securityType);
    return wrong('securityType', `securityType ${type} is not known; send stock, fund, cdi or other.`);
  }
  return null;
}

function wrongRecord(update: StockUpdate): Refusal | null {
  for (const field of ['news', 'indicators', 'htf', 'trend', 'yearRange'] as const) {
    const value: unknown = update[field];
    if (isStated(value) && !isRecord(value)) {
      return wrong(field, `${field} is ${textOf(value)}; send an object.`);
    }
  }
  for (const field of ['indicators', 'htf', 'trend', 'yearRange'] as const) {
    if (!hasOnlyNumbers(update[field])) {
      return wrong(field, `${field} holds a value that is not a finite number.`);
    }
  }
  return null;
}

function hasOnlyNumbers(value: unknown): boolean {
  if (!isStated(value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return isRecord(value) && Object.values(value).every(hasOnlyNumbers);
}

const known = (field: 'open' | 'high' | 'low', update: StockUpdate, before: Stock | null): number | null =>
  update[field] === undefined ? (before?.[field] ?? null) : update[field];

function wrongRange(update: StockUpdate, before: Stock | null): Refusal | null {
  const high = known('high', update, before);
  const low = known('low', update, before);
  if (high !== null && low !== null && high < low) return wrong('high', `high ${high} is below low ${low}.`);
  return wrongOpen(update, before) ?? wrongLast(update) ?? wrongAverage(update, high, low);
}

/** A missing end of the range follows the open (`derive`). */
function wrongOpen(update: StockUpdate, before: Stock | null): Refusal | null {
  const { high, low } = update;
  const open = known('open', update, before);
  if (open === null) return null;
  const hint = isStated(update.open) ? '' : ' Send open too if it was corrected, or null if unknown.';
  const field = (end: 'high' | 'low') => (isStated(update.open) ? 'open' : end);
  if (typeof high === 'number' && open > high) {
    return wrong(field('high'), `open ${open} is above the day's high ${high}.${hint}`);
  }
  return typeof low === 'number' && open < low
    ? wrong(field('low'), `open ${open} is below the day's low ${low}.${hint}`)
    : null;
}

function wrongLast({ last, high, low }: StockUpdate): Refusal | null {
  if (typeof last !== 'number') return null;
  return farOutside('last', last, high ?? null, low ?? null);
}

/** The VWAP must be within the day's prices; some sources omit trades from the range. */
function wrongAverage({ vwap, last }: StockUpdate, high: number | null, low: number | null): Refusal | null {
  if (typeof vwap !== 'number') return null;
  const highest = high === null ? null : Math.max(high, last ?? high);
  const lowest = low === null ? null : Math.min(low, last ?? low);
  return farOutside('vwap', vwap, highest, lowest);
}

function farOutside(
  field: 'last' | 'vwap',
  price: number,
  high: number | null,
  low: number | null,
): Refusal | null {
  if (high !== null && price > high * (1 + RANGE_TOLERANCE)) {
    return wrong(field, `${field} ${price} is far above the day's high ${high}.`);
  }
  return low !== null && price < low * (1 - RANGE_TOLERANCE)
    ? wrong(field, `${field} ${price} is far below the day's low ${low}.`)
    : null;
}
