import { dayBucket, type FrameKey, minuteBucket } from './rules/buckets.ts';
import { dateOf, dayOf, dayOfKey } from '../rules/localTime.ts';
import { addDays } from '../rules/sydneyTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { History } from '../../sources/quotes/history.ts';
import { datesBefore } from './loadBars.ts';
import { createRowCache } from './rowCache.ts';
import { type BarRow, rowOf } from './rows.ts';

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

/** Reads the past of a source that can give any day, as much of it as so many bars need. */
export type DeepRows = {
  /** Minutes before a minute key, one date a step. @param limit bars of `minutes` minutes that are wanted */
  minutes(code: string, minutes: number, before: number, limit: number): Generator<undefined, PastRows>;
  /** Finished days before a day number, a year a step. */
  days(code: string, frame: FrameKey, before: number, limit: number): Generator<undefined, PastRows>;
  /** The first day number whose minutes can be given, and the first whose day can. */
  reach(): { minutes: number; days: number };
  size(): number;
};

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

export function createDeepRows({ history, keyAt, today }: DeepRowsDeps): DeepRows {
  const cache = createRowCache(MAX_ROWS);
  const { firstDate = '' } = history;
  const isRecorded = history.recordedFrom !== undefined;
  let dates: { day: number; all: readonly string[] } = { day: Number.NaN, all: [] };

  /** The dates whose minutes can be asked for, oldest first. */
  function minuteDates(): readonly string[] {
    const day = today();
    if (dates.day !== day) {
      const before = datesBefore(day, MINUTE_DATES);
      const all = isTradingDay(dateOf(day)) ? [...before, dateOf(day)] : before;
      dates = { day, all: all.filter((date) => date >= firstDate) };
    }
    return dates.all;
  }

  function readMinutes(code: string, date: string): readonly BarRow[] {
    const rows: BarRow[] = [];
    history.eachMinute(code, date, (bar) => rows.push(rowOf(bar, keyAt(bar.time))));
    return rows;
  }

  /** Minutes of a date; those of a date that is not over in a recording are others a moment later. */
  const minutesOn = (code: string, date: string): readonly BarRow[] =>
    isRecorded && dayOf(date) >= today()
      ? readMinutes(code, date)
      : cache.get(`${code} ${date}`, () => readMinutes(code, date));

  const firstDay = (): number => Math.max(today() - DAYS_REACH, firstDate === '' ? 0 : dayOf(firstDate));

  /** The days after `from` up to `until`. */
  const daysOf = (code: string, from: string, until: string): readonly BarRow[] =>
    cache.get(`${code} ${from} ${until}`, () => {
      const rows: BarRow[] = [];
      history.eachDay(code, until, MAX_TRADING_DAYS, (bar) => {
        if (bar.date > from) rows.push(rowOf(bar, dayOf(bar.date)));
      });
      return rows;
    });

  return {
    *minutes(code, minutes, before, limit) {
      const parts: (readonly BarRow[])[] = [];
      const countWith = createCount((key) => minuteBucket(minutes, key));
      const wanted = minuteDates().filter((date) => dayOf(date) <= dayOfKey(before));
      for (const date of wanted.toReversed()) {
        const all = minutesOn(code, date);
        const isWhole = (all.at(-1)?.key ?? 0) < before;
        const rows = isWhole ? all : all.filter(({ key }) => key < before);
        parts.unshift(rows);
        if (countWith(rows) > limit) return { rows: parts.flat(), hasOlder: true };
        yield;
      }
      return { rows: parts.flat(), hasOlder: false };
    },
    *days(code, frame, before, limit) {
      const parts: BarRow[][] = [];
      const countWith = createCount((day) => dayBucket(frame, day));
      const first = firstDay();
      let until = Math.min(before, today()) - 1;
      while (until >= first) {
        const from = until - CHUNK_DAYS;
        const rows = daysOf(code, dateOf(from), dateOf(until)).filter(({ key }) => key >= first);
        parts.unshift(rows);
        if (countWith(rows) > limit) return { rows: parts.flat(), hasOlder: true };
        until = from;
        yield;
      }
      return { rows: parts.flat(), hasOlder: false };
    },
    reach: () => ({
      minutes: dayOf(minuteDates()[0] ?? addDays(dateOf(today()), -1)),
      days: firstDay(),
    }),
    size: cache.size,
  };
}
