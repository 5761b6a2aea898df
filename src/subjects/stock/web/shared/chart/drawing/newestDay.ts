import type { IChartApi, ISeriesPrimitive, Logical, Time } from 'lightweight-charts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { isDated } from '../axisTime.ts';
import type { Slots } from '../chartSlots.ts';
import { firstScaled } from '../shownRange.ts';
import { layer } from './surface.ts';

export type Scaled = { low: number; high: number; volume: number };

/**
 * The slot in which the newest day begins, if the few bars before it are in sight only for the room that its label
 * needs; else null.
 */
export function newestDayAlone(chart: IChartApi, { axis }: Slots, tf: ChartData['tf']): number | null {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null || isDated(tf)) return null;
  const first = firstScaled(axis, range, chart.timeScale().width());
  return first > Math.ceil(range.from) ? first : null;
}

/** The lowest and highest price and the highest volume between two slots, both included; null without a bar there. */
export function extremesOf({ bars }: ChartData, { bar }: Slots, first: number, last: number): Scaled | null {
  const places = bar.slice(first, last + 1).filter((at) => at >= 0);
  if (places.length === 0) return null;
  const of = (column: readonly number[]) => places.map((at) => column[at] ?? 0);
  return {
    low: Math.min(...of(bars.low)),
    high: Math.max(...of(bars.high)),
    volume: Math.max(0, ...of(bars.volume)),
  };
}

/** Takes what is drawn before a slot off the picture. @param first the slot; null for none */
export function hideBefore(chart: IChartApi, first: () => number | null): ISeriesPrimitive<Time> {
  const x = (slot: number) => chart.timeScale().logicalToCoordinate(slot as Logical);
  const views = [
    layer('normal', ({ context, mediaSize }) => {
      const slot = first();
      const [before, at] = slot === null ? [null, null] : [x(slot - 1), x(slot)];
      if (before !== null && at !== null) context.clearRect(0, 0, (before + at) / 2, mediaSize.height);
    }),
  ];
  return { paneViews: () => views };
}
