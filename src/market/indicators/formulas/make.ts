import type { TimeframeBar, Calc } from '../types.ts';

/** A computation with one result. @param step gives the result after each bar, null when there is none yet */
export function single(step: (bar: TimeframeBar, replace: boolean) => number | null): Calc {
  const out: (number | null)[] = [null];
  return {
    out,
    update(bar, replace) {
      out[0] = step(bar, replace);
    },
  };
}

/** A computation with several results, which `step` writes into `out` itself. */
export function several(
  outputs: number,
  step: (bar: TimeframeBar, replace: boolean, out: (number | null)[]) => void,
): Calc {
  const out = new Array<number | null>(outputs).fill(null);
  return { out, update: (bar, replace) => step(bar, replace, out) };
}

/** Counts bars, for results that the library gives before they mean anything. */
export function createCounter(): (replace: boolean) => number {
  let bars = 0;
  return (replace) => {
    if (!replace || bars === 0) bars += 1;
    return bars;
  };
}

/** What was true after the last finished bar, for rules that compare with it. @param first before there is any */
export function createPrevious<T>(first: T): (value: T, replace: boolean) => T {
  let previous = first;
  let running = first;
  return (value, replace) => {
    if (!replace) previous = running;
    running = value;
    return previous;
  };
}
