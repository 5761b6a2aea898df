import type { ChartData } from '../../../src/domain/charts/chart.ts';

export type PriceChartProps = {
  /** Names the chart for screen readers, such as "BHP, 1 minute". */
  label: string;
  data: ChartData;
  /** px; the width is that of what is around it. */
  height?: number;
  /** Left and right move the crosshair by a bar, up and down ask for a shorter or longer timeframe. */
  onTimeframe?: (step: -1 | 1) => void;
  /** Older bars are wanted: the reader scrolled to the first. */
  onOlder?: () => void;
};
