import type { ISeriesPrimitive, Logical, SeriesAttachedParameter, Time } from 'lightweight-charts';
import { AVERAGES, averageAt, type ChartAverage } from '#market/bars/rules/averages.ts';
import { QUIET, type Slots } from '../chartSlots.ts';
import type { ChartColours } from './colours.ts';
import { layer } from './surface.ts';

/** Where slots and prices are, px from the left and the top. */
type Place = { x(slot: number): number; y(price: number): number };

const COLOURS = { 20: 'average-short', 50: 'average-medium', 200: 'average-long' } as const;
/** px; the longer, the stronger, so that more than a colour tells them apart. */
const WIDTHS = { 20: 1, 50: 1.6, 200: 2.4 } as const;
const DASHES: readonly number[] = [5, 3];
/** Between two places of the price scale, px: far enough for an exact ratio. */
const HEIGHT = 1000;

/**
 * Averages as lines over the bars. What is out of sight costs nothing: of a chart with thousands of bars, those that the
 * window shows are drawn.
 */
export class AverageLines implements ISeriesPrimitive<Time> {
  #averages: readonly ChartAverage[] = [];
  #slots: Slots = { axis: [], bar: [] };
  #colours: ChartColours | null = null;
  #attached: SeriesAttachedParameter<Time> | null = null;
  /** Asked for several times with each picture. */
  #measured: { of: readonly ChartAverage[]; first: number; last: number; prices: number[] } | null = null;
  readonly #views = [layer('normal', ({ context }) => this.#paint(context))];

  readonly attached = (parameter: SeriesAttachedParameter<Time>): void => {
    this.#attached = parameter;
  };

  readonly detached = (): void => {
    this.#attached = null;
  };

  readonly paneViews = () => this.#views;

  draw(averages: readonly ChartAverage[], slots: Slots, colours: ChartColours): void {
    const hadLines = this.#averages.length > 0;
    [this.#averages, this.#slots, this.#colours, this.#measured] = [averages, slots, colours, null];
    // The first picture is not drawn again for nothing.
    if (hadLines || averages.length > 0) this.#attached?.requestUpdate();
  }

  /** The lowest and the highest price of each average in sight, AUD. */
  extremes(): number[] {
    const of = this.#averages;
    if (of.length === 0) return [];
    const { first, last } = this.#inSight();
    const known = this.#measured;
    if (known?.of === of && known.first === first && known.last === last) return known.prices;
    const prices = of.flatMap((average) => {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      this.#eachInSight(average, (_slot, price) => {
        if (price === null) return;
        low = Math.min(low, price);
        high = Math.max(high, price);
      });
      return low > high ? [] : [low, high];
    });
    this.#measured = { of, first, last, prices };
    return prices;
  }

  /** The slots in sight and one beside each end, both included. */
  #inSight(): { first: number; last: number } {
    const range = this.#attached?.chart.timeScale().getVisibleLogicalRange() ?? null;
    if (range === null) return { first: 0, last: -1 };
    return {
      first: Math.max(0, Math.floor(range.from) - 1),
      last: Math.min(this.#slots.bar.length - 1, Math.ceil(range.to) + 1),
    };
  }

  /** Goes over an average at the slots in sight; null where the line is interrupted, as nothing is known there. */
  #eachInSight(average: ChartAverage, take: (slot: number, price: number | null) => void): void {
    const { first, last } = this.#inSight();
    for (let slot = first; slot <= last; slot += 1) {
      const bar = this.#slots.bar[slot] ?? QUIET;
      if (bar !== QUIET) take(slot, bar < 0 ? null : averageAt(average, bar));
    }
  }

  #paint(context: CanvasRenderingContext2D): void {
    const place = this.#attached && placeIn(this.#attached);
    if (this.#averages.length === 0 || !place) return;
    context.lineJoin = 'round';
    for (const average of this.#averages) this.#paintLine(context, average, place);
    context.setLineDash([]);
  }

  #paintLine(context: CanvasRenderingContext2D, average: ChartAverage, { x, y }: Place): void {
    const { kind, length } = AVERAGES[average.id];
    context.beginPath();
    let isDown = false;
    this.#eachInSight(average, (slot, price) => {
      if (price !== null && isDown) context.lineTo(x(slot), y(price));
      else if (price !== null) context.moveTo(x(slot), y(price));
      isDown = price !== null;
    });
    context.strokeStyle = this.#colours?.[COLOURS[length]] ?? '';
    context.lineWidth = WIDTHS[length];
    context.setLineDash(kind === 'ema' ? [...DASHES] : []);
    context.stroke();
  }
}

/** Both scales are even ones, so that two places tell all. Null while the chart has none. */
function placeIn({ chart, series }: SeriesAttachedParameter<Time>): Place | null {
  const x = (slot: number) => chart.timeScale().logicalToCoordinate(slot as Logical);
  const [left, next] = [x(0), x(1)];
  const top = series.coordinateToPrice(0);
  const below = series.coordinateToPrice(HEIGHT);
  if (left === null || next === null || top === null || below === null || top === below) return null;
  const height = HEIGHT / (top - below);
  return { x: (slot) => left + slot * (next - left), y: (price) => (top - price) * height };
}
