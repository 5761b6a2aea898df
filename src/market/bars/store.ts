import { isTradingDay, previousTradingDay } from '../../domain/market/tradingDay.ts';
import type { Stock } from '../../domain/market/stock.ts';
import { addDays } from '../../domain/market/sydneyTime.ts';
import type { History } from '../../sources/quotes/history.ts';
import type { Clock } from '../../lib/clock.ts';
import { createRowArena } from './rows.ts';
import { createStockBars, type StockBars, noteStock, type NotedTrade } from './currentDay.ts';
import { createMinuteKeys, dateOf, dayOf, dayOfKey } from './localTime.ts';

/** Twelve months of trading days, and the week of minutes. */
export const KEPT_DAYS = 260;
export const KEPT_MINUTE_DAYS = 5;

export type BarStore = {
  get(code: string): StockBars | undefined;
  all(): Iterable<StockBars>;
  /** The stockBars of a stock, made when there is none. */
  open(code: string): StockBars;
  drop(code: string): void;
  /** Takes what a stock shows now. @param quoteTime when it was quoted, epoch ms, where known */
  note(stock: Stock, quoteTime: number | null): NotedTrade | null;
  /** Loads finished days of a stock; nothing when they are there. */
  loadDays(stockBars: StockBars): void;
  /** Loads one date of minutes at a time, so that the work can be spread: a call per step, done when it ends. */
  loadMinutes(stockBars: StockBars): Generator<undefined, void>;
  /** Minutes are collected and kept from now on, or no longer. */
  keepMinutes(on: boolean): void;
  /** The minute key of an instant. */
  keyAt(time: number): number;
  /** Today by the market's clock, as a day number. */
  today(): number;
  /** Looks at the market's date; true when it changed since the last call. */
  roll(): boolean;
  stats(): { stocks: number; days: number; minutes: number; bytes: number };
};

export type BarStoreDeps = {
  /** The market's clock. */
  clock: Clock;
  history: History;
  /** Whether minutes are collected; with a deep history only while `keepMinutes` says so. */
  minutes: boolean;
};

const HOUR_MS = 3_600_000;

/** Bars of all stocks in memory. */
export function createBarStore({ clock, history, minutes }: BarStoreDeps): BarStore {
  const stocks = new Map<string, StockBars>();
  const arena = createRowArena();
  const keyAt = createMinuteKeys();
  const quoteKey = createMinuteKeys();
  let minutesKept = minutes && !history.isDeep;
  let day = dayOfKey(keyAt(clock.now()));
  let trades = isTradingDay(dateOf(day));

  /** The last `count` dates with trading before today, oldest first. */
  const datesBefore = (count: number): string[] => {
    const dates: string[] = [];
    let date = dateOf(day);
    while (dates.length < count) {
      date = previousTradingDay(date);
      dates.unshift(date);
    }
    return dates;
  };

  const keyOfQuote = (quoteTime: number | null): number => {
    const now = clock.now();
    const key = keyAt(now);
    if (quoteTime === null || quoteTime > now || now - quoteTime > HOUR_MS) return key;
    const quoted = quoteKey(quoteTime);
    return dayOfKey(quoted) === dayOfKey(key) ? quoted : key;
  };

  const open = (code: string): StockBars => {
    const known = stocks.get(code);
    if (known) return known;
    const made = createStockBars(code, arena);
    made.hasMinutes = minutes && !history.isDeep;
    made.hasDays = !history.isDeep;
    stocks.set(code, made);
    return made;
  };

  const putMinutes = (stockBars: StockBars, date: string, until: number): void => {
    for (const { time, ...figures } of history.minutes(stockBars.code, date)) {
      const key = keyAt(time);
      // The running minute is built from what comes.
      if (key < until) stockBars.minutes.put({ key, ...figures });
    }
  };

  return {
    get: (code) => stocks.get(code),
    all: () => stocks.values(),
    open,
    drop(code) {
      const stockBars = stocks.get(code);
      stockBars?.days.clear();
      stockBars?.minutes.clear();
      stocks.delete(code);
    },
    note(stock, quoteTime) {
      const key = keyOfQuote(quoteTime);
      // Nothing trades on a day without trading, whatever a feed sends then.
      if (!trades || dayOfKey(key) !== day) return null;
      const stockBars = open(stock.code);
      return noteStock(stockBars, stock, key, minutesKept && stockBars.hasMinutes);
    },
    loadDays(stockBars) {
      if (stockBars.hasDays) return;
      stockBars.hasDays = true;
      for (const { date, ...figures } of history.daily(stockBars.code, addDays(dateOf(day), -1), KEPT_DAYS)) {
        stockBars.days.put({ key: dayOf(date), ...figures });
      }
    },
    *loadMinutes(stockBars) {
      if (stockBars.hasMinutes || !minutesKept) return;
      const now = keyAt(clock.now());
      stockBars.minutes.clear();
      for (const date of datesBefore(KEPT_MINUTE_DAYS - 1)) {
        putMinutes(stockBars, date, now);
        yield;
        // Nobody looks at minutes any more.
        if (!minutesKept) {
          stockBars.minutes.clear();
          return;
        }
      }
      if (trades) putMinutes(stockBars, dateOf(day), keyAt(clock.now()));
      // From here on trades may be added: nothing older comes any more.
      stockBars.hasMinutes = true;
    },
    keepMinutes(on) {
      if (!minutes || !history.isDeep || minutesKept === on) return;
      minutesKept = on;
      if (on) return;
      for (const stockBars of stocks.values()) {
        stockBars.minutes.clear();
        stockBars.hasMinutes = false;
      }
    },
    keyAt,
    today: () => day,
    roll() {
      const now = dayOfKey(keyAt(clock.now()));
      if (now === day) return false;
      day = now;
      trades = isTradingDay(dateOf(day));
      return true;
    },
    stats() {
      const total = { stocks: stocks.size, days: 0, minutes: 0, bytes: arena.bytes() };
      for (const stockBars of stocks.values()) {
        total.days += stockBars.days.length();
        total.minutes += stockBars.minutes.length();
      }
      return total;
    },
  };
}
