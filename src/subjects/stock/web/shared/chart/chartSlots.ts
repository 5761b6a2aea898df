import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import { BAR_MS, isDated, toAxis } from './axisTime.ts';

/** A gap is as wide as the time that it lasts, but no wider than this many bars. */
const MAX_GAP_SLOTS = 30;

/** In the place of a bar: nothing is known there, or the stock was halted. */
export const GAP = -1;
/** In the place of a bar: nothing traded, or the time has not come. */
export const QUIET = -2;

/**
 * The places of a chart from left to right. `axis` are Sydney's times as if they were UTC, ms, ascending without a repeat;
 * `bar` is the bar's place in its columns, `GAP` or `QUIET` where there is none.
 */
export type Slots = { axis: number[]; bar: number[] };

type Empty = { time: number; bar: typeof GAP | typeof QUIET };

const isWithin = ({ from, until }: TimeSpan, time: number): boolean => time >= from && time < until;

/**
 * Where no bars are, in ascending order: what is unknown, and halts. Dated bars have no room for them. Of a day that is shown
 * whole each bar's time has a place.
 */
function emptyTimes(spans: readonly TimeSpan[], tf: ChartTimeframe, day: TimeSpan | null): Empty[] {
  if (isDated(tf)) return [];
  const step = BAR_MS[tf];
  const times = new Map<number, Empty['bar']>();
  for (const { from, until } of spans) {
    const first = Math.ceil(from / step) * step;
    const count = Math.max(0, Math.ceil((until - first) / step));
    const wide = Math.max(1, Math.ceil(count / MAX_GAP_SLOTS)) * step;
    for (let time = first; time < until; time += wide) times.set(time, GAP);
  }
  for (let time = day?.from ?? 0; time < (day?.until ?? 0); time += step) {
    times.set(time, spans.some((span) => isWithin(span, time)) ? GAP : QUIET);
  }
  return [...times].map(([time, bar]) => ({ time, bar })).sort((a, b) => a.time - b.time);
}

/**
 * Lays bars and the gaps between them out. A gap before the first bar has no place: the chart says in words from when it
 * knows. A bar that is not later than the one before it has none either.
 * @param spans stretches without bars that are to be seen
 * @param day is shown whole: each of its bars has its place, those to come too; null for none
 */
export function layOut(
  bars: BarColumns,
  tf: ChartTimeframe,
  spans: readonly TimeSpan[],
  day: TimeSpan | null = null,
): Slots {
  const isDay = isDated(tf);
  const gaps = emptyTimes(spans, tf, day);
  const slots: Slots = { axis: [], bar: [] };
  let last = Number.NEGATIVE_INFINITY;
  const add = (time: number, bar: number): void => {
    const at = isDay ? time : toAxis(time);
    if (!(at > last)) return;
    last = at;
    slots.axis.push(at);
    slots.bar.push(bar);
  };
  if (bars.time[0] === undefined) return slots;
  const first = Math.min(bars.time[0], (day?.from ?? Number.POSITIVE_INFINITY) - 1);
  let gap = 0;
  bars.time.forEach((time, bar) => {
    for (let at = gaps[gap]; at !== undefined && at.time <= time; at = gaps[++gap]) {
      if (at.time > first && at.time < time) add(at.time, at.bar);
    }
    add(time, bar);
  });
  for (const { time, bar } of gaps.slice(gap)) add(time, bar);
  return slots;
}

/** The last place that has a bar or is a gap: what follows are times that have not come, or in which nothing traded. */
export function lastDrawn({ bar }: Slots): number {
  let slot = bar.length - 1;
  while (slot >= 0 && bar[slot] === QUIET) slot -= 1;
  return slot;
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
