import type { IChartApi, ISeriesApi, MouseEventParams } from 'lightweight-charts';

/**
 * Calls back with the price at which the plot was clicked or tapped, AUD. Two fingers point at nothing: to the library one of
 * them that leaves is a tap. Stops with the chart.
 */
export function onPick(
  chart: IChartApi,
  candles: ISeriesApi<'Candlestick'>,
  picked: (price: number) => void,
): void {
  let hasSeveral = false;
  chart.chartElement().addEventListener('pointerdown', ({ isPrimary }) => {
    hasSeveral = !isPrimary;
  });
  const pick = ({ point }: MouseEventParams): void => {
    const price = point === undefined || hasSeveral ? null : candles.coordinateToPrice(point.y);
    if (price !== null) picked(price);
  };
  chart.subscribeClick(pick);
  // A second click soon after the first is told as this alone.
  chart.subscribeDblClick(pick);
}
