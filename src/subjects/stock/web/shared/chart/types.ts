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
  /** Accessible name of the chart, such as "BHP, 1 minute". */
  label: string;
  data: ChartData;
  /** Height of the drawing, px. Omit to fill the container. */
  height?: number;
  /** Up and down request a shorter or longer timeframe. */
  onTimeframe?: (step: -1 | 1) => void;
  /** The user scrolled to the first bar. */
  onOlder?: () => void;
  /** Shows all bars at first, for example of a call or backtest, instead of the newest. */
  fitsAll?: boolean;
  /** Allows alerts at prices of this chart; omit if none can be set. */
  alert?: AlertOffer;
  /** Text about the pointed price, below the values of the bar. */
  readout?: (pointed: PointedPrice) => ReactNode;
  /** Loads the drawing; tests pass their own. */
  load?: () => Promise<MakeDrawing>;
};

export type DrawingEvents = {
  /** The bar under the pointer; null if there is none. */
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
  /** Moves the crosshair to a bar and scrolls to it; null removes it. */
  point(bar: number | null): void;
  /** Moves the price cursor, AUD; null removes it. */
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
