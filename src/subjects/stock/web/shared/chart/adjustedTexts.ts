import type { ChartData } from '#market/bars/rules/chart.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { formatShortDate } from '#texts/format.ts';
import { isDated } from './axisTime.ts';

/** A ratio as people say it: 15, 11.5, 1.333. */
const ratioText = (ratio: number): string => String(Number(ratio.toPrecision(4)));

const factorText = (factor: number): string =>
  factor >= 1 ? `× ${ratioText(factor)}` : `÷ ${ratioText(1 / factor)}`;

/** A sentence for each split or consolidation that the first bar is older than. */
export function adjustedTexts({ tf, bars, adjustments = [] }: ChartData): string[] {
  const first = bars.time[0];
  if (first === undefined) return [];
  const date = isDated(tf) ? new Date(first).toISOString().slice(0, 10) : sydneyDate(first);
  return adjustments
    .filter((one) => one.date > date)
    .map(
      (one) =>
        `Prices before ${formatShortDate(one.date, '')} are adjusted for a split or consolidation (${factorText(one.factor)}).`,
    );
}
