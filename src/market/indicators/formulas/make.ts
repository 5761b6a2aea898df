import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';

/** Takes a result; null while there is none. */
type Put = (output: number, value: number | null) => void;

/** A computation with one result. @param step returns the result after a bar; null while there is none */
export function single(cells: Cells, step: (bar: TimeframeBar, replace: boolean) => number | null): Calc {
  const out = cells.take(1, Number.NaN);
  return {
    out,
    update: (bar, replace) => cells.set(out, step(bar, replace) ?? Number.NaN),
  };
}

/** A computation with several results, each of which stays as it was after the last bar unless `step` puts another. */
export function several(
  cells: Cells,
  outputs: number,
  step: (bar: TimeframeBar, replace: boolean, put: Put) => void,
): Calc {
  const out = cells.take(outputs, Number.NaN);
  const put: Put = (output, value) => cells.set(out + output, value ?? Number.NaN);
  return { out, update: (bar, replace) => step(bar, replace, put) };
}

/** Prices and averages carry rounding errors: a difference below this part of them is one. */
const ROUNDING = 1e-9;

/** `a` − `b`; 0 when they differ only by a rounding error. */
export function difference(a: number, b: number): number {
  const exact = a - b;
  return Math.abs(exact) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : exact;
}

/**
 * `part` / `range`, where `range` is what prices moved by. NaN when it is no more than the rounding error of a price: a
 * share of nothing is unknown.
 */
export const shareOf = (part: number, range: number, price: number): number =>
  range <= ROUNDING * Math.abs(price) ? Number.NaN : part / range;

export const typicalPrice = ({ high, low, close }: TimeframeBar): number => (high + low + close) / 3;

/** The range of a bar and the close before it. @param previousClose NaN for the first bar */
export const trueRange = ({ high, low }: TimeframeBar, previousClose: number): number =>
  Number.isNaN(previousClose)
    ? high - low
    : Math.max(high - low, Math.abs(high - previousClose), Math.abs(low - previousClose));

/** Counts bars: an average has a value from its first bar on, but means something only after some more. */
export class Counter {
  private readonly bars: number;
  constructor(private readonly cells: Cells) {
    this.bars = cells.take(1);
  }

  /** @returns how many bars there were */
  update(replace: boolean): number {
    const { cells, bars } = this;
    if (!replace || cells.get(bars) === 0) cells.set(bars, cells.get(bars) + 1);
    return cells.get(bars);
  }
}

/** Remembers a number of each bar. */
export class Previous {
  private readonly previous: number;
  private readonly running: number;
  constructor(private readonly cells: Cells) {
    this.previous = cells.take(1, Number.NaN);
    this.running = cells.take(1, Number.NaN);
  }

  /** Takes the number of the current bar. @returns that of the bar before it; NaN on the first bar */
  update(value: number, replace: boolean): number {
    const { cells, previous, running } = this;
    if (!replace) cells.set(previous, cells.get(running));
    cells.set(running, value);
    return cells.get(previous);
  }

  /** Takes the number of the current bar, or for a NaN that of the bar before it. @returns the number that it took */
  orPrevious(value: number, replace: boolean): number {
    const before = this.update(value, replace);
    if (!Number.isNaN(value)) return value;
    this.cells.set(this.running, before);
    return before;
  }
}

/** The figures of a bar that are compared with the next one's. */
export type PreviousFigures = Pick<TimeframeBar, 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** Remembers each bar. */
export class PreviousBar {
  private readonly open: Previous;
  private readonly high: Previous;
  private readonly low: Previous;
  private readonly close: Previous;
  private readonly volume: Previous;
  constructor(cells: Cells) {
    this.open = new Previous(cells);
    this.high = new Previous(cells);
    this.low = new Previous(cells);
    this.close = new Previous(cells);
    this.volume = new Previous(cells);
  }

  /** Takes the current bar. @returns the one before it; null on the first bar */
  update(bar: TimeframeBar, replace: boolean): PreviousFigures | null {
    const open = this.open.update(bar.open, replace);
    const high = this.high.update(bar.high, replace);
    const low = this.low.update(bar.low, replace);
    const close = this.close.update(bar.close, replace);
    const volume = this.volume.update(bar.volume, replace);
    return Number.isNaN(close) ? null : { open, high, low, close, volume };
  }
}
