import type { QuoteInBars, BarColumns, ChartTimeframe } from './rules/bars.ts';
import {
  closeOnly,
  dayAfter,
  FIRST_TRADE,
  type QuotedFigures,
  quotedOn,
  showsSession,
  type ShownFigures,
} from './rules/quoteBars.ts';
import { dateOf, dayOfKey, minuteOfKey } from '../rules/localTime.ts';
import { isQuotedOn } from '../rules/session.ts';
import { isTradingDay } from '../rules/tradingDay.ts';
import type { BarRow } from './rows.ts';
import { appendBar, noBars } from './rules/barColumns.ts';
import { dayBucket, minuteBucket, minutesOf } from './rules/buckets.ts';

/** Adds a row to the last bar. A figure that is unknown in either stays unknown. */
function extend({ time, high, low, close, volume }: BarColumns, row: BarRow): void {
  const last = time.length - 1;
  high[last] = Math.max(high[last] ?? row.high, row.high);
  low[last] = Math.min(low[last] ?? row.low, row.low);
  close[last] = row.close;
  volume[last] = (volume[last] ?? 0) + row.volume;
}

/**
 * Joins rows into bars of a timeframe, as columns: thousands are read with each look at a chart, so none of them is an object.
 * @param rows oldest first @param timeOf from the key of a bar's first minute or day to epoch ms
 * @param isSeen whether the beginning of a bar was seen, by its key and that of the first row in it
 * @returns the bars, and the times of those of which more than the close is unknown: it has the place of that
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

/** Replaces unknown prices by the close, in place. @returns the times of the bars that it changed */
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

/** The newest bars, at most this many. */
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
 * What a stock has traded today, where nothing but its record tells it.
 * @param nowKey the running minute's key; @param lastSession the day before, where it is known
 * @param statedTime when the quote was made, as its provider states it
 * @returns null before the first trade and on days without trading
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

/** The running day of a stock of which only its record is known. */
export function runningDay(stock: ShownFigures, quote: QuotedFigures): BarRow {
  const { day, ...figures } = dayAfter(null, stock, quote, 0);
  return { key: day, ...figures };
}

/**
 * The running minute, which is what the finished ones of the day leave of the day's figures.
 * @param finished the minutes of the day before this one, oldest first
 * @returns null while nobody traded in it
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
