import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { single } from './make.ts';

/** Where the acceleration begins, and what each new extreme adds to it. */
const STEP = 0.02;
const MAX_ACCELERATION = 0.2;

/** After a bar. */
type State = {
  /** The stop is below the price: a rise. */
  isBelow: boolean;
  stop: number;
  /** Highest high of a rise, lowest low of a fall. */
  extreme: number;
  acceleration: number;
  last: TimeframeBar;
  /** Null after the second bar. */
  beforeLast: TimeframeBar | null;
};

/** The stop never is inside the range of the two bars before. */
function bounded(stop: number, isBelow: boolean, { last, beforeLast }: State): number {
  const other = beforeLast ?? last;
  return isBelow ? Math.min(stop, last.low, other.low) : Math.max(stop, last.high, other.high);
}

/** @param isFirst whether the trend begins with this bar, which then adds no acceleration */
function next(state: State, bar: TimeframeBar, isFirst: boolean): State {
  const moved = state.stop + state.acceleration * (state.extreme - state.stop);
  const after = { last: bar, beforeLast: state.last };
  const { isBelow, extreme } = state;
  if (isBelow ? moved > bar.low : moved < bar.high) {
    const turned = isBelow ? Math.max(bar.high, extreme) : Math.min(bar.low, extreme);
    return {
      isBelow: !isBelow,
      stop: bounded(turned, !isBelow, state),
      extreme: isBelow ? bar.low : bar.high,
      acceleration: STEP,
      ...after,
    };
  }
  const reached = !isFirst && (isBelow ? bar.high > extreme : bar.low < extreme);
  return {
    isBelow,
    stop: bounded(moved, isBelow, state),
    extreme: reached ? (isBelow ? bar.high : bar.low) : extreme,
    acceleration: reached ? Math.min(MAX_ACCELERATION, state.acceleration + STEP) : state.acceleration,
    ...after,
  };
}

/** The second bar: its close against the first one's makes the trend. */
function begin(first: TimeframeBar, bar: TimeframeBar): State {
  const isBelow = bar.close > first.close;
  const seed: State = {
    isBelow,
    stop: isBelow ? first.low : first.high,
    extreme: isBelow ? bar.high : bar.low,
    acceleration: STEP,
    last: first,
    beforeLast: null,
  };
  return next(seed, bar, true);
}

type Sar = (bar: TimeframeBar, replace: boolean) => number | null;

function createSar(): Sar {
  let first: TimeframeBar | null = null;
  let finished: State | null = null;
  let running: State | null = null;
  let isFirstRunning = false;
  return (bar, replace) => {
    if (first === null || (replace && isFirstRunning)) {
      first = bar;
      isFirstRunning = true;
      return null;
    }
    if (!replace) {
      finished = running;
      isFirstRunning = false;
    }
    running = finished === null ? begin(first, bar) : next(finished, bar, false);
    return running.stop;
  };
}

/**
 * Wilder's parabolic stop and reverse with step 0.02, at most 0.2, as the platform publishes it (`ta.sar` of its Pine
 * Script reference): a bar is compared with the stop before that is bounded by the two bars before it, and the stop after
 * a reversal is the trend's extreme, this bar's included. Wilder and TA-Lib bound it first. (The library's own moves the
 * stop by a fixed 0.01 after a turn, which is a third of many ASX prices.)
 */
export function parabolicSar(cells: Cells): Calc {
  const sar = cells.keep(createSar);
  return single(cells, (bar, replace) => sar()(bar, replace));
}
