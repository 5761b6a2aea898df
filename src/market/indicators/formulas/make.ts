import type { TimeframeBar, Calc } from '../types.ts';

/** A computation with one result. @param step returns the result after a bar; null while there is none */
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

/** Counts bars: an average has a value from its first bar on, but means something only after some more. */
export function createCounter(): (replace: boolean) => number {
  let bars = 0;
  return (replace) => {
    if (!replace || bars === 0) bars += 1;
    return bars;
  };
}

/**
 * Remembers a value of each bar. The function takes the value of the current bar and returns that of the bar before it.
 * @param first what it returns on the first bar
 */
export function createPrevious<T>(first: T): (value: T, replace: boolean) => T {
  let previous = first;
  let running = first;
  return (value, replace) => {
    if (!replace) previous = running;
    running = value;
    return previous;
  };
}
