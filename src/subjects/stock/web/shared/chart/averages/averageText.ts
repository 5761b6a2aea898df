import { type AverageId, AVERAGES, averageAt, type ChartAverage } from '#market/bars/rules/averages.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { formatNumber } from '#texts/format.ts';

/** Below it a price is written with three decimals, AUD. */
const FINE_BELOW = 1;

/** An average as a price of its chart: '46.21', below a dollar '0.412'. @param decimals of the chart's prices */
export const averageText = (value: number | null, decimals: number): string =>
  formatNumber(value, value !== null && value < FINE_BELOW ? 3 : decimals);

const NAMES = { sma: 'Simple moving average', ema: 'Exponential moving average' } as const;

/** What an average is: 'Simple moving average of the last 20 closes'. */
export function averageName({ id }: ChartAverage): string {
  const { kind, length } = AVERAGES[id];
  return `${NAMES[kind]} of the last ${length} closes`;
}

/** 'SMA 20' */
export const averageTitle = ({ id }: ChartAverage): string => AVERAGES[id].title;

/** Whether all bars that are to be had are too few for an average. */
const isShort = ({ first }: ChartAverage, { bars, hasMore }: ChartData): boolean =>
  first >= bars.time.length && hasMore !== true;

/** What an average is at the newest bar, or why it is none. @param decimals of the chart's prices */
export function averageStanding(average: ChartAverage, data: ChartData, decimals: number): string {
  const count = data.bars.time.length;
  if (isShort(average, data)) return `too few bars, ${count} are known`;
  const value = averageAt(average, count - 1);
  return value === null ? 'earlier bars are being read' : averageText(value, decimals);
}

/** An average at the bar that is told of: '46.21', 'too few bars', a dash where only this bar has too few before it. */
export type AverageValue = { id: AverageId; title: string; value: string };

/** The averages of a chart at a bar. @param decimals of the chart's prices */
export const averageValues = (data: ChartData, bar: number, decimals: number): AverageValue[] =>
  (data.averages ?? []).map((average) => ({
    id: average.id,
    title: averageTitle(average),
    value: isShort(average, data) ? 'too few bars' : averageText(averageAt(average, bar), decimals),
  }));
