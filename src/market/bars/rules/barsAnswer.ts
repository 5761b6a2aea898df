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
  words,
} from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readNumber, readRecord } from '#lib/read.ts';
import { type Bar, type BarColumns, CHART_TIMEFRAMES } from './bars.ts';

/** Columns to which bars can be added. */
export const noBars = (): BarColumns => ({ time: [], open: [], high: [], low: [], close: [], volume: [] });

/**
 * Adds a bar at the end, in place.
 *
 * @param time its beginning as `BarColumns` has it @param bar its prices, AUD, and its volume, shares
 */
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
    const at = readNumber(time);
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

/** Bars with all of their prices, in ascending order: whatever is not is left out. */
export const barColumns = readBy(
  object({ time: column, open: column, high: column, low: column, close: column, volume: column }),
  readColumns,
);

/** A split or consolidation: bars before `date` (YYYY-MM-DD in Sydney) are multiplied by `factor`; `at` is when it was recognised. */
export const adjustment = object({ date: text, factor: number, at: epochMs }, ['date', 'factor', 'at']);

/** From one moment until another. */
export const moments = object({ from: epochMs, until: epochMs }, ['from', 'until']);
/** A stretch of time; null for what is none. */
export const timeSpan = where(moments, ({ from, until }) => until > from);

/**
 * What the stock showed when bars were made of it; AUD and shares. Who goes on with them needs it to tell what is new.
 * `date` is a date of Sydney, YYYY-MM-DD.
 */
export const quoteInBars = object(
  { date: text, last: number, high: number, low: number, volume: orNull(number) },
  ['date', 'last', 'high', 'low'],
);

/** `GET /api/data/bars`. */
export const barsAnswer = object({
  symbol: or(text, ''),
  tf: or(choice(CHART_TIMEFRAMES), '1'),
  bars: barColumns,
  /**
   * The times of bars whose beginning was not seen. Their close is known; it has the place of their open, and of high and low
   * unless the source states these.
   */
  partial: list(epochMs),
  /** The newest quote in the bars; null in an answer with `before`, and while there is none. */
  quote: orNull(quoteInBars),
  /** What else is to be said: a sentence, as of a stock that is not in the live list; null when there is nothing. */
  note: orNull(words),
  /** The earliest moment from which this source's bars are known, epoch ms; null while nothing is. */
  knownSince: orNull(epochMs),
  /** There are older bars: ask again with `before` = the first time. */
  hasMore: or(boolean, false),
  /** Stretches within the answer that are not known, as the server was off or the source silent: shown as gaps. */
  unknown: list(timeSpan),
  /** The splits and consolidations of the stock, oldest first: its bars are in the prices of after them. */
  adjustments: list(adjustment),
});
