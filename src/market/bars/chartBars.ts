import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import type { History } from '../sources/quotes.ts';
import { addDays, sydneyOffset } from '#lib/sydneyTime.ts';
import { dateOf, dayOf, dayOfKey, keyOf } from '../rules/localTime.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { Adjustments } from '../splits.ts';
import type { Market } from '../types.ts';
import { datesBefore, isWholeFrom } from './walk.ts';
import type { BarSources } from './pastBars.ts';
import { type BarRow, rowOf } from './rows.ts';
import type { BarsAnswer } from './rules/barsAnswer.ts';
import type { ChartTimeframe } from './rules/bars.ts';
import { dayBucket, type FrameKey, minuteBucket, minutesOf } from './rules/buckets.ts';
import { missingBars } from './rules/coverage.ts';
import {
  joinedColumns,
  lastColumns,
  quoteInBars,
  runningDay,
  runningMinute,
  tradedToday,
} from './runningBars.ts';
import type { Series } from './series.ts';

class RowCache {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  private readonly byKey = new Map<string, readonly BarRow[]>();
  private held = 0;

  constructor(private readonly maxRows: number) {}

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

const weightOf = (rows: readonly BarRow[]): number => rows.length + 1;

/** Trading days before today with minutes: about a quarter of a year. */
const MINUTE_DATES = 60;
const DAYS_REACH = 3653;
const CHUNK_DAYS = 364;
const MAX_TRADING_DAYS = 262;
/** About 10 MB: a week of minutes of sixty stocks. */
const MAX_ROWS = 150_000;

type PastRows = { rows: BarRow[]; hasOlder: boolean };

type DeepRowsDeps = {
  history: History;
  keyAt: (time: number) => number;
  today: () => number;
};

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
    // The newest bar of an older part may continue in the part after it.
    if (bucket === earliest) count -= 1;
    const [first] = rows;
    if (first) earliest = bucketOf(first.key);
    return count;
  };
}

class DeepRows {
  private readonly cache = new RowCache(MAX_ROWS);
  private readonly firstDate: string;
  private readonly isRecorded: boolean;
  private dates: { day: number; all: readonly string[] } = { day: Number.NaN, all: [] };

  constructor(private readonly deps: DeepRowsDeps) {
    this.firstDate = deps.history.firstDate ?? '';
    this.isRecorded = deps.history.recordedFrom !== undefined;
  }

  /** Minutes before a minute key, one date per step. @param limit wanted bars of `minutes` minutes */
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

  /** Finished days before a day number, one year per step. */
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

  reach(): { minutes: number; days: number } {
    const first = this.minuteDates()[0] ?? addDays(dateOf(this.deps.today()), -1);
    return { minutes: dayOf(first), days: this.firstDay() };
  }

  size(): number {
    return this.cache.size();
  }

  private minuteDates(): readonly string[] {
    const day = this.deps.today();
    if (this.dates.day !== day) {
      const before = datesBefore(day, MINUTE_DATES);
      const all = isTradingDay(dateOf(day)) ? [...before, dateOf(day)] : before;
      this.dates = { day, all: all.filter((date) => date >= this.firstDate) };
    }
    return this.dates.all;
  }

  /** Unfinished dates of a recording are not cached, because they grow. */
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

/** At most `limit` bars that began before `before` (epoch ms; null for the newest). */
export type BarsWanted = { code: string; tf: ChartTimeframe; before: number | null; limit: number };

type KnownBars = Omit<BarsAnswer, 'symbol' | 'note'>;

type ChartBarsDeps = BarSources & {
  market: Market;
  savedDays: (code: string) => readonly BarRow[];
  adjustments: Adjustments;
};

type ReadRows = PastRows & { quote: BarsAnswer['quote'] };

const NONE: ReadRows = { rows: [], hasOlder: false, quote: null };

function rowsOf(series: Series, until: number): BarRow[] {
  const rows: BarRow[] = [];
  series.each((row) => rows.push(rowOf(row, row.key)), 0, series.indexFrom(until));
  return rows;
}

/** Converts day and minute keys to epoch ms; computes Sydney's offset once per date. */
function createTimes(): (key: number, isMinute: boolean) => number {
  let known = { day: Number.NaN, offset: 0 };
  return (key, isMinute) => {
    if (!isMinute) return key * DAY_MS;
    const day = dayOfKey(key);
    // Noon in Sydney, because daylight saving changes at night.
    if (known.day !== day) known = { day, offset: sydneyOffset(day * DAY_MS + 2 * 3_600_000) };
    return key * MINUTE_MS - known.offset;
  };
}

const minuteAfterBar = (minutes: number, key: number): number => minuteBucket(minutes, key) + minutes;

/** The first day number after the bar that contains a moment. @param before epoch ms */
function dayAfterBar(tf: ChartTimeframe, before: number): number {
  let day = Math.floor((before - 1) / DAY_MS);
  const bucket = dayBucket(tf, day);
  while (dayBucket(tf, day) === bucket) day += 1;
  return day;
}

/**
 * Rows of a deep history; the running bar comes from the stock's record. `before` is the exclusive end key.
 */
class PastOnDemand {
  private readonly rows: DeepRows;

