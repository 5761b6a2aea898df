import type { TimeframeBar } from '../../src/market/indicators/types.ts';

/**
 * The published definitions, written out for a whole history at once and as plainly as they stand in the books; slow on
 * purpose, and without a line of the product. Null where a value is not defined yet.
 */
export type Line = (number | null)[];

const closes = (bars: readonly TimeframeBar[]): number[] => bars.map((bar) => bar.close);
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const lastOf = (values: readonly number[], index: number, length: number): number[] | null =>
  index + 1 < length ? null : values.slice(index + 1 - length, index + 1);

export const smaOf = (values: readonly number[], length: number): Line =>
  values.map((_, index) => {
    const window = lastOf(values, index, length);
    return window && mean(window);
  });

/** Weights 2 / (n + 1), begun with the first value; told from the nth on. */
export function emaOf(values: readonly number[], length: number): Line {
  const line: number[] = [];
  for (const value of values) {
    const before = line.at(-1) ?? value;
    line.push(before + (2 / (length + 1)) * (value - before));
  }
  return line.map((value, index) => (index + 1 < length ? null : value));
}

/** Wilder 1978: the first is the mean of n, then (before × (n − 1) + value) / n. Nulls at the start are passed over. */
export function wilderOf(values: Line, length: number): Line {
  const first = values.findIndex((value) => value !== null);
  let before: number | null = null;
  return values.map((value, index) => {
    if (value === null || index < first + length - 1) return null;
    const window = values.slice(first, index + 1) as number[];
    before = before === null ? mean(window) : (before * (length - 1) + value) / length;
    return before;
  });
}

export function rsiOf(bars: readonly TimeframeBar[], length: number): Line {
  const close = closes(bars);
  const moves = close.map((value, index) => (index === 0 ? null : value - (close[index - 1] ?? 0)));
  const up = wilderOf(
    moves.map((move) => (move === null ? null : Math.max(move, 0))),
    length,
  );
  const down = wilderOf(
    moves.map((move) => (move === null ? null : Math.max(-move, 0))),
    length,
  );
  return up.map((gain, index) => {
    const loss = down[index];
    if (gain === null || loss === null || loss === undefined) return null;
    if (gain + loss === 0) return null;
    return loss === 0 ? 100 : 100 - 100 / (1 + gain / loss);
  });
}

export function macdOf(bars: readonly TimeframeBar[]): { macd: Line; signal: Line; hist: Line } {
  const close = closes(bars);
  const fast = emaOf(close, 12);
  const slow = emaOf(close, 26);
  const macd = slow.map((value, index) => (value === null ? null : (fast[index] ?? 0) - value));
  const known = macd.filter((value) => value !== null);
  const smooth = emaOf(known, 9);
  const missing = macd.length - known.length;
  const signal = macd.map((_, index) => (index < missing ? null : (smooth[index - missing] ?? null)));
  const hist = macd.map((value, index) => {
    const line = signal[index] ?? null;
    return value === null || line === null ? null : value - line;
  });
  return { macd, signal, hist };
}

export const trueRanges = (bars: readonly TimeframeBar[]): number[] =>
  bars.map(({ high, low }, index) => {
    const before = bars[index - 1]?.close;
    if (before === undefined) return high - low;
    return Math.max(high, before) - Math.min(low, before);
  });

/** Bollinger: two population standard deviations around the mean. */
export function bandsOf(
  bars: readonly TimeframeBar[],
  length: number,
): { upper: Line; basis: Line; lower: Line } {
  const close = closes(bars);
  const basis = smaOf(close, length);
  const band = (side: 1 | -1): Line =>
    basis.map((middle, index) => {
      const window = lastOf(close, index, length);
      if (middle === null || !window) return null;
      return middle + side * 2 * Math.sqrt(mean(window.map((value) => (value - middle) ** 2)));
    });
  return { upper: band(1), basis, lower: band(-1) };
}

/** Lane: %K of `length` smoothed by `slow`, %D its mean of `signal`. Not defined over a range of 0. */
export function stochasticOf(
  bars: readonly TimeframeBar[],
  [length, slow, signal]: readonly [number, number, number],
): { k: Line; d: Line } {
  const fast = bars.map(({ close }, index) => {
    if (index + 1 < length) return null;
    const window = bars.slice(index + 1 - length, index + 1);
    const high = Math.max(...window.map((bar) => bar.high));
    const low = Math.min(...window.map((bar) => bar.low));
    return high === low ? null : (100 * (close - low)) / (high - low);
  });
  const smooth = (line: Line, count: number): Line =>
    line.map((_, index) => {
      const window = index + 1 < count ? [null] : line.slice(index + 1 - count, index + 1);
      return window.every((value) => value !== null) ? mean(window) : null;
    });
  const k = smooth(fast, slow);
  return { k, d: smooth(k, signal) };
}

/** Wilder's directional movement: +DI, −DI, ADX. */
export function directionalOf(
  bars: readonly TimeframeBar[],
  length: number,
): { adx: Line; plus: Line; minus: Line } {
  const move = (side: 'up' | 'down'): Line =>
    bars.map(({ high, low }, index) => {
      const before = bars[index - 1];
      if (!before) return null;
      const up = high - before.high;
      const down = before.low - low;
      const [own, other] = side === 'up' ? [up, down] : [down, up];
      return own > other && own > 0 ? own : 0;
    });
  const ranges = wilderOf(
    trueRanges(bars).map((range, index) => (index === 0 ? null : range)),
    length,
  );
  const line = (moves: Line): Line =>
    wilderOf(moves, length).map((moved, index) => {
      const range = ranges[index];
      return moved === null || !range ? null : (100 * moved) / range;
    });
  const plus = line(move('up'));
  const minus = line(move('down'));
  const index = plus.map((up, at) => {
    const down = minus[at];
    if (up === null || down === null || down === undefined) return null;
    return up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down);
  });
  return { adx: wilderOf(index, length), plus, minus };
}
