import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPrimitivePaneRenderer,
  type IPrimitivePaneView,
  type ISeriesApi,
  type MouseEventParams,
  TickMarkType,
} from 'lightweight-charts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import type { ChartColours } from './colours.ts';
import { candleLooks, chartLooks, volumeLooks } from './looks.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { isDated } from '../axisTime.ts';

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', hourCycle: 'h23', ...options });

const time = format({ hour: '2-digit', minute: '2-digit' });
const day = format({ day: 'numeric', month: 'short' });
const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' });
const month = format({ month: 'short' });
const monthOfYear = format({ month: 'long', year: 'numeric' });
const year = format({ year: 'numeric' });
const whole = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** A mark of the time axis. @param seconds Sydney's time as if it were UTC @param type of the library: the first of all counts as that of a year */
function tickText(seconds: number, type: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (!isDated(tf)) return type <= TickMarkType.DayOfMonth ? day.format(at) : time.format(at);
  if (type === TickMarkType.Year) return year.format(at);
  if (type === TickMarkType.Month) return month.format(at);
  return day.format(at);
}

/** The label of the crosshair on the time axis. @param seconds as of `tickText` */
function axisTimeText(seconds: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (tf === 'M') return monthOfYear.format(at);
  return (isDated(tf) ? whole.format(at) : `${weekday.format(at)} ${time.format(at)}`).replaceAll(',', '');
}

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
