import {
  type AutoscaleInfo,
  type ISeriesPrimitive,
  type Logical,
  type SeriesAttachedParameter,
  type Time,
  type IPriceLine,
  type ISeriesApi,
  type PriceLineOptions,
} from 'lightweight-charts';
import type { PathPoint, ShadePlace } from './placing.ts';
import { layer, type Scope } from './series.ts';
import { averageAt, type ChartAverage } from '#market/bars/rules/averages.ts';
import type { StudyLine } from '#market/bars/rules/studies.ts';
import { lookOf } from '../chartTexts.tsx';
import { QUIET, type Slots } from '../chartSlots.ts';
import { type ChartColours, faded } from './styles.ts';

type Place = { x(slot: number): number; y(price: number): number };

const COLOURS = { 20: 'average-short', 50: 'average-medium', 200: 'average-long' } as const;
/** Line widths, px. Longer averages are thicker, so that they differ not only in colour. */
const WIDTHS = { 20: 1, 50: 1.6, 200: 2.4 } as const;
const DASHES: readonly number[] = [5, 3];
const HEIGHT = 1000;

type DrawnLine = ChartAverage | StudyLine;

/** Draws averages and studies as lines over the bars in sight. */
export class AverageLines implements ISeriesPrimitive<Time> {
  #averages: readonly DrawnLine[] = [];
  #slots: Slots = { axis: [], bar: [] };
  #colours: ChartColours | null = null;
  #attached: SeriesAttachedParameter<Time> | null = null;
  /** Cached, because each picture needs it several times. */
  #measured: { of: readonly DrawnLine[]; first: number; last: number; prices: number[] } | null = null;
  readonly #views = [layer('normal', ({ context }) => this.#paint(context))];

  readonly attached = (parameter: SeriesAttachedParameter<Time>): void => {
    this.#attached = parameter;
  };

  readonly detached = (): void => {
    this.#attached = null;
  };

  readonly paneViews = () => this.#views;

  draw(averages: readonly DrawnLine[], slots: Slots, colours: ChartColours): void {
    const hadLines = this.#averages.length > 0;
    [this.#averages, this.#slots, this.#colours, this.#measured] = [averages, slots, colours, null];
    // No update without lines, which would draw the first picture twice.
    if (hadLines || averages.length > 0) this.#attached?.requestUpdate();
  }

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

  /** The slots in sight and one beyond each end, inclusive. */
  #inSight(): { first: number; last: number } {
    const range = this.#attached?.chart.timeScale().getVisibleLogicalRange() ?? null;
    if (range === null) return { first: 0, last: -1 };
    return {
      first: Math.max(0, Math.floor(range.from) - 1),
      last: Math.min(this.#slots.bar.length - 1, Math.ceil(range.to) + 1),
    };
  }

  /** Visits an average at the slots in sight; null interrupts the line where data is missing. */
  #eachInSight(average: DrawnLine, take: (slot: number, price: number | null) => void): void {
    const { first, last } = this.#inSight();
    for (let slot = first; slot <= last; slot += 1) {
      const bar = this.#slots.bar[slot] ?? QUIET;
      const value = bar < 0 ? null : averageAt(average, bar);
      // An RSI is unknown while the price has not moved.
      if (bar !== QUIET) take(slot, Number.isNaN(value) ? null : value);
    }
  }

  #paint(context: CanvasRenderingContext2D): void {
    const place = this.#attached && placeIn(this.#attached);
    if (this.#averages.length === 0 || !place) return;
    context.lineJoin = 'round';
    for (const line of this.#averages) {
      if (line.id === 'histogram') this.#paintBars(context, line, place);
      else this.#paintLine(context, line, place);
    }
    context.setLineDash([]);
  }

  #paintBars(context: CanvasRenderingContext2D, line: DrawnLine, { x, y }: Place): void {
    const width = Math.max(1, (x(1) - x(0)) * 0.6);
    this.#eachInSight(line, (slot, value) => {
      if (value === null) return;
      context.fillStyle = faded(this.#colours?.[value >= 0 ? 'up' : 'down'] ?? '', 0.5);
      context.fillRect(x(slot) - width / 2, y(0), width, y(value) - y(0));
    });
  }

  #paintLine(context: CanvasRenderingContext2D, average: DrawnLine, { x, y }: Place): void {
    const { kind, length } = lookOf(average.id);
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

/** Positions of slots and prices: two positions define each linear scale. Null if the chart has none yet. */
function placeIn({ chart, series }: SeriesAttachedParameter<Time>): Place | null {
  const x = (slot: number) => chart.timeScale().logicalToCoordinate(slot as Logical);
  const [left, next] = [x(0), x(1)];
  const top = series.coordinateToPrice(0);
  const below = series.coordinateToPrice(HEIGHT);
  if (left === null || next === null || top === null || below === null || top === below) return null;
  const height = HEIGHT / (top - below);
  return { x: (slot) => left + slot * (next - left), y: (price) => (top - price) * height };
}

/** Lines across the chart whose positions are reported, so that elements over the drawing can follow them. */
export class PriceLines {
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #moved: (tops: readonly (number | null)[]) => void;
  readonly #lines: IPriceLine[] = [];
  #notified = '';

