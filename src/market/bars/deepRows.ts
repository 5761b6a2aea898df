import { dayBucket, type FrameKey, minuteBucket } from './rules/buckets.ts';
import { dateOf, dayOf, dayOfKey } from '../rules/localTime.ts';
import { addDays } from '../rules/sydneyTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { History } from '#sources/quotes/history.ts';
import { datesBefore } from './loadBars.ts';
import { type BarRow, rowOf } from './rows.ts';

/** Rows that were made of a deep history and will be the same whenever they are asked for. */
class RowCache {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  private readonly byKey = new Map<string, readonly BarRow[]>();
  private held = 0;

  /** @param maxRows at most this many are held: those that were used longest ago are forgotten */
  constructor(private readonly maxRows: number) {}

  /** What is kept under a key, else what `make` gives. */
  get(key: string, make: () => readonly BarRow[]): readonly BarRow[] {
    const known = this.byKey.get(key);
    const rows = known ?? make();
    this.byKey.delete(key);
    this.byKey.set(key, rows);
    if (!known) this.added(rows);
    return rows;
  }

  size(): number {
    return this.held;
  }

  private added(rows: readonly BarRow[]): void {
    this.held += weightOf(rows);
    for (const [key, oldest] of this.byKey) {
      if (this.held <= this.maxRows) return;
      this.byKey.delete(key);
      this.held -= weightOf(oldest);
    }
  }
}

/** An empty list takes room as well. */
const weightOf = (rows: readonly BarRow[]): number => rows.length + 1;

/** Trading days before today whose minutes can be asked for: a quarter. */
const MINUTE_DATES = 60;
/** Ten years of days. */
const DAYS_REACH = 3653;
const CHUNK_DAYS = 364;
/** More than a chunk has trading days. */
const MAX_TRADING_DAYS = 262;
/** About 10 MB: a week of minutes of sixty stocks. */
const MAX_ROWS = 150_000;

/** Rows of a stock's past, oldest first, and whether there are older ones. */
export type PastRows = { rows: BarRow[]; hasOlder: boolean };

export type DeepRowsDeps = {
  history: History;
  keyAt: (time: number) => number;
  /** Today as a day number. */
  today: () => number;
};

/** Counts the bars that rows make; rows come newest part first. */
function createCount(bucketOf: (key: number) => number) {
  let count = 0;
  let earliest = Number.NaN;
  return (rows: readonly BarRow[]): number => {
    let bucket = Number.NaN;
    for (const { key } of rows) {
      const next = bucketOf(key);
      if (next !== bucket) count += 1;
      bucket = next;
    }
    // The newest bar of an older part may go on in the part after it.
    if (bucket === earliest) count -= 1;
    const [first] = rows;
    if (first) earliest = bucketOf(first.key);
    return count;
  };
}

/** Reads the past of a source that can give any day, as much of it as this many bars need. */
export class DeepRows {
  private readonly cache = new RowCache(MAX_ROWS);
  private readonly firstDate: string;
  private readonly isRecorded: boolean;
  private dates: { day: number; all: readonly string[] } = { day: Number.NaN, all: [] };

  constructor(private readonly deps: DeepRowsDeps) {
    this.firstDate = deps.history.firstDate ?? '';
    this.isRecorded = deps.history.recordedFrom !== undefined;
  }

  /** Minutes before a minute key, one date a step. @param limit bars of `minutes` minutes that are wanted */
  *minutes(code: string, minutes: number, before: number, limit: number): Generator<undefined, PastRows> {
    const parts: (readonly BarRow[])[] = [];
    const countWith = createCount((key) => minuteBucket(minutes, key));
    const wanted = this.minuteDates().filter((date) => dayOf(date) <= dayOfKey(before));
    for (const date of wanted.toReversed()) {
      const all = this.minutesOn(code, date);
      const isWhole = (all.at(-1)?.key ?? 0) < before;
      const rows = isWhole ? all : all.filter(({ key }) => key < before);
      parts.unshift(rows);
      if (countWith(rows) > limit) return { rows: parts.flat(), hasOlder: true };
      yield;
    }
    return { rows: parts.flat(), hasOlder: false };
  }

  /** Finished days before a day number, a year a step. */
  *days(code: string, frame: FrameKey, before: number, limit: number): Generator<undefined, PastRows> {
    const parts: BarRow[][] = [];
    const countWith = createCount((day) => dayBucket(frame, day));
    const first = this.firstDay();
    let until = Math.min(before, this.deps.today()) - 1;
    while (until >= first) {
      const from = until - CHUNK_DAYS;
      const rows = this.daysOf(code, dateOf(from), dateOf(until)).filter(({ key }) => key >= first);
      parts.unshift(rows);
      if (countWith(rows) > limit) return { rows: parts.flat(), hasOlder: true };
      until = from;
      yield;
    }
    return { rows: parts.flat(), hasOlder: false };
  }

  /** The first day number whose minutes can be given, and the first whose day can. */
  reach(): { minutes: number; days: number } {
    const first = this.minuteDates()[0] ?? addDays(dateOf(this.deps.today()), -1);
    return { minutes: dayOf(first), days: this.firstDay() };
  }

  size(): number {
    return this.cache.size();
  }

  /** The dates whose minutes can be asked for, oldest first. */
  private minuteDates(): readonly string[] {
    const day = this.deps.today();
    if (this.dates.day !== day) {
      const before = datesBefore(day, MINUTE_DATES);
      const all = isTradingDay(dateOf(day)) ? [...before, dateOf(day)] : before;
      this.dates = { day, all: all.filter((date) => date >= this.firstDate) };
    }
    return this.dates.all;
  }

  /** Minutes of a date; those of a date that is not over in a recording are others a moment later. */
  private minutesOn(code: string, date: string): readonly BarRow[] {
    return this.isRecorded && dayOf(date) >= this.deps.today()
      ? this.readMinutes(code, date)
      : this.cache.get(`${code} ${date}`, () => this.readMinutes(code, date));
  }

  private readMinutes(code: string, date: string): readonly BarRow[] {
    const { history, keyAt } = this.deps;
    const rows: BarRow[] = [];
    history.eachMinute(code, date, (bar) => rows.push(rowOf(bar, keyAt(bar.time))));
    return rows;
  }

  private firstDay(): number {
    return Math.max(this.deps.today() - DAYS_REACH, this.firstDate === '' ? 0 : dayOf(this.firstDate));
  }

  /** The days after `from` up to `until`. */
  private daysOf(code: string, from: string, until: string): readonly BarRow[] {
    return this.cache.get(`${code} ${from} ${until}`, () => {
      const rows: BarRow[] = [];
      this.deps.history.eachDay(code, until, MAX_TRADING_DAYS, (bar) => {
        if (bar.date > from) rows.push(rowOf(bar, dayOf(bar.date)));
      });
      return rows;
    });
  }
}
