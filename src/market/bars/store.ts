import type { Stock } from '../rules/stock.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { Clock } from '#lib/clock.ts';
import type { History } from '../sources/quotes.ts';
import { adjustBars, createStockBars, type NewQuote, applyQuote } from './currentDay.ts';
import { type StockBars } from './series.ts';
import { loadDays, loadMinutes } from './walk.ts';
import type { UnseenSpan } from './rules/coverage.ts';
import { OPEN_MINUTE } from './rules/buckets.ts';
import { JUST_OPENED } from './rules/quoteBars.ts';
import { createMinuteKeys, dateOf, dayOfKey, keyOf, minuteOfKey } from '../rules/localTime.ts';
import { RowArena } from './rows.ts';

export type BarStoreDeps = {
  clock: Clock;
  history: History;
  /** Whether minutes are collected; for a deep history see `collectMinutes`. */
  minutes: boolean;
  unseen?: () => readonly UnseenSpan[];
};

/** The minute key of a quote: of its own time, unless that is in the future or on another day. */
function createQuoteKeys(clock: Clock, keyAt: (time: number) => number) {
  const quotedKeyAt = createMinuteKeys();
  return (quoteTime: number | null): number => {
    const now = clock.now();
    const key = keyAt(now);
    if (quoteTime === null || quoteTime > now) return key;
    const quoted = quotedKeyAt(quoteTime);
    return dayOfKey(quoted) === dayOfKey(key) ? quoted : key;
  };
}

function dropMinutes(stockBars: StockBars): void {
  stockBars.minutes.clear();
  stockBars.hasMinutes = false;
}

/** Minute keys without prices; `back` is the minute in which prices returned. */
type KeySpan = { from: number; until: number; back: number };

/** `outages`: the server was off. `long`: the same, plus long silences of the source. */
type UnseenKeys = { of: readonly UnseenSpan[]; outages: KeySpan[]; long: KeySpan[] };

const isUnseen = ({ from, until, back }: KeySpan, start: number, first: number): boolean =>
  start >= from && start < until && first >= back;

/** The last stocks open at 10:09, so a small source may be silent this many minutes. */
const MAX_QUIET_OPEN = 10;

function unseenKeysOf(of: readonly UnseenSpan[]): UnseenKeys {
  const keyAt = createMinuteKeys();
  const spans = of.map(({ from, until, isOutage }) => ({
    from: Number.isFinite(from) ? keyAt(from - 1) + 1 : from,
    until: keyAt(until - 1) + 1,
    back: keyAt(until),
    isOutage,
  }));
  const outages = spans.filter(({ isOutage }) => isOutage);
  return {
    of,
    outages,
    long: spans.filter((span) => span.isOutage || span.until - span.from >= MAX_QUIET_OPEN),
  };
}

/** Whether a bar's beginning was not seen. @param start its minute key @param first its first known minute */
export type BeganUnseen = (start: number, first: number) => boolean;

export class BarStore {
  readonly keyAt = createMinuteKeys();
  private readonly clock: Clock;
  private readonly history: History;
  private readonly hasMinutes: boolean;
  private readonly stocks = new Map<string, StockBars>();
  private readonly arena = new RowArena();
  private readonly keyOfQuote: (quoteTime: number | null) => number;
  /** A deep history is loaded on use, so nothing is collected before. */
  private readonly isLoadedOnUse: boolean;
  private readonly unseen: () => readonly UnseenSpan[];
  private unseenKeys: UnseenKeys = { of: [], outages: [], long: [] };
  private collectsMinutes: boolean;
  private day: number;
  private isTradingToday: boolean;

  constructor({ clock, history, minutes, unseen = () => [] }: BarStoreDeps) {
    this.clock = clock;
    this.history = history;
    this.hasMinutes = minutes;
    this.unseen = unseen;
    this.keyOfQuote = createQuoteKeys(clock, this.keyAt);
    this.isLoadedOnUse = history.isDeep;
    this.collectsMinutes = minutes && !history.isDeep;
    this.day = dayOfKey(this.keyAt(clock.now()));
    this.isTradingToday = isTradingDay(dateOf(this.day));
  }

  get(code: string): StockBars | undefined {
    return this.stocks.get(code);
  }

  all(): Iterable<StockBars> {
    return this.stocks.values();
  }