  constructor(
    private readonly deps: ChartBarsDeps,
    private readonly nowKey: () => number,
  ) {
    const { history, bars } = deps;
    this.rows = new DeepRows({ history, keyAt: bars.keyAt, today: () => dayOfKey(nowKey()) });
  }

  *minutes({ code, before, limit }: BarsWanted, minutes: number): Generator<undefined, ReadRows> {
    const now = this.nowKey();
    // Computing a recording's running minute from the day's figures would include earlier trades.
    const isRecorded = this.deps.history.recordedFrom !== undefined;
    const until = before ?? (isRecorded ? now + 1 : now);
    const past = yield* this.rows.minutes(code, minutes, until, limit);
    if (before !== null) return { ...past, quote: null };
    const stock = this.deps.market.get(code);
    const quote = tradedToday(stock, now);
    if (!stock || !quote) return { ...past, quote: null };
    if (isRecorded) return { ...past, quote: quoteInBars(quote) };
    const finished = past.rows.filter(({ key }) => dayOfKey(key) === quote.day);
    const running = runningMinute(stock, quote, now, finished);
    return { ...past, rows: running ? [...past.rows, running] : past.rows, quote: quoteInBars(quote) };
  }

  *days({ code, tf, before, limit }: BarsWanted): Generator<undefined, ReadRows> {
    const now = this.nowKey();
    const past = yield* this.rows.days(code, tf, before ?? dayOfKey(now), limit);
    if (before !== null) return { ...past, quote: null };
    const { market } = this.deps;
    const stock = market.get(code);
    const quote = tradedToday(stock, now, past.rows.at(-1), market.statedQuoteTime(code));
    if (!stock || !quote) return { ...past, quote: null };
    return { ...past, rows: [...past.rows, runningDay(stock, quote)], quote: quoteInBars(quote) };
  }

  knownSince(isMinute: boolean): number {
    const { recordedFrom } = this.deps.history;
    const { minutes, days } = this.rows.reach();
    if (isMinute && recordedFrom !== undefined) return recordedFrom;
    return isMinute ? createTimes()(keyOf(minutes, 600), true) : days * DAY_MS;
  }

  held(): number {
    return this.rows.size();
  }
}

class KeptRows {
  constructor(
    private readonly deps: ChartBarsDeps,
    private readonly nowKey: () => number,
  ) {}

  minutes({ code, before }: BarsWanted): ReadRows {
    const known = this.deps.bars.get(code);
    if (!known) return NONE;
    // After the clock steps back, some minutes are in the future.
    const until = before ?? this.nowKey() + 1;
    const quote = before === null && known.lastQuote ? quoteInBars(known.lastQuote) : null;
    return { rows: rowsOf(known.minutes, until), hasOlder: false, quote };
  }

  days({ code, before }: BarsWanted): ReadRows {
    const { bars, savedDays } = this.deps;
    const until = before ?? dayOfKey(this.nowKey()) + 1;
    const known = bars.get(code);
    if (!known) return { ...NONE, rows: savedDays(code).filter(({ key }) => key < until) };
    const rows = rowsOf(known.days, until);
    const { today: running, lastQuote } = known;
    if (running && running.day < until && running.day > (rows.at(-1)?.key ?? 0)) {
      rows.push(rowOf(running, running.day));
    }
    return { rows, hasOlder: false, quote: before === null && lastQuote ? quoteInBars(lastQuote) : null };
  }

