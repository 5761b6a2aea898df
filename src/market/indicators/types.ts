import type { Needs, Cells } from './formulas/cells.ts';
import type { Bar } from '../bars/rules/bars.ts';

/**
 * `day` is the day number of its first day in Sydney, equal for bars of one session. Immutable, because
 * formulas keep references. Unknown figures are NaN; the close is always known.
 */
export type TimeframeBar = Readonly<Bar> & { readonly day: number };

/**
 * A computation over bars, shared by all stocks; a stock's state is in the current cells. `update(bar,
 * false)` takes the next bar; `update(bar, true)` replaces the last one. Afterwards the cells from `out` on
 * have the results; a missing one, like 0 / 0, is not finite.
 */
export type Calc = {
  update(bar: TimeframeBar, replace: boolean): void;
  readonly out: number;
};

export type Formula = {
  id: string;
  output: number;
  make(cells: Cells): Calc;
  usesVolume: boolean;
  needs: Needs;
};
