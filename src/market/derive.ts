import { mergePatch } from '../lib/mergePatch.ts';
import type { MarketCapCategory, Stock, StockUpdate } from './rules/stock.ts';
import { NUMBER_FIELDS } from './validate.ts';

const rounder =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.round(value * factor) / factor;
  };

/** A value this close to the next digit counts as that digit, because of binary rounding. */
const BINARY_ERROR = 1 + 1e-14;

/**
 * Truncates and never rounds up. Later rounding then gives the same as without truncation, and comparing a
 * price on a step with a truncated average is exact.
 */
const cutter =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.trunc(value * factor * BINARY_ERROR) / factor + 0; // -0 + 0 is 0
  };

const sixDecimals = cutter(6);
const fourDecimals = cutter(4);
const cents = cutter(2);

/** AUD, without binary rounding errors. */
const exactPrice = rounder(6);

const threeDecimals = cutter(3);

/** AUD. Columns show whole dollars, so cents are sent only for small amounts. */
const money = (value: number): number => (value >= 1000 ? Math.round(value) : cents(value));

/** A volume-weighted average price with the digits of the record, AUD. */
export const averageOnWire = (value: number): number =>
  value >= 0.1 ? fourDecimals(value) : sixDecimals(value);

/**
 * Precision of computed numbers on the wire, finer than any column. Their digits are most of a tick's bytes.
 * Other fields are sent unchanged.
 */
const WIRE_PRECISION: Partial<Record<keyof Stock, (value: number) => number>> = {
  vwap: averageOnWire,
  value: money,
  marketCap: Math.round,
  relativeVolume: threeDecimals,
};

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** Seven digits, more than any column shows; null if not finite. */
export function sevenDigits(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size >= 1e6) return Math.round(value);
  if (size < 1e-8) return 0;
  let decimals = 6;
  for (let limit = 10; size >= limit; limit *= 10) decimals -= 1;
  for (let limit = 1; size < limit; limit /= 10) decimals += 1;
  const factor = POWERS_OF_TEN[decimals] ?? 1;
  return Math.round(value * factor) / factor;
}

const LARGE_CAP = 1e9;
const MID_CAP = 3e8;

/**
 * Merges a valid update into a record: absent members stay, null clears, news, indicators and htf are merged.
 * Derived members are not changed.
 * @returns a new record; the identical one if nothing changed
 */
export function mergeUpdate(before: Stock, update: StockUpdate): Stock {
  let next: Stock | null = null;
  for (const field of NUMBER_FIELDS) {
    const stated = update[field];
    if (stated === undefined) continue;
    const round = WIRE_PRECISION[field];
    const value = stated !== null && round ? round(stated) : stated;
    if (before[field] === value) continue;
    next ??= { ...before };
    next[field] = value;
  }
  const { name, status, securityType, sector } = update;
  if (name && name !== before.name) (next ??= { ...before }).name = name;
  if (status && status !== before.status) (next ??= { ...before }).status = status;
  if (securityType && securityType !== before.securityType)
    (next ??= { ...before }).securityType = securityType;
  if (sector !== undefined && sector !== before.sector) (next ??= { ...before }).sector = sector;
  if (update.trend !== undefined) {
    const trend = update.trend === null ? null : (mergePatch(before.trend, update.trend) as Stock['trend']);
    if (trend !== before.trend) (next ??= { ...before }).trend = trend;
  }
  for (const field of ['news', 'indicators', 'htf', 'yearRange'] as const) {
    if (update[field] === undefined) continue;
    const merged = mergePatch(before[field], update[field]);
    if (merged === before[field] || (merged === null && before[field] === undefined)) continue;
    next ??= { ...before };
    if (merged === null) delete next[field];
    else Object.assign(next, { [field]: merged });
  }
  return next ?? before;
}

/**
 * Computes the derived members in place: change, traded value, match figures and category by market cap. A
 * member is null if an input is unknown.
 * @param stock a new record without other references
 * @param update its update: the day's range follows a last price or an open without a range
 * @param hasValue whether the source states the traded value; otherwise it is volume × VWAP or last price
 */
export function derive(
  stock: Stock,
  update: Pick<StockUpdate, 'open' | 'last' | 'vwap'>,
  hasValue: boolean,
): void {
  const { close, last, match_price, match_vol } = stock;
  for (const price of [update.open, update.last]) {
    if (price && stock.high !== null && price > stock.high) stock.high = price;
    if (price && stock.low !== null && price < stock.low) stock.low = price;
  }
  stock.change = changeOf(last, close);
  stock.change_percent = percentOf(last, close);
  if (!hasValue) {
    // The record's VWAP is already truncated.
    const average = update.vwap ?? stock.vwap ?? last;
    stock.value = average === null || stock.volume === null ? null : money(average * stock.volume);
  }
  Object.assign(stock, matchOf(match_price, match_vol, close));
  stock.marketCapCategory = stock.marketCap === null ? null : capCategory(stock.marketCap);
}

export const changeOf = (last: number | null, close: number | null): number | null =>
  last === null || close === null ? null : exactPrice(last - close);

export const matchOf = (
  price: number | null,
  volume: number | null,
  close: number | null,
): Pick<Stock, 'match_value' | 'indicativeChangePercent'> => ({
  match_value: price === null || volume === null ? null : money(price * volume),
  indicativeChangePercent: percentOf(price, close),
});

const capCategory = (marketCap: number): MarketCapCategory =>
  marketCap >= LARGE_CAP ? 'large' : marketCap >= MID_CAP ? 'mid' : 'small';

/** Percent, from the exact difference, because truncation would keep the error of a subtraction. */
export const percentOf = (now: number | null, close: number | null): number | null =>
  now === null || close === null ? null : threeDecimals((exactPrice(now - close) / close) * 100);
