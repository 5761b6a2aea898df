import type { TimeframeBar } from '../types.ts';
import type { Cells } from './cells.ts';

/** The last numbers of a series. Windows of different lengths share one. */
class Ring {
  private first = 0;
  private length = 0;
  private readonly count: number;
  private readonly newest: number;
  constructor(private readonly cells: Cells) {
    this.count = cells.take(1);
    this.newest = cells.take(1, -1);
    cells.whenAllAreKnown(() => void (this.first = cells.take(this.length)));
  }

  lengthen(length: number): void {
    this.length = Math.max(this.length, length);
  }

  push(value: number, replace: boolean): void {
    const { cells, length } = this;
    const count = cells.get(this.count);
    let newest = cells.get(this.newest);
    if (!replace || count === 0) {
      newest = newest + 1 === length ? 0 : newest + 1;
      cells.set(this.newest, newest);
      if (count < length) cells.set(this.count, count + 1);
    }
    cells.set(this.first + newest, value);
  }

  size(): number {
    return this.cells.get(this.count);
  }

  end(): number {
    return this.first + this.cells.get(this.newest);
  }

  before(place: number): number {
    return place === this.first ? place + this.length - 1 : place - 1;
  }

  at(back: number): number {
    const place = this.cells.get(this.newest) - back;
    return this.cells.get(this.first + (place < 0 ? place + this.length : place));
  }
}

/** The last `length` numbers. Sums are computed again each time, so no rounding error accumulates. */
export class Window {
  constructor(
    private readonly cells: Cells,
    private readonly length: number,
    private readonly ring = new Ring(cells),
  ) {
    ring.lengthen(length);
  }

  push(value: number, replace: boolean): void {
    this.ring.push(value, replace);
  }

  isFull(): boolean {
    return this.ring.size() >= this.length;
  }

  size(): number {
    return Math.min(this.length, this.ring.size());
  }

  /** @param back 0 for the newest */
  at(back: number): number {
    return this.ring.at(back);
  }

  oldest(): number {
    return this.ring.at(this.size() - 1);
  }

  max(bars = this.size()): number {
    let result = Number.NEGATIVE_INFINITY;
    const { values } = this.cells;
    let place = this.ring.end();
    for (let left = bars; left > 0; left -= 1) {
      result = Math.max(result, values[place] ?? Number.NaN);
      place = this.ring.before(place);
    }
    return result;
  }

  min(bars = this.size()): number {
    let result = Number.POSITIVE_INFINITY;
    const { values } = this.cells;
    let place = this.ring.end();
    for (let left = bars; left > 0; left -= 1) {
      result = Math.min(result, values[place] ?? Number.NaN);
      place = this.ring.before(place);
    }
    return result;
  }

  /** How many bars back a value is; the newest of equal ones. −1 if it is missing. */
  placesBack(value: number): number {
    const size = this.size();
    for (let back = 0; back < size; back += 1) if (this.ring.at(back) === value) return back;
    return -1;
  }

  sum(bars = this.size()): number {
    let result = 0;
    const { values } = this.cells;
    let place = this.ring.end();
    for (let left = bars; left > 0; left -= 1) {
      result += values[place] ?? Number.NaN;
      place = this.ring.before(place);
    }
    return result;
  }

  /** The mean with weights from 1 for the oldest to `bars` for the newest. */
  weightedMean(bars: number): number {
    let result = 0;
    for (let back = 0; back < bars; back += 1) result += this.ring.at(back) * (bars - back);
    return result / ((bars * (bars + 1)) / 2);
  }

  squares(mean: number): number {
    let result = 0;
    for (let back = this.size() - 1; back >= 0; back -= 1) result += (this.ring.at(back) - mean) ** 2;
    return result;
  }

  meanDeviation(mean: number): number {
    const size = this.size();
    let result = 0;
    for (let back = 0; back < size; back += 1) result += Math.abs(this.ring.at(back) - mean);
    return result / size;
  }
}

type Figure = 'high' | 'low' | 'close' | 'volume';

class BarRing extends Ring {
  private last: { bar: TimeframeBar; replace: boolean; values: Float64Array } | null = null;
  constructor(
    private readonly ofCells: Cells,
    private readonly figure: Figure,
  ) {
    super(ofCells);
  }

  take(bar: TimeframeBar, replace: boolean): void {
    const { last } = this;
    const { values } = this.ofCells;
    if (last?.bar === bar && last.replace === replace && last.values === values) return;
    this.last = { bar, replace, values };
    this.push(bar[this.figure], replace);
  }
}

/** The last `length` figures, stored once per stock and timeframe for all computations. */
export class BarWindow extends Window {
  private readonly bars: BarRing;
  constructor(cells: Cells, figure: Figure, length: number) {
    const bars = cells.shared(figure, () => new BarRing(cells, figure));
    super(cells, length, bars);
    this.bars = bars;
  }

  take(bar: TimeframeBar, replace: boolean): void {
    this.bars.take(bar, replace);
  }
}
