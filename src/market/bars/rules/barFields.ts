import { epochMs, list, number, readBy } from '../../../lib/contract/fields.ts';
import { object } from '../../../lib/contract/objects.ts';
import { readNumber, readRecord, readTime } from '../../../lib/read.ts';
import { appendBar, noBars } from './barColumns.ts';
import type { BarColumns, TimeSpan } from './bars.ts';

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

function readSpan(value: unknown): TimeSpan | null {
  const { from, until } = readRecord(value);
  const [begins, ends] = [readTime(from), readTime(until)];
  return begins === null || ends === null || ends <= begins ? null : { from: begins, until: ends };
}

const column = list(number);

/** Bars with all of their prices, in ascending order: whatever is not is left out. */
export const barColumns = readBy(
  object({ time: column, open: column, high: column, low: column, close: column, volume: column }),
  readColumns,
);

/** A stretch of time; null for what is none. */
export const timeSpan = readBy(object({ from: epochMs, until: epochMs }), readSpan);
