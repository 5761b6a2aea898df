import type { BarColumns, ChartTimeframe, TimeSpan } from './bars.ts';
import type { ChartPath } from './chart.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';

/** The bars that are shown, and what is known of them. */
export type AveragedBars = {
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  hasMore: boolean;
  /** Epoch ms; null while nothing is. */
  knownSince: number | null;
};

/** Whether the first session of these bars is there from its first trade. */
function beginsWhole({ bars, hasMore, knownSince }: AveragedBars): boolean {
  const first = bars.time[0];
  if (first === undefined || hasMore || knownSince === null) return false;
  return knownSince <= fromSydney(sydneyDate(first), 10, 0);
}

/**
 * The volume-weighted average price through each session of bars of minutes: of each bar's typical price, (high + low + close)
 * / 3, which is the usual approximation where single trades are not known. A session of which a part is not known has none
 * from there on.
 *
 * @param dayOf the Sydney day of a moment, epoch ms: asked for with each bar
 * @param today what the market itself says of the running session, AUD: it is the last point, so that chart and table agree
 * @returns null for bars of a day and more
 */
export function vwapPath(
  shown: AveragedBars,
  tf: ChartTimeframe,
  today: number | null,
  dayOf: (time: number) => number | string = sydneyDate,
): ChartPath | null {
  if (tf === 'D' || tf === 'W' || tf === 'M') return null;
  const { bars, unknown } = shown;
  const path: ChartPath = { kind: 'vwap', title: 'VWAP', time: [], price: [] };
  let date: number | string = '';
  let value = 0;
  let shares = 0;
  let isWhole = false;
  let gap = 0;
  bars.time.forEach((time, index) => {
    const day = dayOf(time);
    if (day !== date) {
      isWhole = index > 0 || beginsWhole(shown);
      [date, value, shares] = [day, 0, 0];
    }
    while ((unknown[gap]?.from ?? Number.POSITIVE_INFINITY) <= time) {
      if (dayOf(unknown[gap]?.from ?? 0) === day || dayOf(unknown[gap]?.until ?? 0) === day) isWhole = false;
      gap += 1;
    }
    const volume = bars.volume[index] ?? 0;
    value += (((bars.high[index] ?? 0) + (bars.low[index] ?? 0) + (bars.close[index] ?? 0)) / 3) * volume;
    shares += volume;
    if (!isWhole || shares <= 0) return;
    path.time.push(time);
    path.price.push(value / shares);
  });
  if (today !== null && path.time.length > 0 && path.time.at(-1) === bars.time.at(-1)) {
    path.price[path.price.length - 1] = today;
  }
  return path;
}