  /** @param moved called with the positions, px from the top, whenever one changes; null while hidden */
  constructor(candles: ISeriesApi<'Candlestick'>, moved: (tops: readonly (number | null)[]) => void) {
    this.#candles = candles;
    this.#moved = moved;
    const views = [layer('normal', () => this.#notify())];
    candles.attachPrimitive({ paneViews: () => views });
  }

  put(wanted: readonly PriceLineOptions[]): void {
    for (const line of this.#lines.splice(wanted.length)) this.#candles.removePriceLine(line);
    wanted.forEach((options, index) => {
      const line = this.#lines[index];
      if (line) line.applyOptions(options);
      else this.#lines.push(this.#candles.createPriceLine(options));
    });
    this.#notify();
  }

  #notify(): void {
    const tops = this.#lines.map((line) => this.#candles.priceToCoordinate(line.options().price));
    const notified = String(tops);
    if (notified === this.#notified) return;
    this.#notified = notified;
    this.#moved(tops);
  }
}

type OverlayPath = { points: readonly PathPoint[]; colour: string; isStepped: boolean };
type OverlayShade = ShadePlace & { colour: string; title: string; textColour: string };

export const FONT = '11px system-ui, sans-serif';

/** Draws paths with gaps, and shaded spans. The library's own lines cross gaps, and it has no shading. */
export class Overlay implements ISeriesPrimitive<Time> {
  #paths: readonly OverlayPath[] = [];
  #shades: readonly OverlayShade[] = [];
  #attached: SeriesAttachedParameter<Time> | null = null;
  readonly #views = [
    layer('bottom', (scope) => this.#paintShades(scope)),
    layer('normal', ({ context }) => {
      for (const path of this.#paths) this.#paintPath(context, path);
    }),
  ];

  readonly attached = (parameter: SeriesAttachedParameter<Time>): void => {
    this.#attached = parameter;
  };

  readonly detached = (): void => {
    this.#attached = null;
  };

  readonly paneViews = () => this.#views;

  readonly autoscaleInfo = (from: number, to: number): AutoscaleInfo | null => rangeOf(this.#paths, from, to);

  draw(paths: readonly OverlayPath[], shades: readonly OverlayShade[]): void {
    [this.#paths, this.#shades] = [paths, shades];
    this.#attached?.requestUpdate();
  }

  readonly #x = (slot: number): number | null =>
    this.#attached?.chart.timeScale().logicalToCoordinate(slot as Logical) ?? null;

  readonly #y = (price: number): number | null => this.#attached?.series.priceToCoordinate(price) ?? null;

  #paintShades({ context, mediaSize }: Scope): void {
    context.font = FONT;
    context.textBaseline = 'top';
    for (const { from, to, colour, title, textColour } of this.#shades) {
      const [left, right] = [edge(from, this.#x), edge(to, this.#x)];
      if (left === null || right === null) continue;
      context.fillStyle = colour;
      context.fillRect(left, 0, Math.max(2, right - left), mediaSize.height);
      if (context.measureText(title).width > right - left - 8) continue;
      context.fillStyle = textColour;
      context.fillText(title, left + 4, 4);
    }
  }

  #paintPath(context: CanvasRenderingContext2D, { points, colour, isStepped }: OverlayPath): void {
    context.beginPath();
    const [only] = points;
    if (isStepped && points.length === 1 && only) this.#lineLone(context, only);
    this.#linePoints(context, points, isStepped);
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.stroke();
  }

  #linePoints(context: CanvasRenderingContext2D, points: readonly PathPoint[], isStepped: boolean): void {
    let isDown = false;
    let lastY = 0;
    for (const point of points) {
      const left = point === null ? null : this.#x(point.slot);
      const top = point === null ? null : this.#y(point.price);
      if (left === null || top === null) {
        isDown = false;
        continue;
      }
      if (!isDown) context.moveTo(left, top);
      else {
        if (isStepped) context.lineTo(left, lastY);
        context.lineTo(left, top);
      }
      isDown = true;
      lastY = top;
    }
  }

  /** Draws a stop that exists only within its first bar as a line as long as that bar. */
  #lineLone(context: CanvasRenderingContext2D, { slot, price }: NonNullable<PathPoint>): void {
    const [left, right, top] = [this.#x(slot), this.#x(slot + 1), this.#y(price)];
    if (left === null || right === null || top === null) return;
    context.moveTo(left - (right - left) / 2, top);
    context.lineTo(left + (right - left) / 2, top);
  }
}

/** The middle between two slots, because the library converts only whole slots. */
function edge(slot: number, x: (slot: number) => number | null): number | null {
  const [before, after] = [x(Math.floor(slot)), x(Math.ceil(slot))];
  return before === null || after === null ? null : (before + after) / 2;
}

function rangeOf(paths: readonly OverlayPath[], from: number, to: number): AutoscaleInfo | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { points, isStepped } of paths) {
    if (!isStepped) continue;
    for (const point of points) {
      if (point === null || point.slot < from || point.slot > to) continue;
      low = Math.min(low, point.price);
      high = Math.max(high, point.price);
    }
  }
  return low > high ? null : { priceRange: { minValue: low, maxValue: high } };
}
