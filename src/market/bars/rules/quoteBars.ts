import type { Bar } from './bars.ts';
import { minuteOfKey } from '#market/rules/localTime.ts';
import type { Stock } from '#market/rules/stock.ts';

/** How a quote becomes part of a bar, for the server's bars and for charts that follow the stream. */

export type ShownFigures = Pick<Stock, 'open' | 'high' | 'low' | 'last' | 'volume'>;

export type QuotedFigures = { day: number; last: number; high: number; low: number; volume: number | null };

/** AUD and shares. Unknown open, high and low are NaN. */
export type CurrentDay = { day: number } & Bar;

/** Whether a price is unknown, because the beginning was not seen. The close is always known. */
export const isPartial = ({ open, high, low }: Bar): boolean => Number.isNaN(open + high + low);

export function drawable<T extends Bar>(bar: T): T {
  if (!isPartial(bar)) return bar;
  const { close } = bar;
  const high = Number.isNaN(bar.high) ? close : bar.high;
  return {
    ...bar,
    open: Number.isNaN(bar.open) ? close : bar.open,
    high,
    low: Number.isNaN(bar.low) ? close : bar.low,
  };
}

export const closeOnly = <T extends Bar>(bar: T): T => ({
  ...bar,
  open: Number.NaN,
  high: Number.NaN,
  low: Number.NaN,
  volume: Number.NaN,
});

export type KeyedBar = { key: number } & Bar;

/** A quote's contribution to the running minute: last price, range since the last quote, shares. */
export type Trade = { key: number; price: number; high: number; low: number; volume: number };

/** 09:59, the earliest trade of a day; earlier figures belong to the day before. */
export const FIRST_TRADE = 599;
/** 10:01: a volume first seen until then was just traded; one first seen later has unknown times. */
export const JUST_OPENED = 601;

export const quotedOn = (day: number, { last, high, low, volume }: ShownFigures): QuotedFigures | null =>
  last === null ? null : { day, last, high: high ?? last, low: low ?? last, volume };

export const isSameQuote = (a: QuotedFigures, b: QuotedFigures): boolean =>
  a.day === b.day && a.last === b.last && a.high === b.high && a.low === b.low && a.volume === b.volume;

/** Whether a quote repeats the last session, as some sources do before the first trade. */
export const showsSession = (session: Bar | undefined, quote: QuotedFigures): boolean =>
  session !== undefined &&
  session.close === quote.last &&
  (session.high === quote.high || Number.isNaN(session.high)) &&
  (session.low === quote.low || Number.isNaN(session.low)) &&
  (quote.volume === null || session.volume === Math.round(quote.volume));

type PriceRange = { high: number; low: number };

const isOnePrice = ({ high, low }: { high: number | null; low: number | null }): boolean => high === low;

/** New limits of the day's bars if the source corrected its range, or null. @param before the last quote */
export function correctedRange(
  before: QuotedFigures | null,
  stock: ShownFigures,
  quote: QuotedFigures,
): PriceRange | null {
  if (before?.day !== quote.day || (isOnePrice(before) && isOnePrice(quote))) return null;
  const { last, high, low } = quote;
  // If the source states no high, the quote's high is only its own price.
  const isLower = stock.high !== null && high < before.high;
  const isHigher = stock.low !== null && low > before.low;
  if (!isLower && !isHigher) return null;
  return {
    high: isLower ? Math.max(high, last) : Number.POSITIVE_INFINITY,
    low: isHigher ? Math.min(low, last) : Number.NEGATIVE_INFINITY,
  };
}

export function cutBar<T extends Bar>(bar: T, { high, low }: PriceRange): T {
  if (bar.high <= high && bar.low >= low) return bar;
  const cut = (price: number): number => Math.max(low, Math.min(high, price));
  return { ...bar, open: cut(bar.open), high: cut(bar.high), low: cut(bar.low), close: cut(bar.close) };
}

/**
 * The running day after a quote. The source's high and low are used, so that it can correct them; otherwise
 * the bar grows with the last prices.
 * @param added shares of the quote, if the stock has no volume
 * @param isSeen whether the day was seen since its open; otherwise only stated figures are known
 */
export function dayAfter(
  before: Bar | null,
  stock: ShownFigures,
  { day, last }: QuotedFigures,
  added: number,
  isSeen = true,
): CurrentDay {
  const first = isSeen ? last : Number.NaN;
  const hasRange = before === null || !isOnePrice(before) || !isOnePrice(stock);
  const { open, high, low } = hasRange ? stock : { open: null, high: null, low: null };
  return {
    day,
    open: open ?? before?.open ?? first,
    high: Math.max(high ?? before?.high ?? first, last),
    low: Math.min(low ?? before?.low ?? first, last),
    close: last,
    volume: stock.volume ?? (before?.volume ?? 0) + added,
  };
}

function sharesSince(before: QuotedFigures | null, quote: QuotedFigures, key: number): number {
  if (quote.volume === null) return 0;
  if (before?.day === quote.day && before.volume !== null) return Math.max(0, quote.volume - before.volume);
  return minuteOfKey(key) <= JUST_OPENED ? quote.volume : 0;
}

/**
 * A quote's contribution to its minute.
 * @param before the last quote
 * @param quoteKey the quote's minute key
 * @param lastKey of the newest known minute
 * @returns null for a pure correction, and for a first quote during the day, whose price may be old
 */
export function tradeOf(
  before: QuotedFigures | null,
  quote: QuotedFigures,
  quoteKey: number,
  lastKey: number,
): Trade | null {
  const { last } = quote;
  const volume = sharesSince(before, quote, quoteKey);
  // An older quote counts in the last minute, because minutes can't be inserted.
  const key = Math.max(quoteKey, lastKey);
  if (before?.day !== quote.day) {
    return volume > 0 ? { key, price: last, high: last, low: last, volume } : null;
  }
  // A new extreme was traded between the two quotes, even if it was never a last price.
  const high = quote.high > before.high ? Math.max(last, quote.high) : last;
  const low = quote.low < before.low ? Math.min(last, quote.low) : last;
  const hasTraded = volume > 0 || last !== before.last || high !== last || low !== last;
  return hasTraded ? { key, price: last, high, low, volume } : null;
}

/** The newest bar, extended by the trade, or the next one. */
export function withTrade(newest: KeyedBar | undefined, { key, price, high, low, volume }: Trade): KeyedBar {
  const isRunning = newest?.key === key;
  return {
    key,
    open: isRunning ? newest.open : price,
    high: isRunning ? Math.max(newest.high, high) : high,
    low: isRunning ? Math.min(newest.low, low) : low,
    close: price,
    volume: isRunning ? newest.volume + volume : volume,
  };
}
