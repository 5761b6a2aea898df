import type { ChartData, ChartMark } from '#market/bars/rules/chart.ts';
import { BAR_MS, isDated, toAxis } from './axisTime.ts';
import { lastAtMost, type Slots } from './chartSlots.ts';

const DAY_MS = 86_400_000;

/** A mark and the slot that it stands at. */
export type PlacedMark = { slot: number; mark: ChartMark };

/**
 * Puts each mark on a bar: that of its moment, else the nearer neighbour of the same stretch of the axis. What happened on a
 * Sydney day before the first bar, or a day and more after the last, has no place.
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
