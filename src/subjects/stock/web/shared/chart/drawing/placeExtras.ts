import type { ChartData, ChartPath } from '#market/bars/rules/chart.ts';
import type { TimeSpan, BarColumns } from '#market/bars/rules/bars.ts';
import { isDated, toAxis } from '../axisTime.ts';
import { GAP, lastAtMost, type Slots, lastDrawn } from '../chartSlots.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** The first bar that differs: what both have the same before it need not be drawn again. */
export function changedFrom(before: BarColumns, after: BarColumns): number {
  const shared = Math.min(before.time.length, after.time.length);
  for (let index = 0; index < shared; index += 1) {
    if (COLUMNS.some((column) => before[column][index] !== after[column][index])) return index;
  }
  return shared;
}

/**
 * The first place to draw again; 0 for all of them. The drawing library takes up again only its last place: where a halt or
 * what is not known follows the last bar, that is not the bar's.
 * @param slots of the bars before
 */
export function redrawFrom(before: BarColumns, after: BarColumns, slots: Slots): number {
  const last = before.time.length - 1;
  if (changedFrom(before, after) < last || after.time[last] !== before.time[last]) return 0;
  const drawn = lastDrawn(slots);
  return slots.bar[drawn] === last ? Math.max(0, drawn) : 0;
}

const DAY_MS = 86_400_000;

/** A point of a path; null where it is interrupted. */
export type PathPoint = { slot: number; price: number } | null;
/** Between two slots: a half is the middle between them. */
export type ShadePlace = { from: number; to: number };

/** Where a stretch lies; null when it covers no slot. Dated bars are not shaded: a halt is a part of them. */
export function placeShade(
  { axis }: Slots,
  { from, until }: TimeSpan,
  tf: ChartData['tf'],
): ShadePlace | null {
  if (axis.length === 0 || isDated(tf)) return null;
  const first = lastAtMost(axis, toAxis(from) - 1) + 1;
  const last = lastAtMost(axis, toAxis(until) - 1);
  return last < first ? null : { from: first - 0.5, to: last + 0.5 };
}

/**
 * The points of a path, one a slot at most, the last of it. An average begins again with each day and is interrupted where
 * nothing is known; a stop holds until its next step, through both.
 */
export function placePath({ axis, bar }: Slots, path: ChartPath, tf: ChartData['tf']): PathPoint[] {
  const isStop = path.kind === 'stop';
  const points: PathPoint[] = [];
  let before: { slot: number; day: number } | null = null;
  path.time.forEach((time, index) => {
    const price = path.price[index];
    const at = isDated(tf) && !isStop ? time : toAxis(time);
    const slot = lastAtMost(axis, at);
    if (price === undefined || slot < 0) return;
    const day = Math.floor(at / DAY_MS);
    if (!isStop && before !== null && (day !== before.day || hasGap(bar, before.slot, slot)))
      points.push(null);
    if (before?.slot === slot && points.at(-1) !== null) points.pop();
    points.push({ slot, price });
    before = { slot, day };
  });
  return points;
}

function hasGap(bar: readonly number[], from: number, to: number): boolean {
  for (let slot = from + 1; slot < to; slot += 1) if (bar[slot] === GAP) return true;
  return false;
}
