import type { Bar } from '../../domain/market/bar.ts';
import type { Stock } from '../../domain/market/stock.ts';
import { dayOfKey, minuteOfKey } from './localTime.ts';
import type { Arena } from './arena.ts';
import { createSeries, type Series } from './series.ts';

/** The running day of a stock; AUD and shares. */
export type CurrentDay = { day: number } & Bar;

/** What one quote adds to the running minute: a last price, the range reached since the last quote, shares traded. */
export type Trade = { key: number; price: number; high: number; low: number; volume: number };

/** A quote that is new; `trade` is null when nothing says that anybody traded in its minute. */
export type NewQuote = { trade: Trade | null };

/** The part of a stock that bars are made of, on the day it belongs to. */
type QuotedFigures = { day: number; last: number; high: number; low: number; volume: number | null };

/** The bars of one stock: finished days, minutes of the last days, and the running day. */
export type StockBars = {
  readonly code: string;
  readonly days: Series;
  readonly minutes: Series;
  today: CurrentDay | null;
  /** The newest minute that was traded in, kept in `minutes` or not; null while none is known. */
  lastMinute: number | null;
  /** The last quote that was taken in. */
  lastQuote: QuotedFigures | null;
  /** Whether the past was loaded into `days` and `minutes`. */
  hasDays: boolean;
  hasMinutes: boolean;
};

export const createStockBars = (code: string, arena: Arena): StockBars => ({
  code,
  days: createSeries(arena),
  minutes: createSeries(arena),
  today: null,
  lastMinute: null,
  lastQuote: null,
  hasDays: false,
  hasMinutes: false,
});

/** 09:59, the earliest trade of a day: what a stock shows before it belongs to the day before. */
const FIRST_TRADE = 599;
/** 10:01: a volume first seen until then was traded just now, one first seen later at unknown times. */
const JUST_OPENED = 601;

const isSame = (a: QuotedFigures, b: QuotedFigures): boolean =>
  a.day === b.day && a.last === b.last && a.high === b.high && a.low === b.low && a.volume === b.volume;

/** Some sources show the figures of the last session until the first trade; those are no bar of today. */
function isLastSession(stockBars: StockBars, quote: QuotedFigures): boolean {
  const last = stockBars.days.last();
  return (
    last !== undefined &&
    last.close === quote.last &&
    last.high === quote.high &&
    last.low === quote.low &&
    (quote.volume === null || last.volume === Math.round(quote.volume))
  );
}

function dayAfter(
  stockBars: StockBars,
  stock: Stock,
  { day, last }: QuotedFigures,
  added: number,
): CurrentDay {
  const before = stockBars.today?.day === day ? stockBars.today : null;
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

/** The running minute with a trade in it. */
function putTrade(stockBars: StockBars, { key, price, high, low, volume }: Trade): void {
  const last = stockBars.minutes.last();
  const isRunning = last?.key === key;
  stockBars.minutes.put({
    key,
    open: isRunning ? last.open : price,
    high: isRunning ? Math.max(last.high, high) : high,
    low: isRunning ? Math.min(last.low, low) : low,
    close: price,
    volume: isRunning ? last.volume + volume : volume,
  });
}

/** Null for the first quote of a day that comes in its middle: its price may have been traded at any time before. */
function tradeOf(
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

/**
 * Takes what a stock shows now into its bars.
 * @param key the minute key of the quote; @param keepMinutes whether minute bars are collected
 * @returns null when nothing is new since the last quote, or when what it shows is not of today
 */
export function takeQuote(
  stockBars: StockBars,
  stock: Stock,
  key: number,
  keepMinutes: boolean,
): NewQuote | null {
  const { last } = stock;
  if (last === null || minuteOfKey(key) < FIRST_TRADE) return null;
  const day = dayOfKey(key);
  const quote = { day, last, high: stock.high ?? last, low: stock.low ?? last, volume: stock.volume };
  const before = stockBars.lastQuote;
  if (before && isSame(before, quote)) return null;
  if (before?.day !== day && isLastSession(stockBars, quote)) return null;
  stockBars.lastQuote = quote;
  if (quote.volume === 0) return null;
  const trade = tradeOf(before, quote, key, stockBars.minutes.last()?.key ?? stockBars.lastMinute ?? key);
  if (trade) stockBars.lastMinute = trade.key;
  stockBars.today = dayAfter(stockBars, stock, quote, trade?.volume ?? 0);
  if (keepMinutes && trade) putTrade(stockBars, trade);
  return { trade };
}

/** Moves the running day to the finished ones when `day` is later; a day number. */
export function finishDay(stockBars: StockBars, day: number): void {
  const { today } = stockBars;
  if (!today || today.day >= day) return;
  const { day: key, ...figures } = today;
  stockBars.days.put({ key, ...figures });
  stockBars.today = null;
}
