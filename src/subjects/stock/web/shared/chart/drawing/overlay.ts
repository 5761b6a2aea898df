import type {
  AutoscaleInfo,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { PathPoint, ShadePlace } from './placeExtras.ts';
import { layer, type Scope } from './surface.ts';

export type OverlayPath = { points: readonly PathPoint[]; colour: string; isStepped: boolean };
export type OverlayShade = ShadePlace & { colour: string; title: string; textColour: string };

const FONT = '11px system-ui, sans-serif';

/**
 * What stands on the bars and below them: paths with gaps and stretches that are shaded. The library's own lines run
 * across gaps, and it has no shades.
 */
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

  /** A stop that has not come past its first bar is as long as that. */
  #lineLone(context: CanvasRenderingContext2D, { slot, price }: NonNullable<PathPoint>): void {
    const [left, right, top] = [this.#x(slot), this.#x(slot + 1), this.#y(price)];
    if (left === null || right === null || top === null) return;
    context.moveTo(left - (right - left) / 2, top);
    context.lineTo(left + (right - left) / 2, top);
  }
}

/** The middle between two slots: the library answers for whole slots only. */
function edge(slot: number, x: (slot: number) => number | null): number | null {
  const [before, after] = [x(Math.floor(slot)), x(Math.ceil(slot))];
  return before === null || after === null ? null : (before + after) / 2;
}

/** Stops belong into sight with the bars beside them. */
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
