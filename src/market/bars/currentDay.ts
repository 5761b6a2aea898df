import {
  type CurrentDay,
  dayAfter,
  FIRST_TRADE,
  isSameQuote,
  type QuotedFigures,
  quotedOn,
  showsSession,
  type Trade,
  tradeOf,
  withTrade,
} from './rules/quoteBars.ts';
import { dayOfKey, minuteOfKey } from '../rules/localTime.ts';
import type { Stock } from '../rules/stock.ts';
import type { Arena, BarRow } from './rows.ts';
import { createSeries, type Series } from './series.ts';

/** A quote that is new; `trade` is null when nothing says that anybody traded in its minute. */
export type NewQuote = { trade: Trade | null };

/** The bars of one stock: finished days, minutes of the last days, and the running day. */
export type StockBars = {
  readonly code: string;
  readonly days: Series;
  readonly minutes: Series;
  today: CurrentDay | null;
  /** The newest finished day, when `days` was given back. */
  lastDay: BarRow | null;
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
  lastDay: null,
  lastMinute: null,
  lastQuote: null,
  hasDays: false,
  hasMinutes: false,
});

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
  const { minutes, days, today, lastDay, lastQuote: before } = stockBars;
  const day = dayOfKey(key);
  const quote = quotedOn(day, stock);
  if (quote === null || minuteOfKey(key) < FIRST_TRADE) return null;
  if (before && isSameQuote(before, quote)) return null;
  if (before?.day !== day && showsSession(days.last() ?? lastDay ?? undefined, quote)) return null;
  stockBars.lastQuote = quote;
  if (quote.volume === 0) return null;
  const trade = tradeOf(before, quote, key, minutes.last()?.key ?? stockBars.lastMinute ?? key);
  if (trade) stockBars.lastMinute = trade.key;
  stockBars.today = dayAfter(today?.day === day ? today : null, stock, quote, trade?.volume ?? 0);
  if (keepMinutes && trade) minutes.put(withTrade(minutes.last(), trade));
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