  ensure(code: string): StockBars {
    const existing = this.stocks.get(code);
    if (existing) return existing;
    const stockBars = createStockBars(code, this.arena);
    stockBars.hasMinutes = this.hasMinutes && !this.isLoadedOnUse;
    stockBars.hasDays = !this.isLoadedOnUse;
    this.stocks.set(code, stockBars);
    return stockBars;
  }

  drop(code: string): void {
    const stockBars = this.stocks.get(code);
    stockBars?.days.clear();
    stockBars?.minutes.clear();
    this.stocks.delete(code);
  }

  /**
   * Adds a stock's present figures to its bars.
   * @param quoteTime epoch ms; null if unknown
   * @param statedTime the provider's time; null if not stated
   * @returns null if nothing is new
   */
  applyQuote(stock: Stock, quoteTime: number | null, statedTime: number | null = null): NewQuote | null {
    const key = this.keyOfQuote(quoteTime);
    if (!this.isTradingToday || dayOfKey(key) !== this.day) return null;
    const stockBars = this.ensure(stock.code);
    const keepMinutes = this.collectsMinutes && stockBars.hasMinutes;
    const isSeen = stockBars.today?.day === this.day || this.isSeenFromOpen(key);
    return applyQuote(stockBars, stock, key, statedTime, keepMinutes, isSeen);
  }

  /**
   * Whether a bar's beginning was not seen, because the server was off or had no prices yet. A silence of the
   * source does not count, because it may have had nothing to send.
   */
  readonly beganUnseen: BeganUnseen = (start, first) =>
    this.unseenSpans().outages.some((span) => isUnseen(span, start, first));

  /** Whether prices arrived since the open. @param key minute key of the day's first quote */
  private isSeenFromOpen(key: number): boolean {
    if (minuteOfKey(key) <= JUST_OPENED) return true;
    const open = keyOf(dayOfKey(key), OPEN_MINUTE);
    return !this.unseenSpans().long.some((span) => isUnseen(span, open, key));
  }

  private unseenSpans(): UnseenKeys {
    const of = this.unseen();
    if (this.unseenKeys.of !== of) this.unseenKeys = unseenKeysOf(of);
    return this.unseenKeys;
  }

  adjust(code: string, day: number, factor: number): void {
    const stockBars = this.stocks.get(code);
    if (stockBars) adjustBars(stockBars, day, factor);
  }

  loadDays(stockBars: StockBars): void {
    loadDays(stockBars, this.history, this.day);
  }

  *loadMinutes(stockBars: StockBars): Generator<undefined, void> {
    if (stockBars.hasMinutes || !this.collectsMinutes) return;
    yield* loadMinutes(stockBars, {
      history: this.history,
      keyAt: this.keyAt,
      now: () => this.keyAt(this.clock.now()),
      today: this.day,
      isTradingDay: this.isTradingToday,
      isInUse: () => this.collectsMinutes,
    });
  }

  releasePast(stockBars: StockBars): void {
    if (!this.isLoadedOnUse) return;
    stockBars.lastMinute = stockBars.minutes.last()?.key ?? stockBars.lastMinute;
    stockBars.lastDay = stockBars.days.last() ?? stockBars.lastDay;
    dropMinutes(stockBars);
    stockBars.days.clear();
    stockBars.hasDays = false;
  }

  collectMinutes(on: boolean): void {
    if (!this.hasMinutes || !this.isLoadedOnUse || this.collectsMinutes === on) return;
    this.collectsMinutes = on;
    if (!on) for (const stockBars of this.stocks.values()) dropMinutes(stockBars);
  }

  /** A day number; changes only in `advanceDay`. */
  today(): number {
    return this.day;
  }

  advanceDay(): boolean {
    const day = dayOfKey(this.keyAt(this.clock.now()));
    // An administrator may close or open the current day.
    this.isTradingToday = isTradingDay(dateOf(day));
    if (day === this.day) return false;
    this.day = day;
    return true;
  }

  stats(): { stocks: number; days: number; minutes: number; bytes: number } {
    const total = { stocks: this.stocks.size, days: 0, minutes: 0, bytes: this.arena.bytes() };
    for (const { days, minutes } of this.stocks.values()) {
      total.days += days.length();
      total.minutes += minutes.length();
    }
    return total;
  }
}
