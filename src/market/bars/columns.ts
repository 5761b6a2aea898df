import { appendBar, noBars } from './rules/barColumns.ts';
import type { BarColumns, ChartTimeframe } from './rules/bars.ts';
import { dayBucket, minuteBucket, minutesOf } from './rules/buckets.ts';
import type { BarRow } from './rows.ts';

/** Adds a row to the last bar. */
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
 */
export function joinedColumns(
  rows: readonly BarRow[],
  tf: ChartTimeframe,
  timeOf: (bucket: number) => number,
): BarColumns {
  const columns = noBars();
  const minutes = minutesOf(tf);
  let bucket = Number.NaN;
  for (const row of rows) {
    const next = minutes === null ? dayBucket(tf, row.key) : minuteBucket(minutes, row.key);
    if (next === bucket) extend(columns, row);
    else appendBar(columns, timeOf(next), row);
    bucket = next;
  }
  return columns;
}

/** The newest bars, at most so many. */
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
