import type { Bar } from './bars.ts';
import { minuteOfKey } from '#market/rules/localTime.ts';
import type { Stock } from '#market/rules/stock.ts';

/*
 * How a quote becomes a part of a bar: the rule of the server's bars, and of charts that go on with the stream.
 */

/** What a stock shows of its day; AUD and shares. */
export type ShownFigures = Pick<Stock, 'open' | 'high' | 'low' | 'last' | 'volume'>;

/** The part of a stock that bars are made of, on the day (a day number) that it belongs to. */
export type QuotedFigures = { day: number; last: number; high: number; low: number; volume: number | null };

/** The running day of a stock; AUD and shares. Open, high and low are NaN while they are unknown. */
export type CurrentDay = { day: number } & Bar;

/** Whether any price of a bar is unknown, because its beginning was not seen. The close is known always. */
export const isPartial = ({ open, high, low }: Bar): boolean => Number.isNaN(open + high + low);

/** A bar whose unknown prices are replaced by its close, so that it can be drawn and compared. */
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

/** A bar whose beginning was not seen: only its close is known. */
export const closeOnly = <T extends Bar>(bar: T): T => ({
  ...bar,
  open: Number.NaN,
  high: Number.NaN,
  low: Number.NaN,
  volume: Number.NaN,
});

/** A bar with its day or minute key. */
export type KeyedBar = { key: number } & Bar;

/** What one quote adds to the running minute: a last price, the range reached since the last quote, shares traded. */
export type Trade = { key: number; price: number; high: number; low: number; volume: number };

/** 09:59, the earliest trade of a day: what a stock shows before it belongs to the day before. */
export const FIRST_TRADE = 599;
/** 10:01: a volume first seen until then was traded just now, one first seen later at unknown times. */
export const JUST_OPENED = 601;

/** What a stock shows on a day; null without a price. */
export const quotedOn = (day: number, { last, high, low, volume }: ShownFigures): QuotedFigures | null =>
  last === null ? null : { day, last, high: high ?? last, low: low ?? last, volume };

export const isSameQuote = (a: QuotedFigures, b: QuotedFigures): boolean =>
  a.day === b.day && a.last === b.last && a.high === b.high && a.low === b.low && a.volume === b.volume;

/** Some sources show the figures of the last session until the first trade; those are no bar of today. */
export const showsSession = (session: Bar | undefined, quote: QuotedFigures): boolean =>
  session !== undefined &&
  session.close === quote.last &&
  (session.high === quote.high || Number.isNaN(session.high)) &&
  (session.low === quote.low || Number.isNaN(session.low)) &&
  (quote.volume === null || session.volume === Math.round(quote.volume));

/** Prices that bars lie between. */
type PriceRange = { high: number; low: number };

const isOnePrice = ({ high, low }: { high: number | null; low: number | null }): boolean => high === low;

/**
 * The range that all bars of the day must lie in from this quote on, because the source corrected its high down or its low
 * up. Null if it did not.
 * @param before the last quote
 */
export function correctedRange(
  before: QuotedFigures | null,
  stock: ShownFigures,
  quote: QuotedFigures,
): PriceRange | null {
  // A source that sends its last price as high and low knows no range.
  if (before?.day !== quote.day || (isOnePrice(before) && isOnePrice(quote))) return null;
  const { last, high, low } = quote;
  // A high that the source does not state is that of one quote alone.
  const isLower = stock.high !== null && high < before.high;
  const isHigher = stock.low !== null && low > before.low;
  if (!isLower && !isHigher) return null;
  return {
    high: isLower ? Math.max(high, last) : Number.POSITIVE_INFINITY,
    low: isHigher ? Math.min(low, last) : Number.NEGATIVE_INFINITY,
  };
}

/** The bar with all its prices within a range; the same bar if they are. */
export function cutBar<T extends Bar>(bar: T, { high, low }: PriceRange): T {
  if (bar.high <= high && bar.low >= low) return bar;
  const cut = (price: number): number => Math.max(low, Math.min(high, price));
  return { ...bar, open: cut(bar.open), high: cut(bar.high), low: cut(bar.low), close: cut(bar.close) };
}

/**
 * The running day after a quote. The source's own high and low count, so that it can correct them; without them the bar
 * grows with the last prices.
 * @param added shares that the quote adds, where the stock has no volume
 * @param isSeen whether the day was seen from its open on: if it was not, only what the source states is known
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

/** Shares traded since the last quote; 0 where that is not known. */
function sharesSince(before: QuotedFigures | null, quote: QuotedFigures, key: number): number {
  if (quote.volume === null) return 0;
  if (before?.day === quote.day && before.volume !== null) return Math.max(0, quote.volume - before.volume);
  return minuteOfKey(key) <= JUST_OPENED ? quote.volume : 0;
}

/**
 * What a quote adds to its minute.
 * @param before the last quote; @param quoteKey the quote's minute key; @param lastKey that of the newest known minute
 * @returns null for a quote that only corrects the day's figures, and for the first quote of a day that comes in its middle:
 * its price may have been traded at any time before
 */
export function tradeOf(
  before: QuotedFigures | null,
  quote: QuotedFigures,
  quoteKey: number,
  lastKey: number,
): Trade | null {
  const { last } = quote;
  const volume = sharesSince(before, quote, quoteKey);
  // A quote that is older than the last minute belongs to that one: no minute can be put before it.
  const key = Math.max(quoteKey, lastKey);
  if (before?.day !== quote.day) {
    return volume > 0 ? { key, price: last, high: last, low: last, volume } : null;
  }
  // A new extreme of the day was traded between the two quotes, though its price was never the last one in a quote.
  const high = quote.high > before.high ? Math.max(last, quote.high) : last;
  const low = quote.low < before.low ? Math.min(last, quote.low) : last;
  const hasTraded = volume > 0 || last !== before.last || high !== last || low !== last;
  return hasTraded ? { key, price: last, high, low, volume } : null;
}

/** The newest bar with a trade in it: the bar itself when the trade is in it, else the next one. */
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
