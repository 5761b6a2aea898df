/** The last `length` numbers. Sums are computed anew each time, so that no rounding error accumulates. */
export class Window {
  private readonly values: Float64Array;
  private count = 0;
  private last = -1;
  constructor(length: number) {
    this.values = new Float64Array(length);
  }

  /** Appends a value, or replaces the newest one. */
  push(value: number, replace: boolean): void {
    const { length } = this.values;
    if (!replace || this.count === 0) {
      this.last = this.last + 1 === length ? 0 : this.last + 1;
      if (this.count < length) this.count += 1;
    }
    this.values[this.last] = value;
  }

  isFull(): boolean {
    return this.count === this.values.length;
  }

  max(): number {
    let result = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.count; index += 1) result = Math.max(result, this.values[index] ?? 0);
    return result;
  }

  min(): number {
    let result = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.count; index += 1) result = Math.min(result, this.values[index] ?? 0);
    return result;
  }

  sum(): number {
    let result = 0;
    for (let index = 0; index < this.count; index += 1) result += this.values[index] ?? 0;
    return result;
  }

  /** Sum of the squared distances from a mean. */
  squares(mean: number): number {
    let result = 0;
    for (let index = 0; index < this.count; index += 1) {
      const difference = (this.values[index] ?? 0) - mean;
      result += difference * difference;
    }
    return result;
  }
}
