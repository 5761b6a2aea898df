import type { Bar } from '../../domain/market/bar.ts';

/**
 * A bar of any timeframe; `day` is the day number of its first day in Sydney, so that bars of one trading session have
 * the same. Never changed once made: formulas keep references to it.
 */
export type TimeframeBar = Readonly<Bar> & { readonly day: number };

/**
 * A running computation over one stock's bars.
 * `update(bar, false)` takes the next bar; `update(bar, true)` replaces the last one, as often as the running bar changes.
 * Afterwards `out` holds the results; a result that does not exist (yet), like 0 / 0, is null or not finite.
 */
export type Calc = {
  update(bar: TimeframeBar, replace: boolean): void;
  readonly out: readonly (number | null)[];
};

/** How a family's value is computed: which computation, and which of its results. */
export type Formula = {
  /** Computations with the same id are the same and shared by all their outputs. */
  id: string;
  /** Index into `out`. */
  output: number;
  make(): Calc;
  /** Whether a change of volume alone can change the value. */
  usesVolume: boolean;
};
