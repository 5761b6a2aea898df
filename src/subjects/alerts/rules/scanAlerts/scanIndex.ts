import { sideOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Comparison } from '../program.ts';

/**
 * Watches one compared value: a column, or the order of two columns. It stores each stock's last value, so that a scan
 * is evaluated again only if the value moved across one of the levels that scans compare with.
 */
class Estimate {
  /** Levels in ascending order without duplicates, each with its scans, one entry per comparison. */
  private readonly levels: number[] = [];
  private readonly scans: number[][] = [];
  /** Last value by stock; NaN if unknown. */
  private now: Float64Array = new Float64Array(0);
  /** Each stock's position among the levels, and the version of the levels that the position refers to. */
  private places: Int32Array = new Int32Array(0);
  private placedIn: Int32Array = new Int32Array(0);
  private version = 1;
  /** The last known sides of crossings, by stock. */
  private knownLeft: Float64Array = new Float64Array(0);
  private knownRight: Float64Array = new Float64Array(0);

  constructor(
    readonly left: number,
    readonly right: number | null,
    stocks: number,
  ) {
    this.grow(stocks);
  }

  grow(stocks: number): void {
    this.now = grown(this.now, stocks);
    this.places = grownPlaces(this.places, stocks);
    this.placedIn = grownPlaces(this.placedIn, stocks);
    this.knownLeft = grown(this.knownLeft, stocks);
    this.knownRight = grown(this.knownRight, stocks);
  }

  add(level: number, scan: number): void {
    const index = this.indexOf(level);
    const same = this.levels[index] === level ? this.scans[index] : undefined;
    if (same) same.push(scan);
    else {
      this.levels.splice(index, 0, level);
      this.scans.splice(index, 0, [scan]);
      this.version += 1;
    }
  }

  /** @returns whether no scan compares with this value any more */
  remove(level: number, scan: number): boolean {
    const index = this.levels.indexOf(level);
    const scans = this.scans[index];
    if (!scans) return this.levels.length === 0;
    scans.splice(scans.indexOf(scan), 1);
    if (scans.length === 0) {
      this.levels.splice(index, 1);
      this.scans.splice(index, 1);
      this.version += 1;
    }
    return this.levels.length === 0;
  }

  /** Marks the scans whose result may have changed. @param values of the columns */
  evaluate(stock: number, values: Float64Array, mark: (scan: number) => void): void {
    const before = this.now[stock] ?? Number.NaN;
    const now = this.valueOf(values);
    if (now === before) return;
    const isKnown = now === now;
    if (!isKnown && before !== before) return;
    this.now[stock] = now;
    const { levels } = this;
    let from = 0;
    let to = levels.length - 1;
    if (isKnown && before === before) {
      const a = this.placedIn[stock] === this.version ? (this.places[stock] ?? 0) : this.position(before);
      if (this.isAt(now, a)) return;
      const b = this.position(now);
      this.places[stock] = b;
      this.placedIn[stock] = this.version;
      if (a === b) return;
      from = Math.min(a, b) >> 1;
      to = (Math.max(a, b) - 1) >> 1;
      // Levels that count as equal share one position.
      while (from > 0 && isSame(levels[from - 1], levels[from])) from -= 1;
      while (to + 1 < levels.length && isSame(levels[to], levels[to + 1])) to += 1;
    }
    for (let index = from; index <= to; index += 1) {
      const scans = this.scans[index] ?? [];
      for (let place = 0; place < scans.length; place += 1) mark(scans[place] ?? 0);
    }
  }

  /** Stores the known sides after the scans were evaluated. */
  note(stock: number, values: Float64Array): void {
    const left = values[this.left] ?? Number.NaN;
    const right = this.right === null ? 0 : (values[this.right] ?? Number.NaN);
    if (left !== left || right !== right) return;
    this.knownLeft[stock] = left;
    this.knownRight[stock] = right;
  }

  before(stock: number): { left: number; right: number } {
    return {
      left: this.knownLeft[stock] ?? Number.NaN,
      right: this.knownRight[stock] ?? Number.NaN,
    };
  }

  forget(stock: number): void {
    this.now[stock] = Number.NaN;
    this.knownLeft[stock] = Number.NaN;
    this.knownRight[stock] = Number.NaN;
  }

  private valueOf(values: Float64Array): number {
    const left = values[this.left] ?? Number.NaN;
    if (this.right === null) return left;
    const right = values[this.right] ?? Number.NaN;
    return left !== left || right !== right ? Number.NaN : sideOf(left, right);
  }

  /** A value's position: 2i between the levels i − 1 and i, 2i + 1 at level i. */
  private position(value: number): number {
    const index = this.indexOf(value);
    const level = this.levels[index];
    return level !== undefined && sideOf(value, level) === 0 ? 2 * index + 1 : 2 * index;
  }

  private isAt(value: number, place: number): boolean {
    if ((place & 1) === 1) return false;
    const { levels } = this;
    const index = place >> 1;
    const below = levels[index - 1];
    const above = levels[index];
    return (
      (below === undefined || sideOf(value, below) > 0) && (above === undefined || sideOf(value, above) < 0)
    );
  }

  /** Index of the first level that is not below the value. */
  private indexOf(value: number): number {
    let from = 0;
    let to = this.levels.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sideOf(value, this.levels[middle] ?? 0) > 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const isSame = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && sideOf(one, other) === 0;

function grown(before: Float64Array, size: number): Float64Array {
  const array = new Float64Array(size).fill(Number.NaN);
  array.set(before);
  return array;
}

function grownPlaces(before: Int32Array, size: number): Int32Array {
  const array = new Int32Array(size);
  array.set(before);
  return array;
}

const gaugeKey = ({ left, right }: Comparison): string => `${left} ${right ?? ''}`;
/** The compared level. For two columns only their order counts, so it is 0. */
const levelOf = ({ right, level }: Comparison): number => (right === null ? level : 0);

/** Watches every value that scans compare, with one object each. Scans and stocks have small integer ids. */
export class ScanIndex {
  private readonly estimates = new Map<string, Estimate>();
  private stocks = 0;

  add(scan: number, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const key = gaugeKey(comparison);
      const estimate =
        this.estimates.get(key) ?? new Estimate(comparison.left, comparison.right, this.stocks);
      this.estimates.set(key, estimate);
      estimate.add(levelOf(comparison), scan);
    }
  }

  remove(scan: number, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const key = gaugeKey(comparison);
      if (this.estimates.get(key)?.remove(levelOf(comparison), scan)) this.estimates.delete(key);
    }
  }

  grow(stocks: number): void {
    this.stocks = stocks;
    for (const estimate of this.estimates.values()) estimate.grow(stocks);
  }

  /** Marks each scan that must be evaluated again because a value of the stock changed. */
  evaluate(stock: number, values: Float64Array, mark: (scan: number) => void): void {
    for (const estimate of this.estimates.values()) estimate.evaluate(stock, values, mark);
  }

  /** Stores the values that crossings compare with at the next evaluation. */
  note(stock: number, values: Float64Array): void {
    for (const estimate of this.estimates.values()) estimate.note(stock, values);
  }

  /** The last known sides of a comparison; NaN if there are none. */
  before(stock: number, comparison: Comparison): { left: number; right: number } {
    const known = this.estimates.get(gaugeKey(comparison))?.before(stock);
    if (!known) return { left: Number.NaN, right: Number.NaN };
    return comparison.right === null ? { ...known, right: comparison.level } : known;
  }

  forget(stock: number): void {
    for (const estimate of this.estimates.values()) estimate.forget(stock);
  }
}
