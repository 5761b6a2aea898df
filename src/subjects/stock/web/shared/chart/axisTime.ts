import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { sydneyOffset } from '#market/rules/sydneyTime.ts';

const HOUR_MS = 3_600_000;

/** How long a bar lasts, ms; a month counts as 30 days. */
export const BAR_MS: Readonly<Record<ChartTimeframe, number>> = {
  1: 60_000,
  5: 300_000,
  15: 900_000,
  60: HOUR_MS,
  D: 24 * HOUR_MS,
  W: 7 * 24 * HOUR_MS,
  M: 30 * 24 * HOUR_MS,
};

/** Whether a bar is a day or more, so that its time is a date: midnight UTC. */
export const isDated = (tf: ChartTimeframe): boolean => tf === 'D' || tf === 'W' || tf === 'M';

/** Of a chart's whole stretch in bars of an hour. */
const MAX_HOURS = 20_000;
const offsets = new Map<number, number>();

/**
 * Epoch ms of a moment to the chart's axis: Sydney's time written as if it were UTC, ms. The drawing library knows only UTC,
 * and puts its ticks on whole hours and midnights of what it is given. For dated bars, too, so that a moment falls on its own
 * Sydney date. The offset of each hour is asked for once: that costs more than all the rest of a tick.
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

/** The Sydney day of a moment, counted from 1970. */
export const axisDay = (time: number): number => Math.floor(toAxis(time) / (24 * HOUR_MS));
