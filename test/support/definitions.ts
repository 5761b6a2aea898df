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

/** Lambert: (typical price − its mean) / (0.015 × mean deviation). */
export function cciOf(bars: readonly TimeframeBar[], length: number): Line {
  const typical = bars.map(({ high, low, close }) => (high + low + close) / 3);
  return typical.map((value, index) => {
    const window = lastOf(typical, index, length);
    if (!window) return null;
    const middle = mean(window);
    const deviation = mean(window.map((one) => Math.abs(one - middle)));
    return deviation === 0 ? null : (value - middle) / (0.015 * deviation);
  });
}

/**
 * Parabolic SAR (0.02, 0.02, 0.2), line by line as the platform's Pine Script reference publishes `ta.sar`; its
 * `result[1]` and the like are the variables themselves, which last from bar to bar.
 */
export function sarOf(bars: readonly TimeframeBar[]): Line {
  let result = Number.NaN;
  let maxMin = Number.NaN;
  let acceleration = Number.NaN;
  let isBelow = false;
  return bars.map((bar, index) => {
    const before = bars[index - 1];
    if (!before) return null;
    let isFirstTrendBar = false;
    if (index === 1) {
      isBelow = bar.close > before.close;
      maxMin = isBelow ? bar.high : bar.low;
      result = isBelow ? before.low : before.high;
      isFirstTrendBar = true;
      acceleration = 0.02;
    }
    result += acceleration * (maxMin - result);
    if (isBelow && result > bar.low) {
      isFirstTrendBar = true;
      isBelow = false;
      result = Math.max(bar.high, maxMin);
      maxMin = bar.low;
      acceleration = 0.02;
    } else if (!isBelow && result < bar.high) {
      isFirstTrendBar = true;
      isBelow = true;
      result = Math.min(bar.low, maxMin);
      maxMin = bar.high;
      acceleration = 0.02;
    }
    if (!isFirstTrendBar && (isBelow ? bar.high > maxMin : bar.low < maxMin)) {
      maxMin = isBelow ? bar.high : bar.low;
      acceleration = Math.min(acceleration + 0.02, 0.2);
    }
    const twoBefore = bars.slice(Math.max(0, index - 2), index);
    result = isBelow
      ? Math.min(result, ...twoBefore.map(({ low }) => low))
      : Math.max(result, ...twoBefore.map(({ high }) => high));
    return result;
  });
}

/** Quong and Soudack: 100 × rising flow / all flow of typical price × volume. Not defined without flow. */
export function moneyFlowOf(bars: readonly TimeframeBar[], length: number): Line {
  const typical = bars.map(({ high, low, close }) => (high + low + close) / 3);
  const flows = bars.map(({ volume }, index) => {
    const move = (typical[index] ?? 0) - (typical[index - 1] ?? Number.NaN);
    return { move: Math.abs(move) < 1e-12 ? 0 : move, flow: (typical[index] ?? 0) * volume };
  });
  return flows.map((_, index) => {
    if (index < length) return null;
    const window = flows.slice(index + 1 - length, index + 1);
    const sum = (side: 1 | -1): number =>
      window.reduce((total, { move, flow }) => total + (Math.sign(move) === side ? flow : 0), 0);
    const all = sum(1) + sum(-1);
    return all === 0 ? null : (100 * sum(1)) / all;
  });
}

/** Chaikin as the platform computes it: a bar without a range has no flow. Not defined when none has one. */
export function chaikinOf(bars: readonly TimeframeBar[], length: number): Line {
  return bars.map((_, index) => {
    const window = index + 1 < length ? [] : bars.slice(index + 1 - length, index + 1);
    if (window.every(({ high, low }) => high === low)) return null;
    const volume = window.reduce((sum, bar) => sum + bar.volume, 0);
    const flow = window.reduce(
      (sum, { high, low, close, volume: own }) =>
        sum + (high === low ? 0 : ((close - low - (high - close)) / (high - low)) * own),
      0,
    );
    return volume === 0 ? null : flow / volume;
  });
}

/** Larry Williams 1976. Not defined when one of its three ranges is nothing. */
export function ultimateOf(bars: readonly TimeframeBar[]): Line {
  return bars.map((_, index) => {
    if (index < 28) return null;
    const average = (length: number): number => {
      let pressure = 0;
      let range = 0;
      for (let at = index + 1 - length; at <= index; at += 1) {
        const bar = bars[at];
        const before = bars[at - 1];
        if (!bar || !before) continue;
        pressure += bar.close - Math.min(bar.low, before.close);
        range += Math.max(bar.high, before.close) - Math.min(bar.low, before.close);
      }
      return pressure / range;
    };
    const value = (100 * (4 * average(7) + 2 * average(14) + average(28))) / 7;
    return Number.isFinite(value) ? value : null;
  });
}

/** Chande: how long ago the extreme of `length` + 1 bars was, the latest of equal ones. Not defined for one price. */
export function aroonOf(bars: readonly TimeframeBar[], length: number): { up: Line; down: Line } {
  const line = (read: (bar: TimeframeBar) => number): Line =>
    bars.map((_, index) => {
      const window = index < length ? [] : bars.slice(index - length, index + 1);
      const highest = Math.max(...window.map(({ high }) => high));
      if (window.length === 0 || highest === Math.min(...window.map(({ low }) => low))) return null;
      const values = window.map(read);
      return (100 * values.lastIndexOf(Math.max(...values))) / length;
    });
  return { up: line(({ high }) => high), down: line(({ low }) => -low) };
}

/** Williams %R. */
export const williamsOf = (bars: readonly TimeframeBar[], length: number): Line =>
  stochasticOf(bars, [length, 1, 1]).k.map((value) => (value === null ? null : value - 100));

/** Hosoda: the middle of the highest high and the lowest low of `length` bars. */
export const middleOf = (bars: readonly TimeframeBar[], length: number): Line =>
  bars.map((_, index) => {
    if (index + 1 < length) return null;
    const window = bars.slice(index + 1 - length, index + 1);
    return (Math.max(...window.map(({ high }) => high)) + Math.min(...window.map(({ low }) => low))) / 2;
  });
