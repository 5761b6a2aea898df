import { DAY_MS } from '#lib/units.ts';
import type { ChartData, ChartPath } from '#market/bars/rules/chart.ts';
import type { TimeSpan, BarColumns } from '#market/bars/rules/bars.ts';
import { priceStep } from '#market/rules/priceStep.ts';
import { lastAtMost } from '#lib/search.ts';
import { isDated, toAxis, GAP, type Slots, lastDrawn } from '../chartSlots.ts';

/** Minimum number of slots; with fewer, bars would be too wide. */
const MIN_SLOTS = 45;
const MIN_SPACING = 1.6;
const WIDE_SPACING = 5;
/** Half the width of the label '23 Nov', px. */
const HALF_LABEL = 22;

/**
 * The slots that a chart shows first: the newest day for minutes, otherwise as many bars as are readable.
 * @param axis as in `Slots`
 * @param width of the plot, px
 * @param isWholeDay shows all slots of the newest day, however narrow
 * @returns slots, inclusive; `to` may be beyond the last one, because the day continues
 */
export function firstRange(
  axis: readonly number[],
  tf: ChartData['tf'],
  width: number,
  isWholeDay = false,
): { from: number; to: number } {
  const count = axis.length;
  const room = isWholeDay
    ? count
    : Math.max(MIN_SLOTS, Math.floor(width / (tf === '1' ? MIN_SPACING : WIDE_SPACING)));
  const wanted = tf === '1' ? newestDay(axis) : room;
  const from = Math.max(0, count - Math.min(wanted, room));
  const to = Math.max(count + 1, from + MIN_SLOTS);
  return { from: from - roomBefore(to - from, width), to };
}

/** Room in slots before the first slot, because its centred label would be cut off without it. */
const roomBefore = (slots: number, width: number): number =>
  Math.max(1.5, (slots * HALF_LABEL) / Math.max(1, width));

/**
 * The first slot that the price scale uses. Bars of the previous day are left out if they are visible only as room for
 * the label, because after a gap they would flatten the newest day.
 * @param axis as in `Slots`
 * @param width of the plot, px
 */
export function firstScaled(
  axis: readonly number[],
  { from, to }: { from: number; to: number },
  width: number,
): number {
  const first = Math.max(0, Math.ceil(from));
  const begins = axis.length - newestDay(axis);
  // Half as much again, because the plot's width is only estimated at first; less when zoomed in.
  const room = Math.min(roomBefore(to - from, width) * 1.5, (to - from) / 8);
  return begins > first && begins - from <= room ? begins : first;
}

/** Half the width of the label 'First trade', px. */
const HALF_MARK = 30;

/**
 * All slots, with room at both ends for the texts of marks.
 * @param count number of slots, at least 1
 * @param width of the plot, px
 */
export function wholeRange(count: number, width: number): { from: number; to: number } {
  const beside = 1 + (count * HALF_MARK) / Math.max(HALF_MARK * 4, width - HALF_MARK * 2);
  return { from: -beside, to: count - 1 + beside };
}

export function newestDay(axis: readonly number[]): number {
  const last = axis.at(-1) ?? 0;
  const midnight = Math.floor(last / DAY_MS) * DAY_MS;
  const before = axis.findLastIndex((time) => time < midnight);
  return axis.length - 1 - before;
}

const FEW_STEPS = 4;

/**
 * The price range of a chart: that of its bars, extended to near levels. Levels that are farther away are only named in
 * words.
 * @param most maximum height as a multiple of the bars' height
 * @param least minimum height of the bars, as a share of the price; by default a few price steps, so that the next
 * steps of a flat stock are in view
 */
export function widenRange(
  low: number,
  high: number,
  levels: readonly number[],
  most = 1.5,
  least = Math.max(0.002, (FEW_STEPS * priceStep(high)) / high),
): { low: number; high: number } {
  const height = Math.max(high - low, high * least);
  let [bottom, top] = [low, high];
  const nearest = [...levels].sort((a, b) => distance(a, low, high) - distance(b, low, high));
  for (const level of nearest) {
    const [nextBottom, nextTop] = [Math.min(bottom, level), Math.max(top, level)];
    if (nextTop - nextBottom > height * most) break;
    [bottom, top] = [nextBottom, nextTop];
  }
  return { low: bottom, high: top };
}

const distance = (level: number, low: number, high: number): number =>
  level < low ? low - level : level > high ? level - high : 0;

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

export function changedFrom(before: BarColumns, after: BarColumns): number {
  const shared = Math.min(before.time.length, after.time.length);
  for (let index = 0; index < shared; index += 1) {
    if (COLUMNS.some((column) => before[column][index] !== after[column][index])) return index;
  }
  return shared;
}

/**
 * The first slot to draw again; 0 for all. The library can update only its last slot, which is not the bar's if a halt
 * or gap follows.
 * @param slots of the bars before
 */
export function redrawFrom(before: BarColumns, after: BarColumns, slots: Slots): number {
  const last = before.time.length - 1;
  if (changedFrom(before, after) < last || after.time[last] !== before.time[last]) return 0;
  const drawn = lastDrawn(slots);
  return slots.bar[drawn] === last ? Math.max(0, drawn) : 0;
}

/** A point of a path; null interrupts it. */
export type PathPoint = { slot: number; price: number } | null;
/** Slots of a shaded span; a half is the middle between two slots. */
export type ShadePlace = { from: number; to: number };

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
 * The points of a path, the last one per slot. An average starts again each day and stops at gaps. A stop continues
 * through both until its next step.
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
