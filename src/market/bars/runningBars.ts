import { fromSydney } from '#lib/sydneyTime.ts';
import { dateOf, dayOf, dayOfKey, keyOf, minuteOfKey } from '../rules/localTime.ts';
import { isQuotedOn } from '../rules/sessionClock.ts';
import type { Stock } from '../rules/stock.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { Market } from '../types.ts';
import type { BarSources } from './pastBars.ts';
import type { BarRow } from './rows.ts';
import { appendBar, noBars, type QuoteInBars } from './rules/barsAnswer.ts';
import { type BarColumns, type ChartTimeframe, DAY_LINE_SLOT_MINUTES } from './rules/bars.ts';
import { DAY_LINE_SLOTS, type DayLine, type DayLinesAnswer, putClose, slotOf } from './rules/dayLine.ts';
import { dayBucket, minuteBucket, minutesOf } from './rules/buckets.ts';
import {
  closeOnly,
  dayAfter,
  FIRST_TRADE,
  type QuotedFigures,
  quotedOn,
  type ShownFigures,
  showsSession,
} from './rules/quoteBars.ts';

function extend({ time, high, low, close, volume }: BarColumns, row: BarRow): void {
  const last = time.length - 1;
  high[last] = Math.max(high[last] ?? row.high, row.high);
  low[last] = Math.min(low[last] ?? row.low, row.low);
  close[last] = row.close;
  volume[last] = (volume[last] ?? 0) + row.volume;
}

/**
 * Joins rows into bars as columns, without an object per bar, because each chart reads thousands.
 * @param rows oldest first
 * @param timeOf converts the key of a bar's first row to epoch ms
 * @param isSeen whether a bar's beginning was seen, by its key and that of its first row
 * @returns the bars, and the times of those with unknown prices, which equal the close
 */
export function joinedColumns(
  rows: readonly BarRow[],
  tf: ChartTimeframe,
  timeOf: (bucket: number) => number,
  isSeen: (bucket: number, first: number) => boolean,
): { columns: BarColumns; partial: number[] } {
  const columns = noBars();
  const minutes = minutesOf(tf);
  let bucket = Number.NaN;
  for (const row of rows) {
    const next = minutes === null ? dayBucket(tf, row.key) : minuteBucket(minutes, row.key);
    if (next === bucket) extend(columns, row);
    else
      appendBar(
        columns,
        timeOf(next),
        isSeen(next, row.key) ? row : { ...closeOnly(row), volume: row.volume },
      );
    bucket = next;
  }
  return { columns, partial: closeUnknown(columns) };
}

function closeUnknown({ time, open, high, low, close }: BarColumns): number[] {
  const partial: number[] = [];
  for (const [at, start] of time.entries()) {
    const prices = [open, high, low];
    if (!prices.some((column) => Number.isNaN(column[at]))) continue;
    partial.push(start);
    for (const column of prices) if (Number.isNaN(column[at])) column[at] = close[at] ?? 0;
  }
  return partial;
}

export const lastColumns = (columns: BarColumns, limit: number): BarColumns =>
  columns.time.length <= limit
    ? columns
    : {
        time: columns.time.slice(-limit),
        open: columns.open.slice(-limit),
        high: columns.high.slice(-limit),
        low: columns.low.slice(-limit),
        close: columns.close.slice(-limit),
        volume: columns.volume.slice(-limit),
      };

export const quoteInBars = ({ day, ...figures }: QuotedFigures): QuoteInBars => ({
  date: dateOf(day),
  ...figures,
});

/**
 * A stock's trades of today, from its record only.
 * @param nowKey the running minute's key
 * @param lastSession the day before, if known
 * @param statedTime the provider's time of the quote
 * @returns null before the first trade and on non-trading days
 */
export function tradedToday(
  stock: ShownFigures | undefined,
  nowKey: number,
  lastSession?: BarRow,
  statedTime: number | null = null,
): QuotedFigures | null {
  const quote = stock ? quotedOn(dayOfKey(nowKey), stock) : null;
  if (!quote || quote.volume === 0 || minuteOfKey(nowKey) < FIRST_TRADE) return null;
  const date = dateOf(quote.day);
  const isStale = showsSession(lastSession, quote) && !isQuotedOn(statedTime, date);
  return isTradingDay(date) && !isStale ? quote : null;
}

export function runningDay(stock: ShownFigures, quote: QuotedFigures): BarRow {
  const { day, ...figures } = dayAfter(null, stock, quote, 0);
  return { key: day, ...figures };
}

/**
 * The running minute: the day's figures minus the finished minutes.
 * @param finished earlier minutes of the day, oldest first
 * @returns null without a trade
 */
