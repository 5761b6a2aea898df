import type { AuctionColumns } from '#market/auctions/rules/auction.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import type { TimeSpan } from '#market/bars/rules/bars.ts';

/** Layout of the drawing, in CSS px from its upper left corner. */
export type AuctionPlan = {
  span: TimeSpan;
  right: number;
  price: Pane & { low: number; high: number };
  /** `most` is the highest match volume, drawn up to 2/5 of the price pane's height. */
  volume: Pane & { most: number };
  /** `most` is the largest surplus on either side; bars start at the middle. */
  surplus: Pane & { most: number };
  xOf(time: number): number;
};

type Pane = { top: number; bottom: number };

export type PlanInput = {
  columns: AuctionColumns;
  span: TimeSpan;
  close: number | null;
  width: number;
  height: number;
};

const AXIS_WIDTH = 58;
const AXIS_HEIGHT = 18;
const TOP = 8;
const GAP = 10;
/** Shares of the height without the axis. */
const PRICE_SHARE = 0.64;
const VOLUME_SHARE = 0.4;

export type AuctionKind = 'open' | 'close';

/** The phases of an auction: from, in which orders gather, until, in which it is over. */
const PHASES = { open: ['pre-open', 'open'], close: ['pre-cspa', 'post-close'] } as const;

/** The changes of one auction of a day. @param date of the session, YYYY-MM-DD */
export function auctionPart(columns: AuctionColumns, date: string, kind: AuctionKind): AuctionColumns {
  const { time, price, volume, surplus } = columns;
  const closing = phasesOf(date).find(({ phase }) => phase === 'pre-cspa')?.since ?? Number.POSITIVE_INFINITY;
  const at = time.findIndex((one) => one >= closing);
  const split = at < 0 ? time.length : at;
  const part = <T>(values: readonly T[]): T[] =>
    kind === 'open' ? values.slice(0, split) : values.slice(split);
  return { time: part(time), price: part(price), volume: part(volume), surplus: part(surplus) };
}

/** The hours of an auction, extended so that they contain all known changes. @param date of the session, YYYY-MM-DD */
export function auctionSpan(date: string, { time }: AuctionColumns, kind: AuctionKind = 'open'): TimeSpan {
  const phases = phasesOf(date);
  const [begins, ends] = PHASES[kind];
  const first = time[0] ?? Number.POSITIVE_INFINITY;
  const last = time.at(-1) ?? Number.NEGATIVE_INFINITY;
  const from = Math.min(phases.find(({ phase }) => phase === begins)?.since ?? first, first);
  const end = phases.find(({ phase }) => phase === ends)?.since ?? last;
  // The exchange opens at 10:00; the auction is some seconds earlier.
  return { from, until: Math.max(Math.ceil(end / 60_000) * 60_000, last, from + 60_000) };
}

export const lastOf = ({ from, until }: TimeSpan, minutes: number): TimeSpan => ({
  from: Math.max(from, until - minutes * 60_000),
  until,
});

const known = (values: readonly (number | null)[]): number[] => values.filter((one) => one !== null);
const mostOf = (values: readonly (number | null)[]): number =>
  known(values).reduce((most, one) => Math.max(most, Math.abs(one)), 0);

/** Range of the price scale; it includes the previous close unless that would make the line look flat. */
function priceRange(prices: readonly number[], close: number | null): { low: number; high: number } {
  let low = prices.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  let high = prices.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(low)) return { low: (close ?? 1) * 0.99, high: (close ?? 1) * 1.01 };
  const range = Math.max(high - low, high * 0.002);
  if (close !== null && close > low - 3 * range && close < high + 3 * range) {
    low = Math.min(low, close);
    high = Math.max(high, close);
  }
  const margin = Math.max((high - low) * 0.06, high * 0.001);
  return { low: low - margin, high: high + margin };
}

/** Changes in a span, including the one that is valid at the start. */
export function shownPart(columns: AuctionColumns, { from, until }: TimeSpan): AuctionColumns {
  const { time, price, volume, surplus } = columns;
  const inside = time.findIndex((one) => one > from);
  const first = Math.max(0, (inside < 0 ? time.length : inside) - 1);
  const after = time.findIndex((one) => one > until);
  const end = after < 0 ? time.length : after;
  return {
    time: time.slice(first, end),
    price: price.slice(first, end),
    volume: volume.slice(first, end),
    surplus: surplus.slice(first, end),
  };
}

/** @param input.columns only the changes in the span */
export function planAuction({ columns, span, close, width, height }: PlanInput): AuctionPlan {
  const right = Math.max(1, width - AXIS_WIDTH);
  const inner = Math.max(1, height - TOP - GAP - AXIS_HEIGHT);
  const priceBottom = TOP + inner * PRICE_SHARE;
  const length = Math.max(1, span.until - span.from);
  return {
    span,
    right,
    price: { top: TOP, bottom: priceBottom, ...priceRange(known(columns.price), close) },
    volume: {
      top: priceBottom - (priceBottom - TOP) * VOLUME_SHARE,
      bottom: priceBottom,
      most: mostOf(columns.volume),
    },
    surplus: { top: priceBottom + GAP, bottom: TOP + inner + GAP, most: mostOf(columns.surplus) },
    xOf: (time) => Math.min(right, Math.max(0, ((time - span.from) / length) * right)),
  };
}

export const yOf = ({ top, bottom }: Pane, value: number, low: number, high: number): number =>
  high <= low ? (top + bottom) / 2 : bottom - ((value - low) / (high - low)) * (bottom - top);

export function axisPrices(low: number, high: number): number[] {
  const near = [0.5, 0.08, 0.92].map((share) => roundToStep(low + (high - low) * share));
  return [...new Set(near)].filter((price) => price >= low && price <= high);
}

const STEPS_MS = [1, 5, 10, 15, 30, 60, 120, 240].map((minutes) => minutes * 60_000);
const TEXT_DISTANCE = 64;

export function axisTimes({ from, until }: TimeSpan, width: number): number[] {
  const step = STEPS_MS.find((one) => (one / (until - from)) * width >= TEXT_DISTANCE) ?? 480 * 60_000;
  const times: number[] = [];
  // Steps are whole hours or divide them, and Sydney's offset is whole hours, so multiples in UTC fit.
  for (let time = Math.ceil(from / step) * step; time <= until; time += step) times.push(time);
  return times;
}
