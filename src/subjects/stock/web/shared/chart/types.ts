import type { ReadonlySignal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';

/** Alerts at prices that the reader points at. */
export type AlertOffer = {
  /** What the stock stands at, AUD: an alert waits for its way up or down from there. */
  current: number;
  /** Asks for an alert; nothing is set before the reader says so once more. */
  ask(crossing: PriceCrossing): void;
};

/** The price that the reader points at, AUD, between price steps as it is. */
export type PointedPrice = {
  /** By pointer, or by the bar that the keyboard is on; null where nothing is. It moves without a render. */
  hovered: ReadonlySignal<number | null>;
  /** Where the price cursor was left; null while there is none. */
  picked: number | null;
};

export type PriceChartProps = {
  /** Names the chart for screen readers, such as "BHP, 1 minute". */
  label: string;
  data: ChartData;
  /** px, of the drawing alone; the width is that of what is around it. Left out, it fills what is around it. */
  height?: number;
  /** Left and right move the crosshair by a bar, up and down ask for a shorter or longer timeframe. */
  onTimeframe?: (step: -1 | 1) => void;
  /** Older bars are wanted: the reader scrolled to the first. */
  onOlder?: () => void;
  /** Shows all bars at first, as of a call or a rehearsal, in place of the newest. */
  fitsAll?: boolean;
  /** The reader may have an alert set at a price of this chart; left out where there is none to be set. */
  alert?: AlertOffer;
  /** What is told of the price that is pointed at, below the numbers of the bar. */
  readout?: (pointed: PointedPrice) => ReactNode;
  /** Gives what draws; tests pass their own. */
  load?: () => Promise<MakeDrawing>;
};

/** What the reader does on a drawn chart. */
export type DrawingEvents = {
  /** The pointer is on a bar; null when it left, or is where no bar is. */
  onPoint(bar: number | null): void;
  /** The pointer is at this price, AUD, between price steps as it is; null when it left. */
  onHover(price: number | null): void;
  /** The first bar came into sight, or so near to it that averages in sight need those before it. */
  onOlder(): void;
  /** The plot was clicked or tapped at this price, AUD, between price steps as it is. */
  onPick(price: number): void;
  /** Where the price cursor is drawn, px from the top of the drawing; null when it is not. */
  onCursor(top: number | null): void;
};

/** A chart on a canvas. */
export type Drawing = {
  /** Draws data. What is only longer than before costs its newest bars, and keeps what is in sight. */
  show(data: ChartData): void;
  /** Puts the crosshair on a bar and brings it into sight; null takes it away. */
  point(bar: number | null): void;
  /** Puts the price cursor at a price, AUD; null takes it away. */
  mark(price: number | null): void;
  /** Makes bars wider (above 1) or narrower, around the newest in sight. */
  zoom(factor: number): void;
  /** Takes it off the page. */
  stop(): void;
};

export type MakeDrawing = (
  host: HTMLElement,
  events: DrawingEvents,
  options: { fitsAll: boolean },
) => Drawing;
