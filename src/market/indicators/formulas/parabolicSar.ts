import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { single } from './make.ts';

const STEP = 0.02;
const MAX_ACCELERATION = 0.2;

type State = {
  rising: boolean;
  sar: number;
  /** Highest high of a rise, lowest low of a fall. */
  extreme: number;
  acceleration: number;
  last: TimeframeBar;
  beforeLast: TimeframeBar | null;
};

function begin(first: TimeframeBar, bar: TimeframeBar): State {
  const rising = bar.close >= first.close;
  return {
    rising,
    sar: rising ? first.low : first.high,
    extreme: rising ? bar.high : bar.low,
    acceleration: STEP,
    last: bar,
    beforeLast: first,
  };
}

/** The stop must not lie inside the range of the two bars before. */
function bounded(sar: number, { rising, last, beforeLast }: State): number {
  const other = beforeLast ?? last;
  return rising ? Math.min(sar, last.low, other.low) : Math.max(sar, last.high, other.high);
}

function next(state: State, bar: TimeframeBar): State {
  const sar = bounded(state.sar + state.acceleration * (state.extreme - state.sar), state);
  const after = { last: bar, beforeLast: state.last };
  const turned = state.rising ? bar.low < sar : bar.high > sar;
  if (turned) {
    const extreme = state.rising ? bar.low : bar.high;
    return { rising: !state.rising, sar: state.extreme, extreme, acceleration: STEP, ...after };
  }
  const reached = state.rising ? bar.high > state.extreme : bar.low < state.extreme;
  return {
    rising: state.rising,
    sar,
    extreme: reached ? (state.rising ? bar.high : bar.low) : state.extreme,
    acceleration: reached ? Math.min(MAX_ACCELERATION, state.acceleration + STEP) : state.acceleration,
    ...after,
  };
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
    running = finished === null ? begin(first, bar) : next(finished, bar);
    return running.sar;
  };
}

/**
 * Wilder's parabolic stop and reverse with step 0.02, at most 0.2; the first trend is that of the first two closes.
 * (The library's own moves the stop by a fixed 0.01 after a turn, which is a third of many ASX prices.)
 */
export function parabolicSar(cells: Cells): Calc {
  const sar = cells.keep(createSar);
  return single(cells, (bar, replace) => sar()(bar, replace));
}
