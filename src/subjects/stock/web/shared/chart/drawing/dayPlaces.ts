import { HistogramSeries, type IChartApi, type ISeriesApi } from 'lightweight-charts';
import { lastDrawn, QUIET, type Slots } from '../chartSlots.ts';
import { axisSeconds } from './chartSeries.ts';

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
