import { mergePatch } from '../lib/mergePatch.ts';
import type { MarketCapCategory, Stock, StockUpdate } from './rules/stock.ts';
import { NUMBER_FIELDS } from './validate.ts';

const rounder =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.round(value * factor) / factor;
  };

/** A value nearer to the next digit than the error of binary fractions has that digit. */
const BINARY_ERROR = 1 + 1e-14;

/**
 * Cuts digits off and never rounds up: what a column rounds later is then the same as if nothing had been cut, and
 * a price on a step is above a cut average exactly when it is above the average.
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

/** A price or the difference of two, AUD, freed of the error of binary fractions. */
const exactPrice = rounder(6);

/** A percent or ratio as it is sent. */
const threeDecimals = cutter(3);

/** Traded money as it is sent, AUD: columns show whole dollars, so cents are sent only for small amounts. */
const money = (value: number): number => (value >= 1000 ? Math.round(value) : cents(value));

/**
 * Precision of the numbers that sources compute themselves, finer than any column shows: their digits are most of what a
 * tick sends. The fields that are not listed are sent as they came.
 */
const WIRE_PRECISION: Partial<Record<keyof Stock, (value: number) => number>> = {
  vwap: (value) => (value >= 0.1 ? fourDecimals(value) : sixDecimals(value)),
  value: money,
  marketCap: Math.round,
  relativeVolume: threeDecimals,
};

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** An indicator's value as it is sent: seven digits, more than any column shows. Null for what is not finite. */
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
 * Merges a valid update into a record: absent members keep their value, null clears, news, indicators and htf are merged.
 * Derived members are not touched.
 * @returns a new record; the identical one when the update changes nothing
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
 * Fills in the members that the Market computes, in place: the change from the previous close, traded value, the figures
 * of the auction's match and the category by market cap. A member is null when something it needs is unknown.
 * @param stock a new record, which nobody else holds yet
 * @param update the update that led to it: the day's range follows a last price or an open that is sent alone
 * @param hasValue whether the source states the traded value itself; else it is volume × VWAP, or × the last price without one
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
  stock.change = last === null || close === null ? null : exactPrice(last - close);
  stock.change_percent = percentOf(last, close);
  if (!hasValue) {
    // The record's VWAP has lost digits already.
    const average = update.vwap ?? stock.vwap ?? last;
    stock.value = average === null || stock.volume === null ? null : money(average * stock.volume);
  }
  Object.assign(stock, matchOf(match_price, match_vol, close));
  stock.marketCapCategory = stock.marketCap === null ? null : capCategory(stock.marketCap);
}

/** The match value in AUD, and the match price against the previous close in percent. */
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

/** The change from one price to another in percent. From the exact difference: the error of a subtraction would otherwise be cut off as if it were a real digit. */
export const percentOf = (now: number | null, close: number | null): number | null =>
  now === null || close === null ? null : threeDecimals((exactPrice(now - close) / close) * 100);
