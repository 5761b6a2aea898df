import type { ISeriesPrimitive, Logical, SeriesAttachedParameter, Time } from 'lightweight-charts';
import { AVERAGES, averageAt, type ChartAverage } from '../../../../src/domain/charts/averages.ts';
import { QUIET, type Slots } from '../chartSlots.ts';
import type { ChartColours } from './colours.ts';
import { layer } from './surface.ts';

export type AverageLines = ISeriesPrimitive<Time> & {
  draw(averages: readonly ChartAverage[], slots: Slots, colours: ChartColours): void;
  /** The lowest and the highest price of each average in sight, AUD. */
  extremes(): number[];
};

type Slot = { slot: number; price: number };
/** Where a price at a slot is, px from the left and the top. */
type Place = (at: Slot) => [x: number, y: number];

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
export function createAverageLines(): AverageLines {
  let averages: readonly ChartAverage[] = [];
  let slots: Slots = { axis: [], bar: [] };
  let colours: ChartColours | null = null;
  let attached: SeriesAttachedParameter<Time> | null = null;

  /** The slots in sight and one beside each end, both included. */
  function inSight(): { first: number; last: number } {
    const range = attached?.chart.timeScale().getVisibleLogicalRange() ?? null;
    if (range === null) return { first: 0, last: -1 };
    return {
      first: Math.max(0, Math.floor(range.from) - 1),
      last: Math.min(slots.bar.length - 1, Math.ceil(range.to) + 1),
    };
  }

  /** The average at each slot in sight; null where the line is interrupted, as nothing is known there. */
  function* pointsOf(average: ChartAverage): Generator<Slot | null> {
    const { first, last } = inSight();
    for (let slot = first; slot <= last; slot += 1) {
      const bar = slots.bar[slot] ?? QUIET;
      if (bar === QUIET) continue;
      const price = bar < 0 ? null : averageAt(average, bar);
      yield price === null ? null : { slot, price };
    }
  }

  function paint(context: CanvasRenderingContext2D, average: ChartAverage, place: Place): void {
    const { kind, length } = AVERAGES[average.id];
    context.beginPath();
    let isDown = false;
    for (const point of pointsOf(average)) {
      if (point !== null) {
        const [x, y] = place(point);
        if (isDown) context.lineTo(x, y);
        else context.moveTo(x, y);
      }
      isDown = point !== null;
    }
    context.strokeStyle = colours?.[COLOURS[length]] ?? '';
    context.lineWidth = WIDTHS[length];
    context.setLineDash(kind === 'ema' ? [...DASHES] : []);
    context.stroke();
  }

  const views = [
    layer('normal', ({ context }) => {
      const place = attached && placeIn(attached);
      if (averages.length === 0 || !place) return;
      context.lineJoin = 'round';
      for (const average of averages) paint(context, average, place);
      context.setLineDash([]);
    }),
  ];
  return {
    attached(parameter) {
      attached = parameter;
    },
    detached() {
      attached = null;
    },
    paneViews: () => views,
    draw(nextAverages, nextSlots, nextColours) {
      [averages, slots, colours] = [nextAverages, nextSlots, nextColours];
      attached?.requestUpdate();
    },
    extremes: () =>
      averages.flatMap((average) => {
        let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (const point of pointsOf(average)) {
          if (point === null) continue;
          low = Math.min(low, point.price);
          high = Math.max(high, point.price);
        }
        return low > high ? [] : [low, high];
      }),
  };
}

/** Both scales are even ones, so that two places tell all. Null while the chart has none. */
function placeIn({ chart, series }: SeriesAttachedParameter<Time>): Place | null {
  const x = (slot: number) => chart.timeScale().logicalToCoordinate(slot as Logical);
  const [left, next] = [x(0), x(1)];
  const top = series.coordinateToPrice(0);
  const below = series.coordinateToPrice(HEIGHT);
  if (left === null || next === null || top === null || below === null || top === below) return null;
  const height = HEIGHT / (top - below);
  return ({ slot, price }) => [left + slot * (next - left), (top - price) * height];
}
