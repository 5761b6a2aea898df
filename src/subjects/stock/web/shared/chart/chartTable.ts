import { averageAt } from '#market/bars/rules/averages.ts';
import { type ChartData, knownFigures } from '#market/bars/rules/chart.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { DelimitedTable } from '#texts/delimited.ts';
import { isoInSydney } from '#web/shared/take/isoInSydney.ts';
import { averageTitle } from './averages/averageText.ts';
import { isDated } from './axisTime.ts';

/**
 * The bars that a chart has loaded, the oldest first, with its averages, as a spreadsheet takes them: prices in AUD as they
 * are, a bar's begin in ISO 8601 by Sydney's clock, and its day alone where it is one or longer.
 */
export function chartTable(data: ChartData): DelimitedTable {
  const { bars, tf, averages = [] } = data;
  return {
    headings: ['Time', 'Open', 'High', 'Low', 'Close', 'Volume', ...averages.map(averageTitle)],
    rows: bars.time.map((time, place) => {
      const { open, high, low, close, volume } = knownFigures(data, place);
      return [
        isDated(tf) ? sydneyDate(time) : isoInSydney(time),
        ...[open, high, low, close, volume].map((figure) => figure ?? null),
        ...averages.map((average) => averageAt(average, place)),
      ];
    }),
  };
}
