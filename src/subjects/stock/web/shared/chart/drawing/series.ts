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
  type CandlestickData,
  type HistogramData,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import {
  type ChartColours,
  candleStyle,
  chartStyle,
  volumeStyle,
  MARK_STYLES,
  volumeColour,
} from './styles.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { isDated, lastDrawn, QUIET, type Slots, type PlacedMark } from '../chartSlots.ts';

type Candle = CandlestickData<Time> | WhitespaceData<Time>;
type Volume = HistogramData<Time> | WhitespaceData<Time>;

/** Converts a time on the axis to seconds, in which the library counts. @param axis ms, as in `Slots` */
export const axisSeconds = (axis: number): UTCTimestamp => Math.floor(axis / 1000) as UTCTimestamp;

export function slotData(
  { bars, partial = [] }: Pick<ChartData, 'bars' | 'partial'>,
  { axis, bar }: Slots,
  slot: number,
  colours: ChartColours,
): { candle: Candle; volume: Volume } {
  const time = axisSeconds(axis[slot] ?? 0);
  const index = bar[slot] ?? -1;
  const [open, high, low, close] = [bars.open[index], bars.high[index], bars.low[index], bars.close[index]];
  if (open === undefined || high === undefined || low === undefined || close === undefined) {
    return { candle: { time }, volume: { time } };
  }
  // If its open is unknown, a bar is neither up nor down.
  const isPartial = partial.includes(bars.time[index] ?? 0);
  const muted = colours['text-muted'];
  const colour = isPartial ? { color: muted, borderColor: muted, wickColor: muted } : {};
  return {
    candle: { time, open, high, low, close, ...colour },
    volume: {
      time,
      value: bars.volume[index] ?? 0,
      ...(!isPartial && { color: volumeColour(colours, close >= open) }),
    },
  };
}

/** Groups marks without a price by bar and kind, and counts them. */
function grouped(placed: readonly PlacedMark[]): (PlacedMark & { count: number })[] {
  const groups = new Map<string, PlacedMark & { count: number }>();
  for (const { slot, mark } of placed) {
    const key = `${slot} ${mark.kind} ${mark.price ?? ''}`;
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { slot, mark, count: 1 });
  }
  return [...groups.values()];
}

export function markers(
  placed: readonly PlacedMark[],
  { axis }: Slots,
  colours: ChartColours,
): SeriesMarker<Time>[] {
  return grouped(placed).map(({ slot, mark, count }) => {
    const { shape, text, colour } = MARK_STYLES[mark.kind];
    const base = {
      time: axisSeconds(axis[slot] ?? 0),
      shape,
      // Only single letters get a number: 'Entry2' would look odd.
      text: count > 1 && text.length <= 1 ? `${text}${count}` : text,
      color: colours[colour],
    };
    return mark.price === undefined
      ? { ...base, position: 'aboveBar' as const }
      : { ...base, position: 'atPriceMiddle' as const, price: mark.price };
  });
}

/**
 * Reserves room on the time axis for bars still to come. They are a separate series without values, because the library
 * updates a running bar only at the end of its series.
 */
export function createDayPlaces(chart: IChartApi): (slots: Slots) => void {
  let series: ISeriesApi<'Histogram'> | null = null;
  let kept = '';
  return (slots) => {
    const { axis, bar } = slots;
    const isKept = bar.at(-1) === QUIET;
    if (!isKept) {
      if (series) chart.removeSeries(series);
      [series, kept] = [null, ''];
      return;
    }
    const first = lastDrawn(slots) + 1;
    // The series changes only if other slots are reserved: one that got its bar stays.
    const wanted = String(axis.at(-1));
    if (series !== null && kept === wanted) return;
    series ??= chart.addSeries(HistogramSeries, {
      priceScaleId: 'places',
      lastValueVisible: false,
      priceLineVisible: false,
    });
    series.setData(axis.slice(first).map((at) => ({ time: axisSeconds(at) })));
    kept = wanted;
  };
}

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', hourCycle: 'h23', ...options });

const time = format({ hour: '2-digit', minute: '2-digit' });
const day = format({ day: 'numeric', month: 'short' });
const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' });
const month = format({ month: 'short' });
const monthOfYear = format({ month: 'long', year: 'numeric' });
const year = format({ year: 'numeric' });
const whole = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** Text of a tick on the time axis; `seconds` is Sydney time written as UTC. */
function tickText(seconds: number, type: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (!isDated(tf)) return type <= TickMarkType.DayOfMonth ? day.format(at) : time.format(at);
  if (type === TickMarkType.Year) return year.format(at);
  if (type === TickMarkType.Month) return month.format(at);
  return day.format(at);
}

function axisTimeText(seconds: number, tf: ChartTimeframe): string {
  const at = seconds * 1000;
  if (tf === 'M') return monthOfYear.format(at);
  return (isDated(tf) ? whole.format(at) : `${weekday.format(at)} ${time.format(at)}`).replaceAll(',', '');
}

/**
 * Calls back with the price of a click or tap, AUD, and the slot under a finger, which is null for a mouse. Touches with two fingers are ignored, because the library reports a
 * lifted finger as a tap. Stops with the chart.
 */
export function onPick(
  chart: IChartApi,
  candles: ISeriesApi<'Candlestick'>,
  picked: (price: number | null, slot: number | null) => void,
): void {
  let hasSeveral = false;
  let isFinger = false;
  chart.chartElement().addEventListener('pointerdown', ({ isPrimary, pointerType }) => {
    hasSeveral = !isPrimary;
    isFinger = pointerType === 'touch';
  });
  const pick = ({ point, paneIndex, logical }: MouseEventParams): void => {
    if (point === undefined || hasSeveral) return;
    picked(paneIndex === 0 ? candles.coordinateToPrice(point.y) : null, isFinger ? (logical ?? null) : null);
  };
  chart.subscribeClick(pick);
  // The library reports a quick second click only as a double click.
  chart.subscribeDblClick(pick);
}

export type Scope = { context: CanvasRenderingContext2D; mediaSize: { width: number; height: number } };

/** A layer that draws in CSS pixels. @param zOrder below the library's layers, or with the bars */
export function layer(zOrder: 'bottom' | 'normal', paint: (scope: Scope) => void): IPrimitivePaneView {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace((scope) => paint(scope)),
  };
  return { zOrder: () => zOrder, renderer: () => renderer };
}

export function makeChart(host: HTMLElement, colours: ChartColours, tf: () => ChartData['tf']): IChartApi {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const style = chartStyle(colours);
  return createChart(host, {
    autoSize: true,
    // The volumes stay on top, because a layer of theirs hides the previous day.
    hoveredSeriesOnTop: false,
    ...style,
    layout: { ...style.layout, attributionLogo: false },
    // The wheel and a vertical touch scroll the page, which rows of a table need. Keys and horizontal drags move the
    // chart.
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

export function addSeries(chart: IChartApi, colours: ChartColours) {
  const candles = chart.addSeries(CandlestickSeries, candleStyle(colours));
  const volumes = chart.addSeries(HistogramSeries, {
    ...volumeStyle(colours),
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.22 } });
  return { candles, volumes };
}
