import type { Cells } from './cells.ts';
import { Window } from './window.ts';

/** Wilder's smoothing (Pine's `rma`): the mean of `length` values, then last + (value − last) / length. */
export class Wilder {
  private readonly count: number;
  /** The sum of the finished values before the seed, later the last finished average. */
  private readonly finished: number;
  private readonly running: number;
  constructor(
    private readonly cells: Cells,
    private readonly length: number,
  ) {
    this.count = cells.take(1);
    this.finished = cells.take(1);
    this.running = cells.take(1);
  }

  update(value: number, replace: boolean): number | null {
    const { cells, length } = this;
    if (!replace || cells.get(this.count) === 0) {
      cells.set(this.count, cells.get(this.count) + 1);
      cells.set(this.finished, cells.get(this.running));
    }
    const count = cells.get(this.count);
    const finished = cells.get(this.finished);
    let running: number;
    if (count < length) running = finished + value;
    else if (count === length) running = (finished + value) / length;
    else running = finished + (value - finished) / length;
    cells.set(this.running, running);
    return count < length ? null : running;
  }
}

/** Exponential smoothing with weight 2 / (length + 1) from the first value. Callers count the values. */
export class Exponential {
  private readonly weight: number;
  private readonly finished: number;
  private readonly running: number;
  constructor(
    private readonly cells: Cells,
    length: number,
  ) {
    this.weight = 2 / (length + 1);
    this.finished = cells.take(1, Number.NaN);
    this.running = cells.take(1, Number.NaN);
  }

  update(value: number, replace: boolean): number {
    const { cells, weight } = this;
    if (!replace) cells.set(this.finished, cells.get(this.running));
    const finished = cells.get(this.finished);
    const running = Number.isNaN(finished) ? value : value * weight + finished * (1 - weight);
    cells.set(this.running, running);
    return running;
  }
}

export class Mean {
  private readonly values: Window;
  constructor(
    cells: Cells,
    private readonly length: number,
  ) {
    this.values = new Window(cells, length);
  }

  update(value: number, replace: boolean): number | null {
    this.values.push(value, replace);
    return this.values.isFull() ? this.values.sum() / this.length : null;
  }
}
