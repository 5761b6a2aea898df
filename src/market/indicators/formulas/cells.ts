/** Figures required in addition to the close. Rules that handle unknown figures use `none` too. */
export type Needs = 'none' | 'range' | 'volume';

const NONE = new Float64Array(0);

/**
 * The numbers of a stock's computations. Computations are shared by all stocks: before an update, `values` is
 * set to the stock's numbers. A stock thus costs one packed array; as objects, 2,000 stocks would take half a
 * million.
 */
export class Cells {
  values: Float64Array = NONE;
  /** Requirement of the computation being built: those with different requirements share nothing. */
  needs: Needs = 'none';
  private readonly initial: number[] = [];
  private readonly made = new Map<string, unknown>();
  private readonly waiting: (() => void)[] = [];

  take(count: number, initial = 0): number {
    const first = this.initial.length;
    for (let index = 0; index < count; index += 1) this.initial.push(initial);
    return first;
  }

  shared<T>(name: string, make: () => T): T {
    const key = `${name}:${this.needs}`;
    const known = this.made.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.made.set(key, made);
    return made;
  }

  whenAllAreKnown(reserve: () => void): void {
    this.waiting.push(reserve);
  }

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

  /** Keeps an object per stock, as for the parabolic SAR. @returns the current stock's object */
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
