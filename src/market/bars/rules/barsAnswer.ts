import {
  boolean,
  choice,
  epochMs,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
  where,
  type Wire,
  words,
} from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readNumber, readRecord } from '#lib/read.ts';
import { type Bar, type BarColumns, CHART_TIMEFRAMES } from './bars.ts';

export type QuoteInBars = Wire<typeof quoteInBars>;

export type BarsAnswer = Wire<typeof barsAnswer>;

export const noBars = (): BarColumns => ({ time: [], open: [], high: [], low: [], close: [], volume: [] });

/** Appends a bar in place. @param time as in `BarColumns` @param bar AUD and shares */
export function appendBar(columns: BarColumns, time: number, { open, high, low, close, volume }: Bar): void {
  columns.time.push(time);
  columns.open.push(open);
  columns.high.push(high);
  columns.low.push(low);
  columns.close.push(close);
  columns.volume.push(volume);
}

const EMPTY = noBars();

function readColumns(value: unknown): BarColumns {
  const given = readRecord(value);
  const column = (name: keyof BarColumns): unknown[] => (Array.isArray(given[name]) ? given[name] : []);
  const [times, open, high, low, close, volume] = [
    column('time'),
    column('open'),
    column('high'),
    column('low'),
    column('close'),
    column('volume'),
  ];
  const bars = noBars();
  times.forEach((time, index) => {
    // A time that no `Date` can hold would break the chart.
    const at = epochMs.read(time);
    const prices = [open[index], high[index], low[index], close[index]].map(readNumber);
    const [first, top, bottom, last] = prices;
    if (at === null || first == null || top == null || bottom == null || last == null) return;
    if (at <= (bars.time.at(-1) ?? Number.NEGATIVE_INFINITY)) return;
    const bar = { open: first, high: top, low: bottom, close: last, volume: readNumber(volume[index]) ?? 0 };
    appendBar(bars, at, bar);
  });
  return bars.time.length === 0 ? EMPTY : bars;
}

const column = list(number);

export const barColumns = readBy(
  object({ time: column, open: column, high: column, low: column, close: column, volume: column }),
  readColumns,
);

/** A split: bars before `date` (YYYY-MM-DD, Sydney) are multiplied by `factor`; detected at `at`. */
export const adjustment = object({ date: text, factor: number, at: epochMs }, ['date', 'factor', 'at']);

export const moments = object({ from: epochMs, until: epochMs }, ['from', 'until']);
export const timeSpan = where(moments, ({ from, until }) => until > from);

/** The quote in the bars, AUD and shares; needed to continue them. `date` is YYYY-MM-DD in Sydney. */
export const quoteInBars = object(
  { date: text, last: number, high: number, low: number, volume: orNull(number) },
  ['date', 'last', 'high', 'low'],
);

export const barsAnswer = object({
  symbol: or(text, ''),
  tf: or(choice(CHART_TIMEFRAMES), '1'),
  bars: barColumns,
  /** Times of bars with an unseen beginning. Unknown prices equal the close. */
  partial: list(epochMs),
  quote: orNull(quoteInBars),
  note: orNull(words),
  knownSince: orNull(epochMs),
  hasMore: or(boolean, false),
  unknown: list(timeSpan),
  /** Oldest first. Bars are in the prices after them. */
  adjustments: list(adjustment),
});
