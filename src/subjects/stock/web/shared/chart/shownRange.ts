import type { ChartData } from '#market/bars/rules/chart.ts';

const DAY_MS = 86_400_000;
/** Fewer bars than this would be drawn as planks. */
const MIN_SLOTS = 45;
/** Less than this a candle can't be told from a line, px. */
const MIN_SPACING = 1.6;
const WIDE_SPACING = 5;
/** Half of '23 Nov', px. */
const HALF_LABEL = 22;

/**
 * Which slots a chart shows first: of minutes the newest day from its first bar, of longer bars as many as are easily read.
 * @param axis as in `Slots` @param width of the plot, px @param isWholeDay the newest day has all its places: as narrow as
 * they may be, they are shown
 * @returns places, both included; `to` may lie beyond the last, as the day goes on
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

/** The label of the first slot stands in the middle below it, and would be cut off without room before it, slots. */
const roomBefore = (slots: number, width: number): number =>
  Math.max(1.5, (slots * HALF_LABEL) / Math.max(1, width));

/**
 * From which slot in sight bars count for the price scale. Those of the day before that are in sight only because the
 * label of the newest day's first bar needs room do not: after a gap they would press that day into a line.
 * @param axis as in `Slots` @param width of the plot, px
 */
export function firstScaled(
  axis: readonly number[],
  { from, to }: { from: number; to: number },
  width: number,
): number {
  const first = Math.max(0, Math.ceil(from));
  const begins = axis.length - newestDay(axis);
  // Half as much again, because the width of the plot is only estimated at first; less if the reader looks closely.
  const room = Math.min(roomBefore(to - from, width) * 1.5, (to - from) / 8);
  return begins > first && begins - from <= room ? begins : first;
}

/** Half of 'First trade', px. */
const HALF_MARK = 30;

/**
 * All slots, with room beside the first and the last for what is written below their marks.
 * @param count of the slots, at least 1 @param width of the plot, px
 */
export function wholeRange(count: number, width: number): { from: number; to: number } {
  const beside = 1 + (count * HALF_MARK) / Math.max(HALF_MARK * 4, width - HALF_MARK * 2);
  return { from: -beside, to: count - 1 + beside };
}

/** How many slots the newest day has. */
export function newestDay(axis: readonly number[]): number {
  const last = axis.at(-1) ?? 0;
  const midnight = Math.floor(last / DAY_MS) * DAY_MS;
  const before = axis.findLastIndex((time) => time < midnight);
  return axis.length - 1 - before;
}

/**
 * The prices between which a chart draws: those of its bars, widened to the levels as long as the bars keep their part of
 * the height; a level further away is named in words only.
 * @param most how many times as high as the bars the whole may become
 * @param least what the bars count for where they are flatter, as a part of the price
 */
export function widenRange(
  low: number,
  high: number,
  levels: readonly number[],
  most = 1.5,
  least = 0.002,
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
