import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { single } from './make.ts';
import { Window } from './window.ts';

/** The bar's volume over the mean of the ten before it. */
export function relativeVolume(cells: Cells): Calc {
  const volumes = new Window(cells, 11);
  return single(cells, ({ volume }, replace) => {
    volumes.push(volume, replace);
    return volumes.isFull() ? volume / ((volumes.sum() - volume) / 10) : null;
  });
}
