import type { Needs } from '../types.ts';

const NONE = new Float64Array(0);

/**
 * The numbers that computations keep of one stock. Computations are made once for all stocks and hold no number
 * themselves: before they are updated, `values` is set to the numbers of the stock at hand. So a stock costs one packed
 * array and no objects; what is computed for a market of 2,000 stocks was half a million objects otherwise.
 */
export class Cells {
  /** Those of the stock at hand, made by `fresh`. */
  values: Float64Array = NONE;
  /** What the computation that is being made can't do without: those that leave out other bars share nothing with it. */
  needs: Needs = 'none';
  private readonly initial: number[] = [];
  private readonly made = new Map<string, unknown>();
  private readonly waiting: (() => void)[] = [];

  /** Reserves this many numbers in a row, all with a value to begin with. @returns the index of the first one */
  take(count: number, initial = 0): number {
    const first = this.initial.length;
    for (let index = 0; index < count; index += 1) this.initial.push(initial);
    return first;
  }

  /** What several computations share, made by the first of them. @param name means the same to all */
  shared<T>(name: string, make: () => T): T {
    const key = `${name}:${this.needs}`;
    const known = this.made.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.made.set(key, made);
    return made;
  }

  /** Reserves something of which it is known only at the end how large it is. */
  whenAllAreKnown(reserve: () => void): void {
    this.waiting.push(reserve);
  }

  /** The numbers of a stock that has not had a bar yet. To be called when all are reserved. */
  fresh(): Float64Array {
    for (const reserve of this.waiting.splice(0)) reserve();
    return Float64Array.from(this.initial);
  }

  get(index: number): number {
    return this.values[index] ?? Number.NaN;
  }

  set(index: number, value: number): void {
    this.values[index] = value;
  }

  /**
   * For a computation that is an object of its own for each stock, as the parabolic SAR is.
   * @returns a function that gives the object of the stock at hand
   */
  keep<T>(make: () => T): () => T {
    const kept = new WeakMap<Float64Array, T>();
    return () => {
      const existing = kept.get(this.values);
      if (existing !== undefined) return existing;
      const made = make();
      kept.set(this.values, made);
      return made;
    };
  }
}
