import { Series, type StockBars } from './series.ts';
import {
  correctedRange,
  type CurrentDay,
  cutBar,
  dayAfter,
  FIRST_TRADE,
  isPartial,
  isSameQuote,
  quotedOn,
  showsSession,
  type Trade,
  tradeOf,
  withTrade,
} from './rules/quoteBars.ts';
import { adjustedBar } from '../rules/splitAdjustment.ts';
import { dateOf, dayOfKey, keyOf, minuteOfKey } from '../rules/localTime.ts';
import { isQuotedOn } from '../rules/sessionClock.ts';
import type { Stock } from '../rules/stock.ts';
import { type BarRow, type RowArena, rowOf } from './rows.ts';

/**
 * `trade` is null if the quote shows no trade in its minute. `isCorrection`: the source corrected the day's
 * range, which changes earlier bars, or supplied an unknown value.
 */
export type NewQuote = { trade: Trade | null; isCorrection: boolean };

export const createStockBars = (code: string, arena: RowArena): StockBars => ({
  code,
  days: new Series(arena),
  minutes: new Series(arena),
  today: null,
  lastDay: null,
  lastMinute: null,
  corrected: null,
  lastQuote: null,
  hasDays: false,
  hasMinutes: false,
});

/**
 * Applies a correction to the minutes of a day. A price outside the range is moved to its nearest end,
 * because only four prices of a minute are known.
 */
function correctMinutes(stockBars: StockBars, day: number, range: Parameters<typeof cutBar>[1]): void {
  const { minutes } = stockBars;
  for (let index = minutes.indexFrom(keyOf(day, 0)); index < minutes.length(); index += 1) {
    const row = minutes.at(index);
    const cut = row && cutBar(row, range);
    if (!cut || cut === row) continue;
    minutes.replace(index, cut);
    stockBars.corrected = Math.min(stockBars.corrected ?? cut.key, cut.key);
  }
}

/**
 * Adds a stock's present figures to its bars.
 * @param key the minute key of the quote
 * @param statedTime the provider's time of the quote
 * @param keepMinutes whether minute bars are collected
 * @param isSeen whether the day was seen since its open
 * @returns null if nothing changed since the last quote, or the figures are not of today
 */
export function applyQuote(
  stockBars: StockBars,
  stock: Stock,
  key: number,
  statedTime: number | null,
  keepMinutes: boolean,
  isSeen = true,
): NewQuote | null {
  const { minutes, days, today, lastDay, lastQuote: before } = stockBars;
  const day = dayOfKey(key);
  const quote = quotedOn(day, stock);
  if (quote === null || minuteOfKey(key) < FIRST_TRADE) return null;
  const isOpenKnown = stock.open === null || stock.open === today?.open;
  if (before && isSameQuote(before, quote) && isOpenKnown) return null;
  const isStale = before?.day !== day && showsSession(days.last() ?? lastDay ?? undefined, quote);
  if (isStale && !isQuotedOn(statedTime, dateOf(day))) return null;
  stockBars.lastQuote = quote;
  if (quote.volume === 0) return null;
  const range = correctedRange(before, stock, quote);
  if (range) correctMinutes(stockBars, day, range);
  const trade = tradeOf(before, quote, key, minutes.last()?.key ?? stockBars.lastMinute ?? key);
  if (trade) stockBars.lastMinute = trade.key;
  const running = today?.day === day ? today : null;
  const next = dayAfter(running, stock, quote, trade?.volume ?? 0, isSeen);
  stockBars.today = next;
  if (keepMinutes && trade) minutes.put(withTrade(minutes.last(), trade));
  const isCompleted = running !== null && isPartial(running) && unknownsOf(running) !== unknownsOf(next);
  return { trade, isCorrection: range !== null || isCompleted };
}

const unknownsOf = ({ open, high, low }: CurrentDay): string => [open, high, low].map(Number.isNaN).join();

/** Moves the running day to the finished ones if `day`, a day number, is later. */
export function finishDay(stockBars: StockBars, day: number): void {
  const { today } = stockBars;
  if (!today || today.day >= day) return;
  const { day: key, ...figures } = today;
  stockBars.days.put({ key, ...figures });
  stockBars.today = null;
}

function adjustSeries(series: Series, until: number, factor: number): void {
  if ((series.at(0)?.key ?? until) >= until) return;
  const rows: BarRow[] = [];
  series.each((row) => rows.push(row.key < until ? adjustedBar(row, factor) : rowOf(row, row.key)));
  series.clear();
  for (const row of rows) series.put(row);
}

export function adjustBars(stockBars: StockBars, day: number, factor: number): void {
  finishDay(stockBars, day);
  adjustSeries(stockBars.days, day, factor);
  adjustSeries(stockBars.minutes, keyOf(day, 0), factor);
  const { lastDay } = stockBars;
  if (lastDay && lastDay.key < day) stockBars.lastDay = adjustedBar(lastDay, factor);
}
