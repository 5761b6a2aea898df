import type { ReadonlySignal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';

export type AlertOffer = {
  /** Current price, AUD: the alert waits for a move up or down from it. */
  current: number;
  /** Opens the alert's dialog; nothing is set until the user confirms. */
  ask(crossing: PriceCrossing): void;
};

/** AUD, not rounded to a price step. */
export type PointedPrice = {
  /** By pointer, or the bar under the keyboard's crosshair; null for none. Changes without a render. */
  hovered: ReadonlySignal<number | null>;
  /** Position of the price cursor; null while there is none. */
  picked: number | null;
};

export type PriceChartProps = {
  label: string;
  data: ChartData;
  height?: number;
  onTimeframe?: (step: -1 | 1) => void;
  onOlder?: () => void;
  /** Shows all bars at first, for example of a call or backtest, instead of the newest. */
  fitsAll?: boolean;
  alert?: AlertOffer;
  /** Text about the pointed price, below the values of the bar. */
  readout?: (pointed: PointedPrice) => ReactNode;
  /** Loads the drawing; tests pass their own. */
  load?: () => Promise<MakeDrawing>;
};

export type DrawingEvents = {
  onPoint(bar: number | null): void;
  /** The price under the pointer, AUD, not rounded; null when it left. */
  onHover(price: number | null): void;
  /** The first bar is in sight, or near enough that averages in sight need earlier bars. */
  onOlder(): void;
  /** The plot was clicked or tapped at this price, AUD, not rounded. */
  onPick(price: number): void;
  /** Position of the price cursor, px from the top of the drawing; null while hidden. */
  onCursor(top: number | null): void;
};

export type Drawing = {
  /** If the data only grew, draws the new bars and keeps the range in sight. */
  show(data: ChartData): void;
  point(bar: number | null): void;
  mark(price: number | null): void;
  /** A factor above 1 makes bars wider, around the newest in sight. */
  zoom(factor: number): void;
  stop(): void;
};

export type MakeDrawing = (
  host: HTMLElement,
  events: DrawingEvents,
  options: { fitsAll: boolean },
) => Drawing;
