/** The last values of a series, the running one replaceable. */
export type Window = {
  push(value: number, replace: boolean): void;
  /** How many values there are, at most its length. */
  count(): number;
  isFull(): boolean;
  max(): number;
  min(): number;
  sum(): number;
  /** `back` 0 is the newest. NaN when there is none. */
  at(back: number): number;
};

/** A ring of the last `length` numbers. Its sums are made anew each time, so that no rounding error grows. */
export const createWindow = (length: number): Window => {
  const values = new Float64Array(length);
  let count = 0;
  let last = -1;
  const fold = (start: number, step: (a: number, b: number) => number): number => {
    let result = start;
    for (let index = 0; index < count; index += 1) result = step(result, values[index] ?? 0);
    return result;
  };
  return {
    push(value, replace) {
      if (!replace || count === 0) {
        last = (last + 1) % length;
        if (count < length) count += 1;
      }
      values[last] = value;
    },
    count: () => count,
    isFull: () => count === length,
    max: () => fold(Number.NEGATIVE_INFINITY, (a, b) => (b > a ? b : a)),
    min: () => fold(Number.POSITIVE_INFINITY, (a, b) => (b < a ? b : a)),
    sum: () => fold(0, (a, b) => a + b),
    at: (back) => (back < count ? (values[(last - back + length) % length] ?? Number.NaN) : Number.NaN),
  };
};
