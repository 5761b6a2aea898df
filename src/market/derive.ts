import { mergePatch } from '../lib/mergePatch.ts';
import type { MarketCapCategory, Stock, StockUpdate } from '../domain/market/stock.ts';
import { NUMBER_FIELDS } from './validate.ts';

const LARGE_CAP = 1e9;
const MID_CAP = 3e8;

const rounder =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.round(value * factor) / factor;
  };

/** What binary fractions may be off by; a value nearer than this to the next digit has that digit. */
const NUDGE = 1 + 1e-14;

/**
 * Cuts digits off, never rounds up: what a column rounds later is then the same as if nothing had been cut, and
 * a price on a step is above a cut average exactly when it is above the average.
 */
const cutter =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.trunc(value * factor * NUDGE) / factor + 0; // -0 + 0 is 0
  };

const price = rounder(6);
const sixDecimals = cutter(6);
const fourDecimals = cutter(4);
const threeDecimals = cutter(3);
const cents = cutter(2);
/** Traded money: columns show whole dollars, so cents are kept only where they are a real part. */
const money = (value: number): number => (value >= 1000 ? Math.round(value) : cents(value));

/**
 * Wire precision of the numbers that sources compute themselves, finer than any column shows: their digits are
 * most of what a tick sends. The others are sent as they came.
 */
const WIRE: Partial<Record<keyof Stock, (value: number) => number>> = {
  vwap: (value) => (value >= 0.1 ? fourDecimals(value) : sixDecimals(value)),
  value: money,
  marketCap: Math.round,
  relativeVolume: threeDecimals,
};

/**
 * The record that a valid update makes of `before`: absent members stand, null clears, news, indicators and
 * htf are merged. Derived members are not touched. The identical object when the update says nothing new.
 */
export function mergeUpdate(before: Stock, update: StockUpdate): Stock {
  let next: Stock | null = null;
  for (const field of NUMBER_FIELDS) {
    const given = update[field];
    if (given === undefined) continue;
    const round = WIRE[field];
    const value = given !== null && round ? round(given) : given;
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
  for (const field of ['news', 'indicators', 'htf'] as const) {
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
 * Fills in what the Market itself computes, in place. Percents have 3 decimals, prices 6, money 2 below $1,000 and none
 * above; a member is
 * null when something it needs is unknown.
 * @param stock a record nobody else has seen yet
 * @param given what the update said of it, so that the day's range follows a last price sent alone
 * @param hasValue whether the source states traded value itself; else it is vwap × volume
 */
export function derive(stock: Stock, given: Pick<StockUpdate, 'last' | 'vwap'>, hasValue: boolean): void {
  const { close, last, match_price, match_vol } = stock;
  if (given.last && stock.high !== null && given.last > stock.high) stock.high = given.last;
  if (given.last && stock.low !== null && given.last < stock.low) stock.low = given.last;
  stock.change = last === null || close === null ? null : price(last - close);
  stock.change_percent = percentOf(last, close);
  if (!hasValue) {
    const vwap = given.vwap ?? stock.vwap;
    stock.value = vwap === null || stock.volume === null ? null : money(vwap * stock.volume);
  }
  Object.assign(stock, matchOf(match_price, match_vol, close));
  stock.marketCapCategory = stock.marketCap === null ? null : capCategory(stock.marketCap);
}

/** What follows from an auction's match: its value, and its percent against the previous close. */
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

/** From the rounded difference, so that what binary fractions lose in subtracting is not cut as if it were real. */
const percentOf = (now: number | null, close: number | null): number | null =>
  now === null || close === null ? null : threeDecimals((price(now - close) / close) * 100);
