import { mergePatch } from '../domain/mergePatch.ts';
import type { MarketCapCategory, Stock, StockUpdate } from '../domain/stock.ts';
import { NUMBER_FIELDS } from './validate.ts';

const LARGE_CAP = 1e9;
const MID_CAP = 3e8;

const rounder =
  (decimals: number) =>
  (value: number): number => {
    const factor = 10 ** decimals;
    return Math.round(value * factor) / factor;
  };

const price = rounder(6);
const percent = rounder(4);
const cents = rounder(2);
const fiveDecimals = rounder(5);
const thousandths = rounder(3);
/** Traded money: columns show whole dollars, so cents are kept only where they are a real part. */
const money = (value: number): number => (value >= 1000 ? Math.round(value) : cents(value));

/** An average price: finer than any column shows, no finer, as its digits are most of what a tick sends. */
const averagePrice = (value: number): number =>
  value >= 1 ? percent(value) : value >= 0.1 ? fiveDecimals(value) : price(value);

/** Wire precision of the numbers that sources compute themselves; the others are sent as they came. */
const WIRE: Partial<Record<keyof Stock, (value: number) => number>> = {
  vwap: averagePrice,
  value: money,
  marketCap: Math.round,
  relativeVolume: (value) => (value >= 10 ? cents(value) : thousandths(value)),
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
 * Fills in what the Market itself computes, in place. Percents have 4 decimals, prices 6, money 2 below $1,000 and none
 * above; a member is
 * null when something it needs is unknown.
 * @param stock a record nobody else has seen yet
 * @param given what the update said of it, so that the day's range follows a last price sent alone
 * @param hasValue whether the source states traded value itself; else it is vwap × volume
 */
export function derive(stock: Stock, given: { last?: number | null }, hasValue: boolean): void {
  const { close, last, match_price, match_vol } = stock;
  if (given.last && stock.high !== null && given.last > stock.high) stock.high = given.last;
  if (given.last && stock.low !== null && given.last < stock.low) stock.low = given.last;
  stock.change = last === null || close === null ? null : price(last - close);
  stock.change_percent = last === null || close === null ? null : percent((last / close - 1) * 100);
  if (!hasValue) {
    stock.value = stock.vwap === null || stock.volume === null ? null : money(stock.vwap * stock.volume);
  }
  stock.match_value = match_price === null || match_vol === null ? null : money(match_price * match_vol);
  stock.indicativeChangePercent =
    match_price === null || close === null ? null : percent((match_price / close - 1) * 100);
  stock.marketCapCategory = stock.marketCap === null ? null : capCategory(stock.marketCap);
}

const capCategory = (marketCap: number): MarketCapCategory =>
  marketCap >= LARGE_CAP ? 'large' : marketCap >= MID_CAP ? 'mid' : 'small';
