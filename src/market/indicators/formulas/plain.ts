import type { TimeframeBar, Calc } from '../types.ts';
import { Previous, single } from './make.ts';
import { Window } from './window.ts';

/** A price or the volume of the bar itself. */
export const ofBar = (read: (bar: TimeframeBar) => number): Calc => single((bar) => read(bar));

/** A figure of a bar and the one before it; null on the first bar. */
export function ofPair(read: (bar: TimeframeBar, previous: TimeframeBar) => number): Calc {
  const previousBar = new Previous<TimeframeBar | null>(null);
  return single((bar, replace) => {
    const previous = previousBar.update(bar, replace);
    return previous ? read(bar, previous) : null;
  });
}

/** Mean volume of `length` bars, the running one included. */
export function averageVolume(length: number): Calc {
  const volumes = new Window(length);
  return single(({ volume }, replace) => {
    volumes.push(volume, replace);
    return volumes.isFull() ? volumes.sum() / length : null;
  });
}

/** The bar's volume over the mean of the ten before it. */
export function relativeVolume(): Calc {
  const volumes = new Window(11);
  return single(({ volume }, replace) => {
    volumes.push(volume, replace);
    return volumes.isFull() ? volume / ((volumes.sum() - volume) / 10) : null;
  });
}
