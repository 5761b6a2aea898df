import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPrimitivePaneRenderer,
  type IPrimitivePaneView,
  type ISeriesApi,
  type MouseEventParams,
} from 'lightweight-charts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { axisTimeText, tickText } from './axisText.ts';
import type { ChartColours } from './colours.ts';
import { candleLooks, chartLooks, volumeLooks } from './looks.ts';

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

/** A place to draw on, in CSS pixels. */
export type Scope = { context: CanvasRenderingContext2D; mediaSize: { width: number; height: number } };

/** A layer of the chart, in CSS pixels. @param zOrder among the library's own: below all of them, or with the bars */
export function layer(zOrder: 'bottom' | 'normal', paint: (scope: Scope) => void): IPrimitivePaneView {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace((scope) => paint(scope)),
  };
  return { zOrder: () => zOrder, renderer: () => renderer };
}

/** The library's chart as it looks and moves here. @param tf of what is shown */
export function makeChart(host: HTMLElement, colours: ChartColours, tf: () => ChartData['tf']): IChartApi {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const looks = chartLooks(colours);
  return createChart(host, {
    autoSize: true,
    ...looks,
    layout: { ...looks.layout, attributionLogo: false },
    // The page scrolls below a finger and by the wheel, which rows of a table need; keys and a sideways drag move the chart.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    handleScale: { mouseWheel: false },
    kineticScroll: { touch: !isCalm, mouse: false },
    localization: { locale: 'en-AU', timeFormatter: (time: number) => axisTimeText(time, tf()) },
    timeScale: {
      minBarSpacing: 0.5,
      rightOffset: 1,
      tickMarkFormatter: (time: number, type: number) => tickText(time, type, tf()),
    },
  });
}

/** The volumes stand below the candles. */
export function addSeries(chart: IChartApi, colours: ChartColours) {
  const candles = chart.addSeries(CandlestickSeries, candleLooks(colours));
  const volumes = chart.addSeries(HistogramSeries, {
    ...volumeLooks(colours),
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.22 } });
  return { candles, volumes };
}
