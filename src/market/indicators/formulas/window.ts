import type { Cells } from './cells.ts';

/** The last `length` numbers. Sums are computed again each time, so that no rounding error accumulates. */
export class Window {
  private readonly first: number;
  private readonly count: number;
  /** The place of the newest number, from 0. */
  private readonly last: number;
  constructor(
    private readonly cells: Cells,
    private readonly length: number,
  ) {
    this.first = cells.take(length);
    this.count = cells.take(1);
    this.last = cells.take(1, -1);
  }

  /** Appends a value, or replaces the newest one. */
  push(value: number, replace: boolean): void {
    const { cells, length } = this;
    const count = cells.get(this.count);
    let last = cells.get(this.last);
    if (!replace || count === 0) {
      last = last + 1 === length ? 0 : last + 1;
      cells.set(this.last, last);
      if (count < length) cells.set(this.count, count + 1);
    }
    cells.set(this.first + last, value);
  }

  isFull(): boolean {
    return this.cells.get(this.count) === this.length;
  }

  max(): number {
    const { cells, first } = this;
    const end = first + cells.get(this.count);
    let result = Number.NEGATIVE_INFINITY;
    for (let index = first; index < end; index += 1) result = Math.max(result, cells.get(index));
    return result;
  }

  min(): number {
    const { cells, first } = this;
    const end = first + cells.get(this.count);
    let result = Number.POSITIVE_INFINITY;
    for (let index = first; index < end; index += 1) result = Math.min(result, cells.get(index));
    return result;
  }

  sum(): number {
    const { cells, first } = this;
    const end = first + cells.get(this.count);
    let result = 0;
    for (let index = first; index < end; index += 1) result += cells.get(index);
    return result;
  }

  /** Sum of the squared distances from a mean. */
  squares(mean: number): number {
    const { cells, first } = this;
    const end = first + cells.get(this.count);
    let result = 0;
    for (let index = first; index < end; index += 1) {
      const difference = cells.get(index) - mean;
      result += difference * difference;
    }
    return result;
  }
}
