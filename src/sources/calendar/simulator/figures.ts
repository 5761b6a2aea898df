import { gauss, mix, unit } from '../../quotes/simulator/random.ts';
import type { FigureShape } from './series.ts';

/** The index of each random number of an occurrence; every number is used for one decision only. */
const DRAW = { value: 1, consensus: 2, isRevised: 3, revision: 4, delay: 5, delayLength: 6 } as const;

/** The figures of one occurrence of a series; `revised` is what the previous figure became. */
export type Figures = {
  actual: number;
  consensus: number;
  previous: number;
  revised: number | null;
  isBetterThanExpected: boolean | null;
};

function rounded(value: number, { decimals }: FigureShape): number {
  // Adding zero takes the sign away from a zero.
  return Number(value.toFixed(decimals)) + 0;
}

/**
 * The figures of a series in a week. They follow from the seed alone, so that a week's previous figure is what the week
 * before had as its actual one.
 * @param seed of the series; @param week counted from any beginning
 */
export function figuresOf(shape: FigureShape, seed: number, week: number): Figures {
  const { level, spread, isMoreBetter } = shape;
  const valueOf = (at: number): number => {
    return rounded(level + spread * gauss(mix(seed, at), DRAW.value), shape);
  };
  const own = mix(seed, week);
  const actual = valueOf(week);
  const previous = valueOf(week - 1);
  // Who expects something looks at the last figure and at what is usual.
  const expected = (previous + 2 * level) / 3 + 0.4 * spread * gauss(own, DRAW.consensus);
  const consensus = rounded(expected, shape);
  const revised = rounded(previous + 0.3 * spread * gauss(own, DRAW.revision), shape);
  const isRevised = unit(own, DRAW.isRevised) < 0.3 && revised !== previous;
  const isMore = actual > consensus;
  return {
    actual,
    consensus,
    previous,
    revised: isRevised ? revised : null,
    isBetterThanExpected: isMoreBetter === null || actual === consensus ? null : isMore === isMoreBetter,
  };
}

/** How long after its time a figure arrives, ms: mostly some seconds, seldom minutes. */
export function delayOf(seed: number, week: number): number {
  const own = mix(seed, week);
  const at = unit(own, DRAW.delayLength);
  const kind = unit(own, DRAW.delay);
  if (kind < 0.7) return Math.round(1000 + 5000 * at);
  return Math.round(kind < 0.94 ? 8000 + 40_000 * at : 60_000 + 90_000 * at);
}