export function runningMinute(
  stock: ShownFigures,
  { last, high, low, volume }: QuotedFigures,
  nowKey: number,
  finished: readonly BarRow[],
): BarRow | null {
  let shares = volume ?? 0;
  let highest = Number.NEGATIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  for (const minute of finished) {
    shares -= minute.volume;
    highest = Math.max(highest, minute.high);
    lowest = Math.min(lowest, minute.low);
  }
  if (shares <= 0) return null;
  const open = finished.at(-1)?.close ?? stock.open ?? last;
  return {
    key: nowKey,
    open,
    high: Math.max(open, last, high > highest ? high : last),
    low: Math.min(open, last, low < lowest ? low : last),
    close: last,
    volume: shares,
  };
}

const CODES_A_STEP = 4;

/** A stock's day in slots, for a deep history; NaN without a trade. 600 bytes per stock. */
function createWholeDays({ history, bars }: BarSources) {
  let known: { date: string; byCode: Map<string, Float64Array> } = { date: '', byCode: new Map() };
  return (code: string, date: string): Float64Array => {
    if (known.date !== date) known = { date, byCode: new Map() };
    const kept = known.byCode.get(code);
    if (kept) return kept;
    const slots = new Float64Array(DAY_LINE_SLOTS).fill(Number.NaN);
    if (isTradingDay(date)) {
      history.eachMinute(code, date, ({ time, close }) => {
        slots[slotOf(bars.keyAt(time))] = close;
      });
    }
    // A recording grows during the day, so it is not cached.
    if (history.recordedFrom === undefined) known.byCode.set(code, slots);
    return slots;
  };
}

export class DayLines {
  private readonly wholeDay: ReturnType<typeof createWholeDays>;

  constructor(private readonly deps: BarSources & { market: Market }) {
    this.wholeDay = createWholeDays(deps);
  }

  *read(codes: readonly string[]): Generator<undefined, DayLinesAnswer> {
    const { bars, market, clock } = this.deps;
    const date = market.date();
    const nowKey = bars.keyAt(clock.now());
    const lines: Record<string, DayLine> = {};
    for (const [index, code] of codes.entries()) {
      const stock = market.get(code);
      if (stock) lines[code] = this.lineOf(stock, date, nowKey);
      if (index % CODES_A_STEP === CODES_A_STEP - 1) yield;
    }
    const from = fromSydney(date, 10, 0);
    return { date, from, slotMinutes: DAY_LINE_SLOT_MINUTES, lines, unknown: this.unknownFrom(from) };
  }

  private unknownFrom(from: number): DayLinesAnswer['unknown'] {
    const { seen, history } = this.deps;
    const until = from + DAY_LINE_SLOTS * DAY_LINE_SLOT_MINUTES * 60_000;
    const gaps = (seen?.gaps() ?? []).filter((span) => span.until > from && span.from < until);
    const since = seen?.since() ?? history.recordedFrom ?? null;
    const unknown = gaps.map((span) => ({ from: span.from, until: span.until }));
    if (since !== null && since > from && since < until) unknown.unshift({ from, until: since });
    return unknown;
  }

  private lineOf(stock: Stock, date: string, nowKey: number): DayLine {
    const { code, close: previousClose } = stock;
    const { hasMinutes, history } = this.deps;
    if (!hasMinutes) return { previousClose, closes: [] };
    const last = tradedToday(stock, nowKey)?.last ?? null;
    const closes = history.isDeep
      ? this.deepCloses(code, date, nowKey, last)
      : this.keptCloses(code, date, nowKey);
    return { previousClose, closes };
  }

  private deepCloses(code: string, date: string, nowKey: number, last: number | null): DayLine['closes'] {
    const closes: DayLine['closes'] = [];
    const isRunning = dayOfKey(nowKey) === dayOf(date);
    const running = isRunning ? (nowKey < keyOf(dayOf(date), 599) ? -1 : slotOf(nowKey)) : DAY_LINE_SLOTS;
    for (const [slot, close] of this.wholeDay(code, date).entries()) {
      if (slot < running && !Number.isNaN(close)) putClose(closes, slot, close);
    }
    if (isRunning && running >= 0 && last !== null) putClose(closes, running, last);
    return closes;
  }

  private keptCloses(code: string, date: string, nowKey: number): DayLine['closes'] {
    const closes: DayLine['closes'] = [];
    const minutes = this.deps.bars.get(code)?.minutes;
    const day = dayOf(date);
    minutes?.each(
      ({ key, close }) => {
        if (dayOfKey(key) === day && key <= nowKey) putClose(closes, slotOf(key), close);
      },
      minutes.indexFrom(keyOf(day, 0)),
    );
    return closes;
  }
}
