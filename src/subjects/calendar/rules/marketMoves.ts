import { MINUTE_MS } from '#lib/units.ts';
import { compareCodes } from '#lib/text.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { directionOf, type MeasuredSurprise } from './outcomes.ts';

/** Minutes after a release at which the market reaction is measured. */
export const HORIZONS = [5, 30] as const;
export type Horizon = (typeof HORIZONS)[number];

/** Number of the largest stocks whose prices are measured. */
export const BASKET_SIZE = 50;

export const MOVE_STATES = ['measured', 'shut', 'pending', 'blind', 'unknown', 'otherClock'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** The cap-weighted change in percent, and how many of the counted stocks rose and fell. */
export type Reaction = { change: number; up: number; down: number; counted: number };

export type Measured = { state: MoveState; reaction: Reaction | null };

export const notMeasured = (state: Exclude<MoveState, 'measured'>): Measured => ({ state, reaction: null });

type Prices = { before: number | null; after: number | null };

/** `change` is in percent, null if unknown. */
type Weighted = { change: number | null; cap: number };

/**
 * Whether shares trade continuously from a minute before a time until `minutes` after it. Moves across the open are not
 * measured.
 * @param time epoch ms by the market's clock
 */
export function isOpenAround(time: number, minutes: Horizon): boolean {
  const open = phasesOf(sydneyDate(time)).find(({ phase }) => phase === 'open');
  if (!open) return false;
  return time - MINUTE_MS >= open.since && time + minutes * MINUTE_MS <= open.until;
}

/** The change in percent; null if a price is unknown. */
export const changeOf = ({ before, after }: Prices): number | null =>
  before === null || after === null || before <= 0 ? null : (after / before - 1) * 100;

/** Σ cap × change ÷ Σ cap over the stocks with a known change; null if there are none. */
export function weighReaction(stocks: readonly Weighted[]): Reaction | null {
  let sum = 0;
  let weight = 0;
  const reaction: Reaction = { change: 0, up: 0, down: 0, counted: 0 };
  for (const { change, cap } of stocks) {
    if (change === null || !(cap > 0)) continue;
    sum += change * cap;
    weight += cap;
    reaction.counted += 1;
    if (change > 0) reaction.up += 1;
    else if (change < 0) reaction.down += 1;
  }
  return weight === 0 ? null : { ...reaction, change: sum / weight };
}

type Listed = { code: string; marketCap: number | null; securityType: string };

export const largestOf = (stocks: Iterable<Listed>): { code: string; cap: number }[] =>
  [...stocks]
    .flatMap(({ code, marketCap, securityType }) =>
      securityType !== 'fund' && marketCap !== null && marketCap > 0 ? [{ code, cap: marketCap }] : [],
    )
    .sort((a, b) => b.cap - a.cap || compareCodes(a.code, b.code))
    .slice(0, BASKET_SIZE)
    .sort((a, b) => compareCodes(a.code, b.code));

export type Case = {
  surprise: MeasuredSurprise | null;
  market: Readonly<Record<Horizon, Measured>>;
  stock: Readonly<Record<Horizon, number | null>> | null;
};

type Mean = { mean: number; cases: number };

type MoveAverage = {
  /** Releases that are averaged: all, or those with a surprise upwards or downwards. */
  of: 'all' | 'up' | 'down';
  after5: Mean | null;
  after30: Mean | null;
  stock5: Mean | null;
  stock30: Mean | null;
};

const MIN_CASES = 3;

function meanOf(values: readonly (number | null)[]): Mean | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return { mean: known.reduce((sum, value) => sum + value, 0) / known.length, cases: known.length };
}

const averageOf = (of: MoveAverage['of'], cases: readonly Case[]): MoveAverage => ({
  of,
  after5: meanOf(cases.map(({ market }) => market[5].reaction?.change ?? null)),
  after30: meanOf(cases.map(({ market }) => market[30].reaction?.change ?? null)),
  stock5: meanOf(cases.map(({ stock }) => stock?.[5] ?? null)),
  stock30: meanOf(cases.map(({ stock }) => stock?.[30] ?? null)),
});

const hasEnough = ({ after5, after30 }: MoveAverage): boolean =>
  Math.max(after5?.cases ?? 0, after30?.cases ?? 0) >= MIN_CASES;

export function averageMoves(cases: readonly Case[]): MoveAverage[] {
  const all = averageOf('all', cases);
  const directed = (['up', 'down'] as const).map((of) =>
    averageOf(
      of,
      cases.filter(({ surprise }) => surprise !== null && directionOf(surprise) === of),
    ),
  );
  const isAny = all.after5 !== null || all.after30 !== null || all.stock5 !== null || all.stock30 !== null;
  return [...(isAny ? [all] : []), ...directed.filter(hasEnough)];
}
