import type { ChartTimeframe } from '../../../src/domain/charts/bars.ts';
import { sydneyOffset } from '../../../src/domain/market/sydneyTime.ts';

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

/**
 * Epoch ms to Sydney's time written as if it were UTC, ms. The drawing library knows only UTC, and puts its ticks on whole
 * hours and midnights of what it is given. Remembers the offset of an hour: asking for it costs more than all the rest.
 */
export function createSydneyAxis(): (time: number) => number {
  let hour = Number.NaN;
  let offset = 0;
  return (time) => {
    const at = Math.floor(time / HOUR_MS);
    if (at !== hour) {
      hour = at;
      offset = sydneyOffset(time);
    }
    return time + offset;
  };
}

/** Epoch ms of a moment to the chart's axis, ms: for dated bars, too, so that a moment falls on its own Sydney date. */
export const toAxis = createSydneyAxis();
