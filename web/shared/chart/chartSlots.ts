import type { BarColumns, ChartTimeframe, TimeSpan } from '../../../src/domain/charts/bars.ts';
import { BAR_MS, isDated, toAxis } from './axisTime.ts';

/** A gap is as wide as the time that it lasts, but no wider than so many bars. */
const MAX_GAP_SLOTS = 30;

/**
 * The places of a chart from left to right. `axis` are Sydney's times as if they were UTC, ms, ascending without a repeat;
 * `bar` is the bar's place in its columns, -1 where there is none.
 */
export type Slots = { axis: number[]; bar: number[] };

/** Where no bars are, in ascending order: what is unknown, and halts. Dated bars have no room for them. */
function emptyTimes(spans: readonly TimeSpan[], tf: ChartTimeframe): number[] {
  if (isDated(tf)) return [];
  const step = BAR_MS[tf];
  const times = new Set<number>();
  for (const { from, until } of spans) {
    const first = Math.ceil(from / step) * step;
    const count = Math.max(0, Math.ceil((until - first) / step));
    const wide = Math.max(1, Math.ceil(count / MAX_GAP_SLOTS)) * step;
    for (let time = first; time < until; time += wide) times.add(time);
  }
  return [...times].sort((a, b) => a - b);
}

/**
 * Lays bars and the gaps between them out. A gap before the first bar has no place: the chart says in words from when it
 * knows. A bar that is not later than the one before it has none either.
 * @param spans stretches without bars that are to be seen
 */
export function layOut(bars: BarColumns, tf: ChartTimeframe, spans: readonly TimeSpan[]): Slots {
  const isDay = isDated(tf);
  const gaps = emptyTimes(spans, tf);
  const slots: Slots = { axis: [], bar: [] };
  let last = Number.NEGATIVE_INFINITY;
  const add = (time: number, bar: number): void => {
    const at = isDay ? time : toAxis(time);
    if (!(at > last)) return;
    last = at;
    slots.axis.push(at);
    slots.bar.push(bar);
  };
  const first = bars.time[0];
  if (first === undefined) return slots;
  let gap = 0;
  bars.time.forEach((time, bar) => {
    for (let at = gaps[gap]; at !== undefined && at <= time; at = gaps[++gap]) {
      if (at > first && at < time) add(at, -1);
    }
    add(time, bar);
  });
  for (; gap < gaps.length; gap += 1) add(gaps[gap] ?? last, -1);
  return slots;
}

/** The last place whose time is at most this one; -1 when there is none. @param axis ascending */
export function lastAtMost(axis: readonly number[], time: number): number {
  let low = 0;
  let high = axis.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((axis[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
