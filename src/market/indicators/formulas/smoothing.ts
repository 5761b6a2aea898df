/** Smooths a series of numbers, one a bar; null until there were enough of them. */
export type Smoother = (value: number, replace: boolean) => number | null;

/**
 * Wilder's smoothing (TradingView's rma): the mean of the first `length` values, then
 * previous + (value − previous) / length. The library's WSMA has the same results, but averages the last `length` values
 * again at every update.
 */
export function createWilder(length: number): Smoother {
  let count = 0;
  /** Before the seed the sum of the finished values, from it on the last finished average. */
  let finished = 0;
  let running = 0;
  return (value, replace) => {
    if (!replace || count === 0) {
      count += 1;
      finished = running;
    }
    if (count < length) running = finished + value;
    else if (count === length) running = (finished + value) / length;
    else running = finished + (value - finished) / length;
    return count < length ? null : running;
  };
}

/**
 * Exponential smoothing with the weight 2 / (length + 1), begun with the first value.
 * @returns a function that has a value from the first one on; callers that need `length` values count them
 */
export function createExponential(length: number): (value: number, replace: boolean) => number {
  const weight = 2 / (length + 1);
  let isFirst = true;
  let finished = 0;
  let running = 0;
  let isBegun = false;
  return (value, replace) => {
    if (!replace && isBegun) {
      finished = running;
      isFirst = false;
    }
    isBegun = true;
    running = isFirst ? value : value * weight + finished * (1 - weight);
    return running;
  };
}