  knownSince(first: number | undefined): number | null {
    const since = this.deps.seen?.since() ?? null;
    if (since === null || first === undefined) return since ?? first ?? null;
    return Math.min(since, first);
  }
}

export class ChartBars {
  private readonly deep: PastOnDemand | null;
  private readonly kept: KeptRows;

  constructor(private readonly deps: ChartBarsDeps) {
    const nowKey = () => this.nowKey();
    this.deep = deps.history.isDeep ? new PastOnDemand(deps, nowKey) : null;
    this.kept = new KeptRows(deps, nowKey);
  }

  *read(wanted: BarsWanted): Generator<undefined, KnownBars> {
    const { tf, limit } = wanted;
    const isMinute = minutesOf(tf) !== null;
    const end = this.endOf(wanted);
    const { rows, hasOlder, quote } = yield* this.rowsFor({ ...wanted, before: end });
    const timeOf = createTimes();
    const isSeen = isMinute ? this.isMinuteSeen : this.isDaySeen(rows[0]?.key ?? 0, hasOlder);
    const joined = joinedColumns(rows, tf, (bucket) => timeOf(bucket, isMinute), isSeen);
    const all = joined.columns;
    const columns = lastColumns(all, limit);
    const partial = joined.partial.filter((time) => time >= (columns.time[0] ?? 0));
    const hasMore = hasOlder || all.time.length > limit;
    // If the beginning of the first bar was not seen, its time is not since when prices are known.
    const isSeenFirst = joined.partial[0] !== all.time[0];
    const since = this.knownSince(isMinute, isSeenFirst ? all.time[0] : undefined);
    const from = hasMore ? (columns.time[0] ?? 0) : (since ?? 0);
    const spans = missingBars(tf, this.deps.seen?.gaps() ?? []).filter(
      (span) => span.until > from && (end === null || span.from < timeOf(end, isMinute)),
    );
    const adjustments = [...this.deps.adjustments.of(wanted.code)];
    return { tf, bars: columns, partial, quote, knownSince: since, hasMore, unknown: spans, adjustments };
  }

  /** The inputs of a stock's bars: equal inputs give equal bars, except over a jump. Null if unlisted. */
  version(code: string): readonly unknown[] | null {
    const { market, seen, adjustments } = this.deps;
    const stock = market.get(code);
    const ofSource = [seen?.since() ?? null, seen?.gaps() ?? null];
    return stock ? [stock, this.nowKey(), ...ofSource, adjustments.of(code)] : null;
  }

  held(): number {
    return this.deep?.held() ?? 0;
  }

  private readonly isMinuteSeen = (bucket: number, first: number): boolean =>
    !this.deps.bars.beganUnseen(bucket, first);

  /** Whether a daily bar's beginning is known; the first may have begun earlier. @param first a day number */
  private isDaySeen(first: number, hasOlder: boolean): (bucket: number) => boolean {
    const { isDeep, firstDate } = this.deps.history;
    const isWhole = hasOlder || (isDeep && firstDate === undefined);
    return (bucket) => isWhole || bucket > first || isWholeFrom(first, bucket);
  }

  private nowKey(): number {
    return this.deps.bars.keyAt(this.deps.clock.now());
  }

  private endOf({ tf, before }: BarsWanted): number | null {
    if (before === null) return null;
    const minutes = minutesOf(tf);
    const now = this.nowKey();
    const end =
      minutes === null ? dayAfterBar(tf, before) : minuteAfterBar(minutes, this.deps.bars.keyAt(before - 1));
    return end > (minutes === null ? dayOfKey(now) : now) ? null : end;
  }

  private *rowsFor(wanted: BarsWanted): Generator<undefined, ReadRows> {
    const { deep, kept } = this;
    const minutes = minutesOf(wanted.tf);
    if (minutes !== null && !this.deps.hasMinutes) return NONE;
    if (deep) return yield* minutes === null ? deep.days(wanted) : deep.minutes(wanted, minutes);
    return minutes === null ? kept.days(wanted) : kept.minutes(wanted);
  }

  private knownSince(isMinute: boolean, first: number | undefined): number | null {
    if (isMinute && !this.deps.hasMinutes) return null;
    return this.deep ? this.deep.knownSince(isMinute) : this.kept.knownSince(first);
  }
}
