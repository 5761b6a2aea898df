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

export type Overlay = ISeriesPrimitive<Time> & {
  draw(paths: readonly OverlayPath[], shades: readonly OverlayShade[]): void;
};

const FONT = '11px system-ui, sans-serif';

/**
 * What stands on the bars and below them: paths with gaps and stretches that are shaded. The library's own lines run
 * across gaps, and it has no shades.
 */
export function createOverlay(): Overlay {
  let paths: readonly OverlayPath[] = [];
  let shades: readonly OverlayShade[] = [];
  let chart: SeriesAttachedParameter<Time> | null = null;
  const x = (slot: number): number | null =>
    chart?.chart.timeScale().logicalToCoordinate(slot as Logical) ?? null;
  const y = (price: number): number | null => chart?.series.priceToCoordinate(price) ?? null;

  function paintShades({ context, mediaSize }: Scope): void {
    context.font = FONT;
    context.textBaseline = 'top';
    for (const { from, to, colour, title, textColour } of shades) {
      const [left, right] = [edge(from, x), edge(to, x)];
      if (left === null || right === null) continue;
      context.fillStyle = colour;
      context.fillRect(left, 0, Math.max(2, right - left), mediaSize.height);
      if (context.measureText(title).width > right - left - 8) continue;
      context.fillStyle = textColour;
      context.fillText(title, left + 4, 4);
    }
  }

  /** A stop that has not come past its first bar is as long as that. */
  function paintLone(context: CanvasRenderingContext2D, { slot, price }: NonNullable<PathPoint>): void {
    const [left, right, top] = [x(slot), x(slot + 1), y(price)];
    if (left === null || right === null || top === null) return;
    context.moveTo(left - (right - left) / 2, top);
    context.lineTo(left + (right - left) / 2, top);
  }

  function paintPath(context: CanvasRenderingContext2D, { points, colour, isStepped }: OverlayPath): void {
    context.beginPath();
    let isDown = false;
    let lastY = 0;
    const [only] = points;
    if (isStepped && points.length === 1 && only) paintLone(context, only);
    for (const point of points) {
      const left = point === null ? null : x(point.slot);
      const top = point === null ? null : y(point.price);
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
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.stroke();
  }

  const views = [
    layer('bottom', paintShades),
    layer('normal', ({ context }) => {
      for (const path of paths) paintPath(context, path);
    }),
  ];
  return {
    attached(parameter) {
      chart = parameter;
    },
    detached() {
      chart = null;
    },
    paneViews: () => views,
    autoscaleInfo: (from, to): AutoscaleInfo | null => rangeOf(paths, from, to),
    draw(nextPaths, nextShades) {
      paths = nextPaths;
      shades = nextShades;
      chart?.requestUpdate();
    },
  };
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
