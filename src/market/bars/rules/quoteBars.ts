import type { Bar } from '../../rules/bar.ts';
import { minuteOfKey } from '../../rules/localTime.ts';
import type { Stock } from '../../rules/stock.ts';

/*
 * How a quote becomes a part of a bar: the rule of the server's bars, and of charts that go on with the stream.
 */

/** What a stock shows of its day; AUD and shares. */
export type ShownFigures = Pick<Stock, 'open' | 'high' | 'low' | 'last' | 'volume'>;

/** The part of a stock that bars are made of, on the day (a day number) that it belongs to. */
export type QuotedFigures = { day: number; last: number; high: number; low: number; volume: number | null };

/** The running day of a stock; AUD and shares. */
export type CurrentDay = { day: number } & Bar;

/** A bar with its day or minute key. */
export type KeyedBar = { key: number } & Bar;

/** What one quote adds to the running minute: a last price, the range reached since the last quote, shares traded. */
export type Trade = { key: number; price: number; high: number; low: number; volume: number };

/** 09:59, the earliest trade of a day: what a stock shows before it belongs to the day before. */
export const FIRST_TRADE = 599;
/** 10:01: a volume first seen until then was traded just now, one first seen later at unknown times. */
const JUST_OPENED = 601;

/** What a stock shows on a day; null without a price. */
export const quotedOn = (day: number, { last, high, low, volume }: ShownFigures): QuotedFigures | null =>
  last === null ? null : { day, last, high: high ?? last, low: low ?? last, volume };

export const isSameQuote = (a: QuotedFigures, b: QuotedFigures): boolean =>
  a.day === b.day && a.last === b.last && a.high === b.high && a.low === b.low && a.volume === b.volume;

/** Some sources show the figures of the last session until the first trade; those are no bar of today. */
export const showsSession = (session: Bar | undefined, quote: QuotedFigures): boolean =>
  session !== undefined &&
  session.close === quote.last &&
  session.high === quote.high &&
  session.low === quote.low &&
  (quote.volume === null || session.volume === Math.round(quote.volume));

/** The running day after a quote. @param added shares that the quote adds, where the stock has no volume */
export function dayAfter(
  before: Bar | null,
  stock: ShownFigures,
  { day, last }: QuotedFigures,
  added: number,
): CurrentDay {
  return {
    day,
    open: stock.open ?? before?.open ?? last,
    high: Math.max(stock.high ?? last, last, before?.high ?? last),
    low: Math.min(stock.low ?? last, last, before?.low ?? last),
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
 * @returns null for the first quote of a day that comes in its middle: its price may have been traded at any time before
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
  return {
    key,
    price: last,
    // A new extreme of the day was traded between the two quotes, though its price was never the last one in a quote.
    high: quote.high > before.high ? Math.max(last, quote.high) : last,
    low: quote.low < before.low ? Math.min(last, quote.low) : last,
    volume,
  };
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
