import {
  type AutoscaleInfo,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IPriceLine,
  type Logical,
  type MouseEventParams,
} from 'lightweight-charts';
import { barsBefore } from '../../../../../../market/bars/rules/averages.ts';
import type { TimeSpan } from '../../../../../../market/bars/rules/bars.ts';
import type { ChartData } from '../../../../../../market/bars/rules/chart.ts';
import { formatNumber } from '../../../../../../texts/format.ts';
import { isDated } from '../axisTime.ts';
import { priceDecimals } from '../chartFormat.ts';
import { placeMarks } from '../chartMarks.ts';
import { lastDrawn, layOut, type Slots } from '../chartSlots.ts';
import { firstRange, wholeRange, widenRange } from '../shownRange.ts';
import type { Drawing, DrawingEvents } from '../types.ts';
import { createAverageLines } from './averageLines.ts';
import { axisTimeText, tickText } from './axisText.ts';
import { redrawFrom } from './changedFrom.ts';
import { axisSeconds, markers, slotData } from './chartSeries.ts';
import { coloursNow, faded, onLooks } from './colours.ts';
import { createDayPlaces } from './dayPlaces.ts';
import { candleLooks, chartLooks, levelLooks, pathColour, volumeLooks } from './looks.ts';
import { onPick } from './onPick.ts';
import { createOverlay } from './overlay.ts';
import { placePath, placeShade } from './placeExtras.ts';
import { createPriceCursor } from './priceCursor.ts';

/** Older bars are asked for when the first is this near to the left edge. */
const OLDER_WITHIN = 10;

const HALF_SLOT = 0.5;

/** Where a chart shows a stretch for its levels, they may take this many times the height of the bars. */
const LEVELS_FIRST = 8;
/** Of a call in its first minutes the bars lie in one line: its target and stop are seen all the same, to 20 % away. */
const LEVELS_LEAST = 0.025;

