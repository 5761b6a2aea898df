import type { Bar } from '../../domain/market/bar.ts';
import type { Stock } from '../../domain/market/stock.ts';
import { dayOfKey, minuteOfKey } from './localTime.ts';
import type { Arena } from './arena.ts';
import { createSeries, type Series } from './series.ts';

/** The running day of a stock; AUD and shares. */
export type CurrentDay = { day: number } & Bar;

/** What one update added to the running minute. */
export type Trade = { key: number; price: number; high: number; low: number; volume: number };

/** `trade` is null when today's figures are new, but nothing says that anybody traded in this minute. */
export type NotedTrade = { trade: Trade | null };

type QuotedFigures = { day: number; last: number; high: number; low: number; volume: number | null };

/** The bars of one stock: finished days, minutes of the last days, and the running day. */
export type StockBars = {
  readonly code: string;
  readonly days: Series;
  readonly minutes: Series;
  today: CurrentDay | null;
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
  lastQuote: null,
  hasDays: false,
  hasMinutes: false,
});

/** The earliest opening trade of a day, 09:59; what a stock shows before it is the day before. */
const FIRST_TRADE = 599;
/** A volume first seen until then was traded just now; later it was traded at times nobody saw. */
const JUST_OPENED = 601;

const isSame = (a: QuotedFigures, b: QuotedFigures): boolean =>
  a.day === b.day && a.last === b.last && a.high === b.high && a.low === b.low && a.volume === b.volume;

/** Some feeds show the last session's figures until the first trade; those are no bar of today. */
function isLastSession(stockBars: StockBars, seen: QuotedFigures): boolean {
  const last = stockBars.days.last();
  return (
    last !== undefined &&
    last.close === seen.last &&
    last.high === seen.high &&
    last.low === seen.low &&
    (seen.volume === null || last.volume === Math.round(seen.volume))
  );
}

function newToday(stockBars: StockBars, stock: Stock, seen: QuotedFigures, added: number): CurrentDay {
  const { day, last } = seen;
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

/** Shares traded since the stock was last seen; unknown ones count nothing. */
function sharesSince(before: QuotedFigures | null, seen: QuotedFigures, key: number): number {
  if (seen.volume === null) return 0;
  if (before?.day === seen.day && before.volume !== null) return Math.max(0, seen.volume - before.volume);
  return minuteOfKey(key) <= JUST_OPENED ? seen.volume : 0;
}

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

/** Null at the first sight of a day in its middle: a price stood there, but nobody knows since when. */
function tradeOf(
  before: QuotedFigures | null,
  seen: QuotedFigures,
  key: number,
  lastKey: number,
): Trade | null {
  const { last } = seen;
  const volume = sharesSince(before, seen, key);
  if (before?.day !== seen.day) {
    return volume > 0 ? { key: Math.max(key, lastKey), price: last, high: last, low: last, volume } : null;
  }
  return {
    key: Math.max(key, lastKey),
    price: last,
    // A new extreme of the day between two updates was traded in this minute, though its price was not seen.
    high: seen.high > before.high ? Math.max(last, seen.high) : last,
    low: seen.low < before.low ? Math.min(last, seen.low) : last,
    volume,
  };
}

/**
 * Takes what a stock shows now into its bars.
 * @param key the running minute; @param keepMinutes whether minutes are collected at all
 * @returns what is new since it was last seen; null when nothing is, or what it shows is not today's
 */
export function noteStock(
  stockBars: StockBars,
  stock: Stock,
  key: number,
  keepMinutes: boolean,
): NotedTrade | null {
  const { last } = stock;
  if (last === null || minuteOfKey(key) < FIRST_TRADE) return null;
  const day = dayOfKey(key);
  const seen: QuotedFigures = {
    day,
    last,
    high: stock.high ?? last,
    low: stock.low ?? last,
    volume: stock.volume,
  };
  const before = stockBars.lastQuote;
  if (before && isSame(before, seen)) return null;
  if (before?.day !== day && isLastSession(stockBars, seen)) return null;
  stockBars.lastQuote = seen;
  if (seen.volume === 0) return null;
  const trade = tradeOf(before, seen, key, stockBars.minutes.last()?.key ?? key);
  stockBars.today = newToday(stockBars, stock, seen, trade?.volume ?? 0);
  if (keepMinutes && trade) putTrade(stockBars, trade);
  return { trade };
}

/** Moves the running day into the finished ones when `day` is a later one. */
export function finishDay(stockBars: StockBars, day: number): boolean {
  const { today } = stockBars;
  if (!today || today.day >= day) return false;
  const { day: key, ...figures } = today;
  stockBars.days.put({ key, ...figures });
  stockBars.today = null;
  return true;
}
