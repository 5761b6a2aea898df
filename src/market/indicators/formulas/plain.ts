import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { PreviousBar, type PreviousFigures, single } from './make.ts';
import { BarWindow } from './window.ts';

/** A price or the volume of the bar itself. */
export const ofBar = (cells: Cells, read: (bar: TimeframeBar) => number): Calc =>
  single(cells, (bar) => read(bar));

/** A figure of a bar and the one before it; null on the first bar. */
export function ofPair(cells: Cells, read: (bar: TimeframeBar, previous: PreviousFigures) => number): Calc {
  const previousBar = new PreviousBar(cells);
  return single(cells, (bar, replace) => {
    const previous = previousBar.update(bar, replace);
    return previous ? read(bar, previous) : null;
  });
}

/** Mean volume of `length` bars, the running one included. */
export function averageVolume(cells: Cells, length: number): Calc {
  const volumes = new BarWindow(cells, 'volume', length);
  return single(cells, (bar, replace) => {
    volumes.take(bar, replace);
    return volumes.isFull() ? volumes.sum() / length : null;
  });
}
