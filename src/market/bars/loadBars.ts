import { previousTradingDay } from '../rules/tradingDay.ts';
import { addDays } from '../rules/sydneyTime.ts';
import type { History } from '#sources/quotes/history.ts';
import type { StockBars } from './currentDay.ts';
import { dateOf, dayOf } from '../rules/localTime.ts';
import { newRow, putRow } from './rows.ts';

/** Twelve months of trading days, and the week of minutes. */
export const KEPT_DAYS = 260;
export const KEPT_MINUTE_DAYS = 5;

/** The last `count` trading days before a day number, as YYYY-MM-DD, oldest first. */
export function datesBefore(day: number, count: number): string[] {
  const dates: string[] = [];
  let date = dateOf(day);
  while (dates.length < count) {
    date = previousTradingDay(date);
    dates.unshift(date);
  }
  return dates;
}

/** Loads the finished days of a stock before the day number `today`; nothing when they are loaded already. */
export function loadDays(stockBars: StockBars, history: History, today: number): void {
  if (stockBars.hasDays) return;
  stockBars.hasDays = true;
  const row = newRow();
  history.eachDay(stockBars.code, addDays(dateOf(today), -1), KEPT_DAYS, (bar) => {
    stockBars.days.put(putRow(row, bar, dayOf(bar.date)));
  });
}

export type MinutesToLoad = {
  history: History;
  keyAt: (time: number) => number;
  /** The running minute's key. */
  now: () => number;
  /** Today as a day number, and whether it is a trading day. */
  today: number;
  isTradingDay: boolean;
  /** False when nothing uses minutes any more: loading ends then. */
  isInUse: () => boolean;
};

/**
 * Loads the minutes of a stock up to now, one date a step. When it has ended with all of them, trades may be added to
 * the stock's minutes.
 */
export function* loadMinutes(stockBars: StockBars, options: MinutesToLoad): Generator<undefined, void> {
  const { history, keyAt, now, today, isInUse } = options;
  const { code, minutes } = stockBars;
  const row = newRow();

  // The running minute is left to the quotes that come.
  function putDate(date: string, until: number): void {
    history.eachMinute(code, date, (bar) => {
      const key = keyAt(bar.time);
      if (key < until) minutes.put(putRow(row, bar, key));
    });
  }

  const started = now();
  minutes.clear();
  for (const date of datesBefore(today, KEPT_MINUTE_DAYS - 1)) {
    putDate(date, started);
    yield;
    if (!isInUse()) {
      minutes.clear();
      return;
    }
  }
  if (options.isTradingDay) putDate(dateOf(today), now());
  stockBars.hasMinutes = true;
}
