import type { ReadonlySignal, Signal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';

export type AlertOffer = {
  /** Current price, AUD. The alert waits for a move up or down from it. */
  current: number;
  /** Sets the alert. */
  ask(crossing: PriceCrossing): void;
};

/** A line of the user across the chart. */
export type PriceLevel = {
  id: string;
  label: string;
  /** AUD. */
  price: number;
  tone: 'entry' | 'target' | 'stop' | 'level';
};

export type PriceLevelProps = {
  levels?: readonly PriceLevel[];
  /**
   * Called with the price on a price step, AUD, while the user drags a line or moves it by keyboard. Without it the
   * lines are fixed.
   * @param isDone false while the line is still being dragged
   */
  onLevel?: (id: string, price: number, isDone: boolean) => void;
};

/** A line with what the user can do with it; without `onMove` it is fixed. */
export type UserLine = PriceLevel & {
  /** @param isDone false while the line is still being dragged */
  onMove?: (price: number, isDone: boolean) => void;
  onRemove?: () => void;
  /** Sets an alert at its price. */
  onAlert?: () => void;
};

/** Prices that the user points at, AUD, not rounded to a price step. */
export type PointedPrice = {
  /** Price under the pointer or of the bar under the keyboard's crosshair; null for none. Changes without a render. */
  hovered: ReadonlySignal<number | null>;
  /** The price of the price cursor; null while there is none. */
  picked: number | null;
};

/** A time that a user points at in one of several charts: Sydney time written as UTC, ms. */
export type SharedPoint = { at: number; isDated: boolean; by: string };

export type PriceChartProps = {
  label: string;
  data: ChartData;
  height?: number;
  onTimeframe?: (step: -1 | 1) => void;
  onOlder?: () => void;
  /** True to show all bars at first, for example of a call or backtest, not the newest ones. */
  fitsAll?: boolean;
  alert?: AlertOffer;
  lines?: readonly UserLine[];
  /** The crosshair's time, for charts that show the same one. */
  shared?: Signal<SharedPoint | null>;
  /** Adds a horizontal level at a price, AUD, not rounded. */
  onAddLevel?: (price: number) => void;
  /** Renders a text about the pointed price, below the values of the bar. */
  readout?: (pointed: PointedPrice) => ReactNode;
  /** Loads the drawing; tests pass their own. */
  load?: () => Promise<MakeDrawing>;
};

export type DrawingEvents = {
  onPoint(bar: number | null): void;
  /** Called with the price under the pointer, AUD, not rounded; null when it left. */
  onHover(price: number | null): void;
  /** Called when the first bar is in sight, or near enough that averages in sight need earlier bars. */
  onOlder(): void;
  /** Called when the plot was clicked or tapped, with the price there, AUD, not rounded. */
  onPick(price: number): void;
  /** Called with the position of the price cursor, px from the top of the drawing; null while hidden. */
  onCursor(top: number | null): void;
  /** Called with the positions of the user's lines, px from the top of the drawing; null while hidden. */
  onLines(tops: readonly (number | null)[]): void;
};

export type Drawing = {
  /** Draws data. If it only grew, the new bars are drawn and the range in sight stays. */
  show(data: ChartData): void;
  /** @param isFollowing true to leave the range in sight as it is */
  point(bar: number | null, isFollowing?: boolean): void;
  mark(price: number | null): void;
  /** Draws the user's lines, which the price scale includes. */
  lines(levels: readonly PriceLevel[]): void;
  /** The price at a position, px from the top of the drawing; null without bars. */
  priceAt(top: number): number | null;
  /** Keeps the price scale as it is while a line is dragged. */
  hold(isHeld: boolean): void;
  /** Zooms around the newest bar in sight; a factor above 1 makes bars wider. */
  zoom(factor: number): void;
  stop(): void;
};

export type MakeDrawing = (
  host: HTMLElement,
  events: DrawingEvents,
  options: { fitsAll: boolean },
) => Drawing;
