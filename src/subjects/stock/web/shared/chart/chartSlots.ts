import { lastAtMost } from '#lib/search.ts';
import { HOUR_MS, DAY_MS } from '#lib/units.ts';
import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import { sydneyOffset } from '#lib/sydneyTime.ts';
import type { ChartData, ChartMark } from '#market/bars/rules/chart.ts';

/** Duration of a bar, ms; a month counts as 30 days. */
export const BAR_MS: Readonly<Record<ChartTimeframe, number>> = {
  1: 60_000,
  5: 300_000,
  15: 900_000,
  60: HOUR_MS,
  D: 24 * HOUR_MS,
  W: 7 * 24 * HOUR_MS,
  M: 30 * 24 * HOUR_MS,
};

/** Whether a bar is a day or longer, so that its time is a date at midnight UTC. */
export const isDated = (tf: ChartTimeframe): boolean => tf === 'D' || tf === 'W' || tf === 'M';

const MAX_HOURS = 20_000;
const offsets = new Map<number, number>();

/**
 * Converts epoch ms to Sydney time written as UTC, ms. The drawing library knows only UTC and puts its ticks on whole
 * hours and midnights. On dated charts, moments then also have their Sydney date. Offsets are cached per hour, because
 * computing them costs more than the rest of a tick.
 */
export function toAxis(time: number): number {
  const hour = Math.floor(time / HOUR_MS);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    if (offsets.size >= MAX_HOURS) offsets.clear();
    offset = sydneyOffset(time);
    offsets.set(hour, offset);
  }
  return time + offset;
}

export const axisDay = (time: number): number => Math.floor(toAxis(time) / (24 * HOUR_MS));

/** Limit of a gap's width in bars; below it the width is that of its duration. */
const MAX_GAP_SLOTS = 30;

/** A slot without data, or in a halt. */
export const GAP = -1;
/** A slot in which nothing traded, or that is still to come. */
export const QUIET = -2;

/**
 * The slots of a chart from left to right. `axis` contains Sydney times written as UTC, ms, strictly ascending. `bar`
 * contains the index of the bar, `GAP` or `QUIET`.
 */
export type Slots = { axis: number[]; bar: number[] };

type Empty = { time: number; bar: typeof GAP | typeof QUIET };

/**
 * Slots without bars, ascending: unknown spans and halts. Dated charts have none. A whole day has a slot for each time
 * of a bar.
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
    times.set(time, spans.some(({ from, until }) => time >= from && time < until) ? GAP : QUIET);
  }
  return [...times].map(([time, bar]) => ({ time, bar })).sort((a, b) => a.time - b.time);
}

/**
 * Lays out bars and gaps. A gap before the first bar is omitted, because the chart states since when prices are known.
 * Bars out of order are omitted too.
 * @param spans gaps to show
 * @param day a day to show completely, including bars still to come; null for none
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

/** The last slot with a bar or gap; later ones are quiet or still to come. */
export function lastDrawn({ bar }: Slots): number {
  let slot = bar.length - 1;
  while (slot >= 0 && bar[slot] === QUIET) slot -= 1;
  return slot;
}

export type PlacedMark = { slot: number; mark: ChartMark };

/**
 * Places each mark on the bar of its moment, otherwise on the nearer neighbour. Marks before the Sydney day of the
 * first bar, or a day or more after the last bar, are omitted.
 */
export function placeMarks(
  { axis, bar }: Slots,
  { marks = [], tf }: Pick<ChartData, 'marks' | 'tf'>,
): PlacedMark[] {
  const first = axis[0];
  const last = axis.at(-1);
  if (first === undefined || last === undefined) return [];
  const firstDay = Math.floor(first / DAY_MS) * DAY_MS;
  const placed: PlacedMark[] = [];
  for (const mark of marks) {
    const at = toAxis(mark.time);
    if (at < firstDay || at >= last + Math.max(DAY_MS, BAR_MS[tf])) continue;
    placed.push({
      slot: nearestBar(axis, bar, at, isDated(tf) ? Number.POSITIVE_INFINITY : BAR_MS[tf]),
      mark,
    });
  }
  return placed.sort((a, b) => a.slot - b.slot || a.mark.time - b.mark.time);
}

function nearestBar(axis: readonly number[], bar: readonly number[], at: number, length: number): number {
  const floor = lastAtMost(axis, at);
  let before = floor;
  while (before >= 0 && (bar[before] ?? 0) < 0) before -= 1;
  let after = floor + 1;
  while (after < axis.length && (bar[after] ?? 0) < 0) after += 1;
  if (before < 0) return Math.min(after, axis.length - 1);
  const start = axis[before] ?? 0;
  if (after >= axis.length || at < start + length) return before;
  return (axis[after] ?? 0) - at < at - start - length ? after : before;
}
