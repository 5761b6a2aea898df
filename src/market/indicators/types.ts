import type { Bar } from '../bars/rules/bars.ts';
import type { Cells } from './formulas/cells.ts';

/**
 * A bar of any timeframe; `day` is the day number of its first day in Sydney, so that bars of one trading session have
 * the same. Never changed once made: formulas keep references to it. Unknown figures are NaN; the close is always known.
 */
export type TimeframeBar = Readonly<Bar> & { readonly day: number };

/**
 * A computation over bars, made once for all stocks; what it keeps of a stock are the cells at hand.
 * `update(bar, false)` takes the next bar; `update(bar, true)` replaces the last one, as often as the running bar changes.
 * Afterwards the cells from `out` on hold the results; one that does not exist (yet), like 0 / 0, is not finite.
 */
export type Calc = {
  update(bar: TimeframeBar, replace: boolean): void;
  readonly out: number;
};

/** How a family's value is computed: which computation, and which of its results. */
export type Formula = {
  /** Computations with the same id are the same and shared by all their outputs. */
  id: string;
  /** Which of the results, from 0. */
  output: number;
  make(cells: Cells): Calc;
  /** Whether a change of volume alone can change the value. */
  usesVolume: boolean;
  /** What it can't do without: it leaves out bars of which that is unknown (NaN). */
  needs: Needs;
};

/** Figures of a bar besides its close. `none` also for what only reads the bar itself: unknown figures give an unknown value. */
export type Needs = 'none' | 'range' | 'volume';
