import { isTradingDay, previousTradingDay } from '../../domain/session.ts';
import type { Stock } from '../../domain/stock.ts';
import { addDays } from '../../domain/sydneyTime.ts';
import type { History } from '../../sources/history.ts';
import type { Clock } from '../../sources/source.ts';
import { createRowArena } from './rows.ts';
import { createDesk, type Desk, noteStock, type Noted } from './desk.ts';
import { createMinuteKeys, dateOf, dayOf, dayOfKey } from './localTime.ts';

/** Twelve months of trading days, and the week of minutes. */
export const KEPT_DAYS = 260;
export const KEPT_MINUTE_DAYS = 5;

export type BarStore = {
  desk(code: string): Desk | undefined;
  desks(): Iterable<Desk>;
  /** The desk of a stock, made when there is none. */
  open(code: string): Desk;
  drop(code: string): void;
  /** Takes what a stock shows now. @param quoteTime when it was quoted, epoch ms, where known */
  note(stock: Stock, quoteTime: number | null): Noted | null;
  /** Loads finished days of a stock; nothing when they are there. */
  loadDays(desk: Desk): void;
  /** Loads one date of minutes at a time, so that the work can be spread: a call per step, done when it ends. */
  loadMinutes(desk: Desk): Generator<undefined, void>;
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
export const createBarStore = ({ clock, history, minutes }: BarStoreDeps): BarStore => {
  const desks = new Map<string, Desk>();
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

  const open = (code: string): Desk => {
    const known = desks.get(code);
    if (known) return known;
    const made = createDesk(code, arena);
    made.hasMinutes = minutes && !history.isDeep;
    made.hasDays = !history.isDeep;
    desks.set(code, made);
    return made;
  };

  const putMinutes = (desk: Desk, date: string, until: number): void => {
    for (const { time, ...figures } of history.minutes(desk.code, date)) {
      const key = keyAt(time);
      // The running minute is built from what comes.
      if (key < until) desk.minutes.put({ key, ...figures });
    }
  };

  return {
    desk: (code) => desks.get(code),
    desks: () => desks.values(),
    open,
    drop(code) {
      const desk = desks.get(code);
      desk?.days.clear();
      desk?.minutes.clear();
      desks.delete(code);
    },
    note(stock, quoteTime) {
      const key = keyOfQuote(quoteTime);
      // Nothing trades on a day without trading, whatever a feed sends then.
      if (!trades || dayOfKey(key) !== day) return null;
      const desk = open(stock.code);
      return noteStock(desk, stock, key, minutesKept && desk.hasMinutes);
    },
    loadDays(desk) {
      if (desk.hasDays) return;
      desk.hasDays = true;
      for (const { date, ...figures } of history.daily(desk.code, addDays(dateOf(day), -1), KEPT_DAYS)) {
        desk.days.put({ key: dayOf(date), ...figures });
      }
    },
    *loadMinutes(desk) {
      if (desk.hasMinutes || !minutesKept) return;
      const now = keyAt(clock.now());
      desk.minutes.clear();
      for (const date of datesBefore(KEPT_MINUTE_DAYS - 1)) {
        putMinutes(desk, date, now);
        yield;
        // Nobody looks at minutes any more.
        if (!minutesKept) {
          desk.minutes.clear();
          return;
        }
      }
      if (trades) putMinutes(desk, dateOf(day), keyAt(clock.now()));
      // From here on trades may be added: nothing older comes any more.
      desk.hasMinutes = true;
    },
    keepMinutes(on) {
      if (!minutes || !history.isDeep || minutesKept === on) return;
      minutesKept = on;
      if (on) return;
      for (const desk of desks.values()) {
        desk.minutes.clear();
        desk.hasMinutes = false;
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
      const total = { stocks: desks.size, days: 0, minutes: 0, bytes: arena.bytes() };
      for (const desk of desks.values()) {
        total.days += desk.days.length();
        total.minutes += desk.minutes.length();
      }
      return total;
    },
  };
};
