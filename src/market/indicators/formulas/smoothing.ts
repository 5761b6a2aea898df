/*
 * There is one of these for every stock, timeframe and value, tens of thousands of them: as objects of a class they take
 * a third of the memory of closures.
 */

/**
 * Wilder's smoothing (TradingView's rma): the mean of the first `length` values, then
 * previous + (value − previous) / length. The library's WSMA has the same results, but averages the last `length` values
 * again at every update.
 */
export class Wilder {
  private count = 0;
  /** Before the seed the sum of the finished values, from it on the last finished average. */
  private finished = 0;
  private running = 0;
  constructor(private readonly length: number) {}

  /** Takes a bar's value. @returns null until there were `length` values */
  update(value: number, replace: boolean): number | null {
    const { length } = this;
    if (!replace || this.count === 0) {
      this.count += 1;
      this.finished = this.running;
    }
    if (this.count < length) this.running = this.finished + value;
    else if (this.count === length) this.running = (this.finished + value) / length;
    else this.running = this.finished + (value - this.finished) / length;
    return this.count < length ? null : this.running;
  }
}

/**
 * Exponential smoothing with the weight 2 / (length + 1), begun with the first value. It has a value from the first one
 * on; callers that need `length` values count them.
 */
export class Exponential {
  private readonly weight: number;
  private isBegun = false;
  private isFirst = true;
  private finished = 0;
  private running = 0;
  constructor(length: number) {
    this.weight = 2 / (length + 1);
  }

  /** Takes a bar's value. */
  update(value: number, replace: boolean): number {
    if (!replace && this.isBegun) {
      this.finished = this.running;
      this.isFirst = false;
    }
    this.isBegun = true;
    const { weight, finished } = this;
    this.running = this.isFirst ? value : value * weight + finished * (1 - weight);
    return this.running;
  }
}
