import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';

type Put = (output: number, value: number | null) => void;

/** A computation with one result. @param step returns the result after a bar; null while there is none */
export function single(cells: Cells, step: (bar: TimeframeBar, replace: boolean) => number | null): Calc {
  const out = cells.take(1, Number.NaN);
  return {
    out,
    update: (bar, replace) => cells.set(out, step(bar, replace) ?? Number.NaN),
  };
}

/** A computation with several results. A result stays unless `step` replaces it. */
export function several(
  cells: Cells,
  outputs: number,
  step: (bar: TimeframeBar, replace: boolean, put: Put) => void,
): Calc {
  const out = cells.take(outputs, Number.NaN);
  const put: Put = (output, value) => cells.set(out + output, value ?? Number.NaN);
  return { out, update: (bar, replace) => step(bar, replace, put) };
}

const ROUNDING = 1e-9;

/** `a` − `b`; 0 if they differ only by a rounding error. */
export function difference(a: number, b: number): number {
  const exact = a - b;
  return Math.abs(exact) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : exact;
}

/** `part` / `range`, with `range` a price move. NaN if the range is only a rounding error. */
export const shareOf = (part: number, range: number, price: number): number =>
  range <= ROUNDING * Math.abs(price) ? Number.NaN : part / range;

export const typicalPrice = ({ high, low, close }: TimeframeBar): number => (high + low + close) / 3;

/** @param previousClose NaN for the first bar */
export const trueRange = ({ high, low }: TimeframeBar, previousClose: number): number =>
  Number.isNaN(previousClose)
    ? high - low
    : Math.max(high - low, Math.abs(high - previousClose), Math.abs(low - previousClose));

/** Counts bars, because an average is meaningful only after some of them. */
export class Counter {
  private readonly bars: number;
  constructor(private readonly cells: Cells) {
    this.bars = cells.take(1);
  }

  update(replace: boolean): number {
    const { cells, bars } = this;
    if (!replace || cells.get(bars) === 0) cells.set(bars, cells.get(bars) + 1);
    return cells.get(bars);
  }
}

export class Previous {
  private readonly previous: number;
  private readonly running: number;
  constructor(private readonly cells: Cells) {
    this.previous = cells.take(1, Number.NaN);
    this.running = cells.take(1, Number.NaN);
  }

  update(value: number, replace: boolean): number {
    const { cells, previous, running } = this;
    if (!replace) cells.set(previous, cells.get(running));
    cells.set(running, value);
    return cells.get(previous);
  }

  /** @returns `value`, or the value of the last bar if it is NaN */
  orPrevious(value: number, replace: boolean): number {
    const before = this.update(value, replace);
    if (!Number.isNaN(value)) return value;
    this.cells.set(this.running, before);
    return before;
  }
}

export type PreviousFigures = Pick<TimeframeBar, 'open' | 'high' | 'low' | 'close' | 'volume'>;

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

  update(bar: TimeframeBar, replace: boolean): PreviousFigures | null {
    const open = this.open.update(bar.open, replace);
    const high = this.high.update(bar.high, replace);
    const low = this.low.update(bar.low, replace);
    const close = this.close.update(bar.close, replace);
    const volume = this.volume.update(bar.volume, replace);
    return Number.isNaN(close) ? null : { open, high, low, close, volume };
  }
}
