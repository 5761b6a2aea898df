import {
  type AutoscaleInfo,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
} from 'lightweight-charts';
import { STUDY_LINES, STUDY_TITLES, type StudyId, type StudyLine } from '#market/bars/rules/studies.ts';
import { formatNumber } from '#texts/format.ts';
import { lastDrawn, type Slots } from '../chartSlots.ts';
import { AverageLines, FONT } from './layers.ts';
import { axisSeconds, layer } from './series.ts';
import type { ChartColours } from './styles.ts';

/** Lines at which an RSI counts as oversold or overbought, and the zero of a MACD. */
const GUIDES: Readonly<Record<StudyId, readonly number[]>> = { rsi: [30, 70], macd: [0] };

/** A share of the height, where the prices have 3. */
const HEIGHT = 1;

/** A pane below the prices. Its lines are drawn by a layer, because the library's own lines cross gaps. */
export class StudyPane {
  readonly #id: StudyId;
  readonly #chart: IChartApi;
  /** Has no line; it places the layers and gives the pane its scale. */
  readonly #anchor: ISeriesApi<'Line'>;
  readonly #lines = new AverageLines();
  #colours: ChartColours | null = null;
  #placed = '';

  constructor(chart: IChartApi, id: StudyId, index: number) {
    this.#chart = chart;
    this.#id = id;
    this.#anchor = chart.addSeries(
      LineSeries,
      {
        lineVisible: false,
        lastValueVisible: false,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
        autoscaleInfoProvider: () => this.#scale(),
      },
      index,
    );
    chart.panes()[index]?.setStretchFactor(HEIGHT);
    this.#anchor.attachPrimitive(this.#lines);
    const views = [
      layer('bottom', ({ context }) => {
        context.font = FONT;
        context.textBaseline = 'top';
        context.fillStyle = this.#colours?.['text-muted'] ?? '';
        context.fillText(STUDY_TITLES[id], 4, 4);
      }),
    ];
    this.#anchor.attachPrimitive({ paneViews: () => views });
    for (const price of GUIDES[id]) {
      const style = { lineWidth: 1, lineStyle: LineStyle.Dotted, axisLabelVisible: false } as const;
      this.#anchor.createPriceLine({ price, title: '', ...style });
    }
  }

  get id(): StudyId {
    return this.#id;
  }

  show(all: readonly StudyLine[], slots: Slots, colours: ChartColours, decimals: number): void {
    this.#colours = colours;
    const ids: readonly string[] = STUDY_LINES[this.#id];
    // Without the places of bars to come, which would move the chart.
    const axis = slots.axis.slice(0, lastDrawn(slots) + 1);
    const placed = `${axis[0]} ${axis.length} ${axis.at(-1)} ${decimals} ${colours.line}`;
    if (placed !== this.#placed) {
      this.#placed = placed;
      const digits = this.#id === 'rsi' ? 0 : decimals;
      this.#anchor.applyOptions({
        priceLineColor: colours.line,
        priceFormat: {
          type: 'custom',
          minMove: 10 ** -digits,
          formatter: (value: number) => formatNumber(value, digits),
        },
      });
      for (const line of this.#anchor.priceLines()) line.applyOptions({ color: colours['line-strong'] });
      this.#anchor.setData(axis.map((at) => ({ time: axisSeconds(at), value: 0 })));
    }
    this.#lines.draw(
      // Reversed, because the histogram belongs behind the lines.
      all.filter(({ id }) => ids.includes(id)).toReversed(),
      slots,
      colours,
    );
  }

  remove(): void {
    this.#chart.removeSeries(this.#anchor);
  }

  #scale(): AutoscaleInfo | null {
    if (this.#id === 'rsi') return { priceRange: { minValue: 10, maxValue: 90 } };
    const reach = Math.max(0, ...this.#lines.extremes().map(Math.abs));
    return reach === 0 ? null : { priceRange: { minValue: -reach, maxValue: reach } };
  }
}
