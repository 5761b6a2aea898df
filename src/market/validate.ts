import { isRecord } from '../lib/json.ts';
import { SECURITY_TYPES, STOCK_STATUSES, type Stock, type StockUpdate } from '../domain/market/stock.ts';

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

/** Every plain number a source may send. */
export const NUMBER_FIELDS: readonly NumberField[] = [...PRICES, ...AMOUNTS, 'buy_surplus'];

const STATUSES: ReadonlySet<unknown> = new Set(STOCK_STATUSES);
const TYPES: ReadonlySet<unknown> = new Set(SECURITY_TYPES);

const CODE = /^[A-Z0-9][A-Z0-9.]{0,11}$/;

/** How far a stated last price may lie outside the range stated with it before the two can't both be true. */
const RANGE_TOLERANCE = 0.1;

const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);

const isKnown = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Why an update can't be true of its stock, as a sentence; null when it can. Looks at the update alone and at
 * what it would make of the known record, changes neither.
 */
export function refusalOf(update: StockUpdate, before: Stock | undefined): string | null {
  if (typeof update.code !== 'string' || !CODE.test(update.code)) {
    return `${shown(update.code)} is not a stock code; send up to 12 capital letters and digits.`;
  }
  return wrongNumber(update) ?? wrongText(update) ?? wrongRecord(update) ?? wrongRange(update, before);
}

function wrongNumber(update: StockUpdate): string | null {
  for (const field of NUMBER_FIELDS) {
    const value: unknown = update[field];
    if (!isKnown(value)) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return `${field} is ${shown(value)}; send a finite number, or null when it is not known.`;
    }
  }
  for (const field of PRICES) {
    const value = update[field];
    if (typeof value === 'number' && value <= 0) {
      return `${field} is ${value}; a price is above 0, send null when it is not known.`;
    }
  }
  for (const field of AMOUNTS) {
    const value = update[field];
    if (typeof value === 'number' && value < 0) return `${field} is ${value}; it can't be negative.`;
  }
  const { quoteTime } = update;
  if (isKnown(quoteTime) && !Number.isFinite(quoteTime)) {
    return `quoteTime is ${shown(quoteTime)}; send epoch milliseconds.`;
  }
  return null;
}

function wrongText(update: StockUpdate): string | null {
  const { name, status, securityType, sector } = update;
  if (isKnown(name) && typeof name !== 'string') return `name is ${shown(name)}; send text.`;
  if (isKnown(sector) && typeof sector !== 'string') return `sector is ${shown(sector)}; send text or null.`;
  if (isKnown(status) && !STATUSES.has(status)) return `status ${shown(status)} is not known.`;
  if (isKnown(securityType) && !TYPES.has(securityType)) {
    return `securityType ${shown(securityType)} is not known; send stock, fund, cdi or other.`;
  }
  return null;
}

function wrongRecord(update: StockUpdate): string | null {
  for (const field of ['news', 'indicators', 'htf', 'trend'] as const) {
    const value: unknown = update[field];
    if (isKnown(value) && !isRecord(value)) return `${field} is ${shown(value)}; send an object.`;
  }
  for (const field of ['indicators', 'htf', 'trend'] as const) {
    if (!hasOnlyNumbers(update[field])) return `${field} holds a value that is not a finite number.`;
  }
  return null;
}

function hasOnlyNumbers(value: unknown): boolean {
  if (!isKnown(value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return isRecord(value) && Object.values(value).every(hasOnlyNumbers);
}

function wrongRange(update: StockUpdate, before: Stock | undefined): string | null {
  const high = update.high === undefined ? (before?.high ?? null) : update.high;
  const low = update.low === undefined ? (before?.low ?? null) : update.low;
  if (high !== null && low !== null && high < low) return `high ${high} is below low ${low}.`;
  const { last } = update;
  if (!isKnown(last)) return null;
  const stated = Number(last);
  if (isKnown(update.high) && stated > Number(update.high) * (1 + RANGE_TOLERANCE)) {
    return `last ${last} is far above the day's high ${update.high}.`;
  }
  if (isKnown(update.low) && stated < Number(update.low) * (1 - RANGE_TOLERANCE)) {
    return `last ${last} is far below the day's low ${update.low}.`;
  }
  return null;
}
