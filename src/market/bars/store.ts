import type { Stock } from '../rules/stock.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { Clock } from '../../lib/clock.ts';
import type { History } from '../../sources/quotes/history.ts';
import { createStockBars, type NewQuote, type StockBars, takeQuote } from './currentDay.ts';
import { loadDays, loadMinutes } from './loadBars.ts';
import { createMinuteKeys, dateOf, dayOfKey } from '../rules/localTime.ts';
import { createRowArena } from './rows.ts';

export type BarStore = {
  get(code: string): StockBars | undefined;
  all(): Iterable<StockBars>;
  /** The bars of a stock, made when there are none. */
  ensure(code: string): StockBars;
  drop(code: string): void;
  /**
   * Takes what a stock shows now into its bars.
   * @param quoteTime when the quote was made, epoch ms; null when that is not known
   * @returns null when nothing is new
   */
  takeQuote(stock: Stock, quoteTime: number | null): NewQuote | null;
  /** Loads the finished days of a stock; nothing when they are loaded already. */
  loadDays(stockBars: StockBars): void;
  /** Loads the minutes of a stock in steps short enough to let other work in between. */
  loadMinutes(stockBars: StockBars): Generator<undefined, void>;
  /** Gives the memory of a stock's past back, days and minutes, where it can be loaded again. */
  releasePast(stockBars: StockBars): void;
  /** From now on minutes are collected, or no longer and those there are dropped. */
  collectMinutes(on: boolean): void;
  /** The minute key of an instant, epoch ms. */
  keyAt(time: number): number;
  /** Today by the market's clock, as a day number; it changes with `advanceDay` alone. */
  today(): number;
  /** Brings `today` to the market's date; true when it changed. */
  advanceDay(): boolean;
  stats(): { stocks: number; days: number; minutes: number; bytes: number };
};

export type BarStoreDeps = {
  /** The market's clock. */
  clock: Clock;
  history: History;
  /** Whether minutes are collected; with a deep history only while `collectMinutes` says so. */
  minutes: boolean;
};

const HOUR_MS = 3_600_000;

/** The minute that a quote belongs to: that of its own time, unless it is from the future, from another day or old. */
function createQuoteKeys(clock: Clock, keyAt: (time: number) => number) {
  const quotedKeyAt = createMinuteKeys();
  return (quoteTime: number | null): number => {
    const now = clock.now();
    const key = keyAt(now);
    if (quoteTime === null || quoteTime > now || now - quoteTime > HOUR_MS) return key;
    const quoted = quotedKeyAt(quoteTime);
    return dayOfKey(quoted) === dayOfKey(key) ? quoted : key;
  };
}

function statsOf(stocks: ReadonlyMap<string, StockBars>, bytes: number): ReturnType<BarStore['stats']> {
  const total = { stocks: stocks.size, days: 0, minutes: 0, bytes };
  for (const { days, minutes } of stocks.values()) {
    total.days += days.length();
    total.minutes += minutes.length();
  }
  return total;
}

function dropMinutes(stockBars: StockBars): void {
  stockBars.minutes.clear();
  stockBars.hasMinutes = false;
}

/** The bars of all stocks, in memory. */
export function createBarStore({ clock, history, minutes }: BarStoreDeps): BarStore {
  const stocks = new Map<string, StockBars>();
  const arena = createRowArena();
  const keyAt = createMinuteKeys();
  const keyOfQuote = createQuoteKeys(clock, keyAt);
  /** With a deep history the past can be loaded whenever it is used, so nothing is collected before. */
  const isLoadedOnUse = history.isDeep;
  let collectsMinutes = minutes && !isLoadedOnUse;
  let today = dayOfKey(keyAt(clock.now()));
  let isTradingToday = isTradingDay(dateOf(today));

  function ensure(code: string): StockBars {
    const existing = stocks.get(code);
    if (existing) return existing;
    const stockBars = createStockBars(code, arena);
    stockBars.hasMinutes = minutes && !isLoadedOnUse;
    stockBars.hasDays = !isLoadedOnUse;
    stocks.set(code, stockBars);
    return stockBars;
  }

  return {
    get: (code) => stocks.get(code),
    all: () => stocks.values(),
    ensure,
    drop(code) {
      const stockBars = stocks.get(code);
      stockBars?.days.clear();
      stockBars?.minutes.clear();
      stocks.delete(code);
    },
    takeQuote(stock, quoteTime) {
      const key = keyOfQuote(quoteTime);
      // Some sources go on sending the last figures on days without trading.
      if (!isTradingToday || dayOfKey(key) !== today) return null;
      const stockBars = ensure(stock.code);
      return takeQuote(stockBars, stock, key, collectsMinutes && stockBars.hasMinutes);
    },
    loadDays: (stockBars) => loadDays(stockBars, history, today),
    *loadMinutes(stockBars) {
      if (stockBars.hasMinutes || !collectsMinutes) return;
      yield* loadMinutes(stockBars, {
        history,
        keyAt,
        now: () => keyAt(clock.now()),
        today,
        isTradingDay: isTradingToday,
        isInUse: () => collectsMinutes,
      });
    },
    releasePast(stockBars) {
      if (!isLoadedOnUse) return;
      stockBars.lastMinute = stockBars.minutes.last()?.key ?? stockBars.lastMinute;
      stockBars.lastDay = stockBars.days.last() ?? stockBars.lastDay;
      dropMinutes(stockBars);
      stockBars.days.clear();
      stockBars.hasDays = false;
    },
    collectMinutes(on) {
      if (!minutes || !isLoadedOnUse || collectsMinutes === on) return;
      collectsMinutes = on;
      if (!on) for (const stockBars of stocks.values()) dropMinutes(stockBars);
    },
    keyAt,
    today: () => today,
    advanceDay() {
      const day = dayOfKey(keyAt(clock.now()));
      if (day === today) return false;
      today = day;
      isTradingToday = isTradingDay(dateOf(today));
      return true;
    },
    stats: () => statsOf(stocks, arena.bytes()),
  };
}
