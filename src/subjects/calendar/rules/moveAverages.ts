import type { Horizon, Measured } from './marketMoves.ts';
import { directionOf, type MeasuredSurprise } from './outcomes.ts';

/** What is averaged of one release. */
export type Case = {
  surprise: MeasuredSurprise | null;
  market: Readonly<Record<Horizon, Measured>>;
  /** The changes of the chosen stock in percent; null where they are not known. */
  stock: Readonly<Record<Horizon, number | null>> | null;
};

/** A mean with the number of its cases. */
export type Mean = { mean: number; cases: number };

/** Means of some releases; null where none was measured. */
export type MoveAverage = {
  /** Which releases: all, or those with a surprise upwards or downwards. */
  of: 'all' | 'up' | 'down';
  after5: Mean | null;
  after30: Mean | null;
  stock5: Mean | null;
  stock30: Mean | null;
};

/** Surprises of one direction are averaged by themselves from so many cases on. */
export const MIN_CASES = 3;

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

/** The averages of some releases: of all, and of each direction of the surprise where there are at least three cases. */
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
