/** The last values of a series. */
export type Window = {
  /** Appends a value, or replaces the newest one. */
  push(value: number, replace: boolean): void;
  /** How many values there are, at most its length. */
  count(): number;
  isFull(): boolean;
  max(): number;
  min(): number;
  sum(): number;
  /** Sum of the squared distances from a mean. */
  squares(mean: number): number;
  /** `back` 0 is the newest. NaN when there is none. */
  at(back: number): number;
};

/** The last `length` numbers. Sums are computed anew each time, so that no rounding error accumulates. */
export function createWindow(length: number): Window {
  const values = new Float64Array(length);
  let count = 0;
  let last = -1;
  return {
    push(value, replace) {
      if (!replace || count === 0) {
        last = last + 1 === length ? 0 : last + 1;
        if (count < length) count += 1;
      }
      values[last] = value;
    },
    count: () => count,
    isFull: () => count === length,
    max() {
      let result = Number.NEGATIVE_INFINITY;
      for (let index = 0; index < count; index += 1) result = Math.max(result, values[index] ?? 0);
      return result;
    },
    min() {
      let result = Number.POSITIVE_INFINITY;
      for (let index = 0; index < count; index += 1) result = Math.min(result, values[index] ?? 0);
      return result;
    },
    sum() {
      let result = 0;
      for (let index = 0; index < count; index += 1) result += values[index] ?? 0;
      return result;
    },
    squares(mean) {
      let result = 0;
      for (let index = 0; index < count; index += 1) {
        const difference = (values[index] ?? 0) - mean;
        result += difference * difference;
      }
      return result;
    },
    at: (back) => (back < count ? (values[(last - back + length) % length] ?? Number.NaN) : Number.NaN),
  };
}
