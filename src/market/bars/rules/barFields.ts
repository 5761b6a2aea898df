import { epochMs, list, number, readBy, text, where } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readNumber, readRecord } from '#lib/read.ts';
import { appendBar, noBars } from './barColumns.ts';
import type { BarColumns } from './bars.ts';

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
