import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type CandlestickData,
  type HistogramData,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts';
import { lastDrawn, QUIET, type Slots } from '../chartSlots.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import type { PlacedMark } from '../chartMarks.ts';
import type { ChartColours } from './colours.ts';
import { MARK_LOOKS, volumeColour } from './looks.ts';

type Candle = CandlestickData<Time> | WhitespaceData<Time>;
type Volume = HistogramData<Time> | WhitespaceData<Time>;

/** The library counts in seconds. @param axis ms, as in `Slots` */
export const axisSeconds = (axis: number): UTCTimestamp => Math.floor(axis / 1000) as UTCTimestamp;

/** A slot as the library's candle and its volume; both empty where there is no bar. */
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
  // Neither up nor down where the open is unknown.
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

/** Marks of one kind at one bar, that belong to no price, are one with their number. */
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

/** Marks in the library's form: at their price where they have one, else above their bar. */
export function markers(
  placed: readonly PlacedMark[],
  { axis }: Slots,
  colours: ChartColours,
): SeriesMarker<Time>[] {
  return grouped(placed).map(({ slot, mark, count }) => {
    const { shape, text, colour } = MARK_LOOKS[mark.kind];
    const base = {
      time: axisSeconds(axis[slot] ?? 0),
      shape,
      // A letter has its number beside it; 'Entry2' would be no word.
      text: count > 1 && text.length <= 1 ? `${text}${count}` : text,
      color: colours[colour],
    };
    return mark.price === undefined
      ? { ...base, position: 'aboveBar' as const }
      : { ...base, position: 'atPriceMiddle' as const, price: mark.price };
  });
}

/**
 * Keeps places on the time axis for bars that are still to come. They are a series of their own without values: the library
 * takes up a running bar only where it is the last of its series.
 */
export function createDayPlaces(chart: IChartApi): (slots: Slots) => void {
  let series: ISeriesApi<'Histogram'> | null = null;
  /** The first and the last of the places that are kept. */
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
    // What a bar has come to keeps its place: only other places are other ones.
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
