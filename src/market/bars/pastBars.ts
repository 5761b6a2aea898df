import type { DataGap } from './rules/coverage.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { dateOf, dayOf } from '../rules/localTime.ts';
import type { Clock } from '#lib/clock.ts';
import type { History } from '../sources/quotes.ts';
import type { SeenTimes } from './coverage.ts';
import { datesBefore, KEPT_MINUTE_DAYS } from './walk.ts';
import { type BarRow, rowOf } from './rows.ts';
import type { Series } from './series.ts';
import type { BarStore, BeganUnseen } from './store.ts';

export type PastBars = {
  readonly hasMinutes: boolean;
  /** Up to `count` finished days, oldest first, by day number. Unknown figures are NaN: see `drawable`. */
  days(code: string, count: number): BarRow[];
  /**
   * Finished minutes of the last trading days, today included, oldest first, by minute key. One date per
   * step.
   * @param count of trading days
   */
  minutes(code: string, count: number): Generator<undefined, BarRow[]>;
  /** The minutes of a Sydney date until now, oldest first, by minute key. Null if they are not stored. */
  minutesOn(code: string, date: string): BarRow[] | null;
  /** Day number of the first of the market's last `count` finished days; a stock may have fewer. */
  since(count: number): number;
  readonly beganUnseen: BeganUnseen;
  gaps(): readonly DataGap[];
};

export type BarSources = {
  bars: BarStore;
  history: History;
  clock: Clock;
  /** False if the source's quotes are too rare or too late. */
  hasMinutes: boolean;
  /** Null for a deep history, which has no gaps. */
  seen: SeenTimes | null;
};

function rowsOf(series: Series, from: number, until?: number): BarRow[] {
  const rows: BarRow[] = [];
  series.each((row) => rows.push(rowOf(row, row.key)), from, until);
  return rows;
}

/** The store changes its day only with the first quote, so this reads the market's clock. */
const todayOf = ({ bars, clock }: BarSources): number => Math.floor(bars.keyAt(clock.now()) / 1440);

function lastDates(today: number, count: number): string[] {
  const date = dateOf(today);
  return isTradingDay(date) ? [...datesBefore(today, count - 1), date] : datesBefore(today, count);
}

function finishedDays(deps: BarSources, code: string, count: number): BarRow[] {
  const { bars, history } = deps;
  const today = todayOf(deps);
  if (history.isDeep) {
    const known: BarRow[] = [];
    history.eachDay(code, addDays(dateOf(today), -1), count, (bar) => {
      known.push(rowOf(bar, dayOf(bar.date)));
    });
    return known;
  }
  const days = bars.get(code)?.days;
  const running = bars.get(code)?.today;
  if (!days) return [];
  const finished = rowsOf(days, Math.max(0, days.length() - count));
  if (running && running.day < today) finished.push(rowOf(running, running.day));
  return finished.slice(-count);
}

function* finishedMinutes(deps: BarSources, code: string, count: number): Generator<undefined, BarRow[]> {
  const { bars, history, clock, hasMinutes } = deps;
  if (!hasMinutes) return [];
  const now = bars.keyAt(clock.now());
  const today = todayOf(deps);
  if (!history.isDeep) {
    const minutes = bars.get(code)?.minutes;
    const first = dayOf(lastDates(today, count)[0] ?? dateOf(today)) * 1440;
    return minutes ? rowsOf(minutes, minutes.indexFrom(first), minutes.indexFrom(now)) : [];
  }
  const rows: BarRow[] = [];
  for (const date of lastDates(today, count)) {
    history.eachMinute(code, date, (bar) => {
      const key = bars.keyAt(bar.time);
      if (key < now) rows.push(rowOf(bar, key));
    });
    yield;
  }
  return rows;
}

function minutesOn(deps: BarSources, code: string, date: string): BarRow[] | null {
  const { bars, history, clock, hasMinutes } = deps;
  const now = bars.keyAt(clock.now());
  if (!hasMinutes) return null;
  if (history.isDeep) {
    const rows: BarRow[] = [];
    if (date < (history.firstDate ?? '')) return null;
    history.eachMinute(code, date, (bar) => {
      const key = bars.keyAt(bar.time);
      if (key < now) rows.push(rowOf(bar, key));
    });
    return rows;
  }
  if (date < (lastDates(todayOf(deps), KEPT_MINUTE_DAYS)[0] ?? date)) return null;
  const minutes = bars.get(code)?.minutes;
  const first = dayOf(date) * 1440;
  if (!minutes) return [];
  return rowsOf(minutes, minutes.indexFrom(first), minutes.indexFrom(Math.min(now, first + 1440)));
}

export function createPastBars(deps: BarSources): PastBars {
  return {
    hasMinutes: deps.hasMinutes,
    beganUnseen: deps.bars.beganUnseen,
    since(count) {
      const today = todayOf(deps);
      return dayOf(datesBefore(today, count)[0] ?? dateOf(today));
    },
    gaps: () => deps.seen?.gaps() ?? [],
    days: (code, count) => finishedDays(deps, code, count),
    minutes: (code, count) => finishedMinutes(deps, code, count),
    minutesOn: (code, date) => minutesOn(deps, code, date),
  };
}