/** Draws a chart into an element by the drawing library. */
export function createDrawing(
  host: HTMLElement,
  events: DrawingEvents,
  { fitsAll }: { fitsAll: boolean },
): Drawing {
  let colours = coloursNow();
  let shown: ChartData | null = null;
  let slots: Slots = { axis: [], bar: [] };
  let levels: IPriceLine[] = [];
  let decimals = 2;
  /** What was shown first, in slots. */
  let framed: { from: number; to: number } | null = null;
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const chart = createChart(host, {
    autoSize: true,
    ...chartLooks(colours),
    layout: { ...chartLooks(colours).layout, attributionLogo: false },
    // The page scrolls below a finger and by the wheel, which rows of a table need; keys and a sideways drag move the chart.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    handleScale: { mouseWheel: false },
    kineticScroll: { touch: !isCalm, mouse: false },
    localization: { locale: 'en-AU', timeFormatter: (time: number) => axisTimeText(time, shown?.tf ?? '1') },
    timeScale: {
      minBarSpacing: 0.5,
      rightOffset: 1,
      tickMarkFormatter: (time: number, type: number) => tickText(time, type, shown?.tf ?? '1'),
    },
  });
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
  candles.applyOptions({
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
      const info = original();
      if (!info?.priceRange) return info;
      const { minValue, maxValue } = info.priceRange;
      const pointed = cursor.price();
      const prices = [
        ...(shown?.levels ?? []).map(({ price }) => price),
        ...lines.extremes(),
        ...(pointed === null ? [] : [pointed]),
      ];
      const { low, high } = fitsAll
        ? widenRange(minValue, maxValue, prices, LEVELS_FIRST, LEVELS_LEAST)
        : widenRange(minValue, maxValue, prices);
      return { ...info, priceRange: { minValue: low, maxValue: high } };
    },
  });
  const marks = createSeriesMarkers(candles, []);
  const overlay = createOverlay();
  candles.attachPrimitive(overlay);
  const lines = createAverageLines();
  candles.attachPrimitive(lines);
  const cursor = createPriceCursor(candles, colours, events.onCursor);
  const keepPlaces = createDayPlaces(chart);

  function drawBars(data: ChartData, from: number): void {
    const end = lastDrawn(slots) + 1;
    keepPlaces(slots);
    if (from === 0) {
      const all = slots.axis.slice(0, end).map((_time, slot) => slotData(data.bars, slots, slot, colours));
      candles.setData(all.map(({ candle }) => candle));
      volumes.setData(all.map(({ volume }) => volume));
      return;
    }
    for (let slot = from; slot < end; slot += 1) {
      const { candle, volume } = slotData(data.bars, slots, slot, colours);
      candles.update(candle);
      volumes.update(volume);
    }
  }

  function drawExtras(data: ChartData): void {
    marks.setMarkers(markers(placeMarks(slots, data), slots, colours));
    for (const level of levels) candles.removePriceLine(level);
    levels = (data.levels ?? []).map((level) => candles.createPriceLine(levelLooks(colours, level)));
  }

  function drawOverlay(data: ChartData): void {
    lines.draw(data.averages ?? [], slots, colours);
    const textColour = colours['text-muted'];
    const shade = (span: TimeSpan, title: string, colour: string) => {
      const place = placeShade(slots, span, data.tf);
      return place === null ? [] : [{ ...place, colour, title, textColour }];
    };
    overlay.draw(
      (data.paths ?? []).map((path) => ({
        points: placePath(slots, path, data.tf),
        colour: pathColour(colours, path.kind),
        isStepped: path.kind === 'stop',
      })),
      [
        ...data.unknown.flatMap((span) => shade(span, 'Not known', faded(textColour, 0.12))),
        ...(data.shades ?? []).flatMap((span) => shade(span, span.title, faded(colours.stale, 0.16))),
      ],
    );
  }

  function setDecimals(data: ChartData, from: number): void {
    const next = from === 0 ? priceDecimals(data.bars) : decimals;
    if (next === decimals && from > 0) return;
    decimals = next;
    candles.applyOptions({
      priceFormat: {
        type: 'custom',
        minMove: 10 ** -decimals,
        formatter: (price: number) => formatNumber(price, decimals),
      },
    });
  }

  function show(data: ChartData): void {
    const before = shown;
    const isSame = before !== null && before.tf === data.tf && isSameStretch(before, data);
    const sameSpans = before?.unknown === data.unknown && before?.shades === data.shades;
    const sameDay = before?.day?.from === data.day?.from;
    const from = isSame && sameSpans && sameDay ? redrawFrom(before.bars, data.bars, slots) : 0;
    shown = data;
    const follows = fitsAll && isFramed();
    const places = slots.axis.length;
    slots = layOut(data.bars, data.tf, [...data.unknown, ...(data.shades ?? [])], data.day);
    setDecimals(data, from);
    drawBars(data, from);
    if (from === 0 || before?.marks !== data.marks || before?.levels !== data.levels) drawExtras(data);
    drawOverlay(data);
    if (!isSame || !sameDay || (follows && slots.axis.length !== places)) frame(data);
    // Averages that are new may need bars that nobody scrolled to.
    if (before?.averages?.length !== data.averages?.length) askOlder();
  }

  /** Whether what is in sight is still what was shown first: nobody moved the chart or looks closer. */
  function isFramed(): boolean {
    const range = chart.timeScale().getVisibleLogicalRange();
    return (
      range !== null &&
      framed !== null &&
      Math.abs(range.from - framed.from) < HALF_SLOT &&
      Math.abs(range.to - framed.to) < HALF_SLOT
    );
  }

  function frame(data: ChartData): void {
    chart.applyOptions({ timeScale: { timeVisible: !isDated(data.tf), secondsVisible: false } });
    if (slots.axis.length === 0) return;
    const width = host.clientWidth - 60;
    const { from, to } = fitsAll
      ? wholeRange(slots.axis.length, width)
      : firstRange(slots.axis, data.tf, width, data.day != null);
    chart.timeScale().setVisibleLogicalRange({ from: from as Logical, to: to as Logical });
    framed = { from, to };
  }

  const hover = ({ logical, point }: MouseEventParams): void => {
    if (logical === undefined || point === undefined) return events.onPoint(null);
    const bar = slots.bar[Math.round(logical)];
    events.onPoint(bar === undefined || bar < 0 ? null : bar);
  };
  chart.subscribeCrosshairMove(hover);
  onPick(chart, candles, events.onPick);

  /** The first bars in sight have averages only with those before them. */
  function askOlder(): void {
    const range = chart.timeScale().getVisibleLogicalRange();
    const needed = (shown?.averages ?? []).map(({ id }) => barsBefore(id));
    if (range === null || slots.axis.length === 0) return;
    if (range.from < Math.max(OLDER_WITHIN, ...needed)) events.onOlder();
  }
  chart.timeScale().subscribeVisibleLogicalRangeChange(askOlder);

  const stopLooks = onLooks(() => {
    colours = coloursNow();
    chart.applyOptions(chartLooks(colours));
    candles.applyOptions(candleLooks(colours));
    volumes.applyOptions(volumeLooks(colours));
    cursor.colour(colours);
    if (shown === null) return;
    drawBars(shown, 0);
    drawExtras(shown);
    drawOverlay(shown);
  });

  function bringIntoSight(slot: number): void {
    const range = chart.timeScale().getVisibleLogicalRange();
    if (range === null || (slot >= range.from && slot <= range.to)) return;
    const by = slot < range.from ? slot - range.from - 1 : slot - range.to + 1;
    chart.timeScale().setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
  }

  return {
    show,
    point(bar) {
      const slot = bar === null ? -1 : slots.bar.lastIndexOf(bar);
      const price = bar === null ? undefined : shown?.bars.close[bar];
      if (slot < 0 || price === undefined) return chart.clearCrosshairPosition();
      bringIntoSight(slot);
      chart.setCrosshairPosition(price, axisSeconds(slots.axis[slot] ?? 0), candles);
    },
    mark: cursor.put,
    zoom(factor) {
      const range = chart.timeScale().getVisibleLogicalRange();
      if (range === null) return;
      const from = range.to - (range.to - range.from) / factor;
      chart.timeScale().setVisibleLogicalRange({ from, to: range.to });
    },
    stop() {
      stopLooks();
      chart.remove();
    },
  };
}

/** Whether one series is what became of the other: older or newer bars may have been added, not other ones put in their place. */
function isSameStretch({ bars: before }: ChartData, { bars: after }: ChartData): boolean {
  const [first, last] = [before.time[0], before.time.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (after.time[0] ?? Number.POSITIVE_INFINITY) <= first && (after.time.at(-1) ?? 0) >= last;
}
