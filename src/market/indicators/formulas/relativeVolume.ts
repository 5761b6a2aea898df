import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { single } from './make.ts';
import { BarWindow } from './window.ts';

/** The bar's volume over the mean of the ten before it. */
export function relativeVolume(cells: Cells): Calc {
  const volumes = new BarWindow(cells, 'volume', 11);
  return single(cells, (bar, replace) => {
    const { volume } = bar;
    volumes.take(bar, replace);
    return volumes.isFull() ? volume / ((volumes.sum() - volume) / 10) : null;
  });
}
