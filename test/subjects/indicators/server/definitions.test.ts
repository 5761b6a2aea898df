import { describe, expect, test } from 'bun:test';
import { type DatedBar, eodBars, formula, runFormula } from '#support/bars.ts';
import { recordings } from '#support/recordedScan.ts';
import type { TimeframeBar } from '#market/indicators/types.ts';

/**
 * The published definitions, written for a whole history at once and as plainly as in the books; slow on purpose, and
 * independent of the product's code. Null if a value is not defined yet.
 */
type Line = (number | null)[];

const closes = (bars: readonly TimeframeBar[]): number[] => bars.map((bar) => bar.close);
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const lastOf = (values: readonly number[], index: number, length: number): number[] | null =>
  index + 1 < length ? null : values.slice(index + 1 - length, index + 1);

const smaOf = (values: readonly number[], length: number): Line =>
  values.map((_, index) => {
    const window = lastOf(values, index, length);
    return window && mean(window);
  });

/** Weights 2 / (n + 1), starting with the first value; defined from the nth on. */
function emaOf(values: readonly number[], length: number): Line {
  const line: number[] = [];
  for (const value of values) {
    const before = line.at(-1) ?? value;
    line.push(before + (2 / (length + 1)) * (value - before));
  }
  return line.map((value, index) => (index + 1 < length ? null : value));
}

/** Wilder 1978: the first is the mean of n, then (before × (n − 1) + value) / n. Leading nulls are skipped. */
function wilderOf(values: Line, length: number): Line {
  const first = values.findIndex((value) => value !== null);
  let before: number | null = null;
  return values.map((value, index) => {
    if (value === null || index < first + length - 1) return null;
    const window = values.slice(first, index + 1) as number[];
    before = before === null ? mean(window) : (before * (length - 1) + value) / length;
    return before;
  });
}

function rsiOf(bars: readonly TimeframeBar[], length: number): Line {
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

function macdOf(bars: readonly TimeframeBar[]): { macd: Line; signal: Line; hist: Line } {
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

const trueRanges = (bars: readonly TimeframeBar[]): number[] =>
  bars.map(({ high, low }, index) => {
    const before = bars[index - 1]?.close;
    if (before === undefined) return high - low;
    return Math.max(high, before) - Math.min(low, before);
  });

/** Bollinger: two population standard deviations around the mean. */
function bandsOf(bars: readonly TimeframeBar[], length: number): { upper: Line; basis: Line; lower: Line } {
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

/** Lane: %K of `length` smoothed by `slow`, %D its mean of `signal`. Not defined for a range of 0. */
function stochasticOf(
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
function directionalOf(
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

function isSound({ open, high, low, close }: DatedBar): boolean {
  return low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close);
}

const close = (own: readonly DatedBar[]): number[] => own.map((bar) => bar.close);

const cases: [slug: string, length: string | undefined, define: (own: readonly DatedBar[]) => Line][] = [
  ['sma', '20', (own) => smaOf(close(own), 20)],
  ['sma', '100', (own) => smaOf(close(own), 100)],
  ['ema', '9', (own) => emaOf(close(own), 9)],
  ['ema', '50', (own) => emaOf(close(own), 50)],
  ['rsi', '14', (own) => rsiOf(own, 14)],
  ['rsi', '7', (own) => rsiOf(own, 7)],
  ['macd-macd', undefined, (own) => macdOf(own).macd],
  ['macd-signal', undefined, (own) => macdOf(own).signal],
  ['macd-hist', undefined, (own) => macdOf(own).hist],
  ['atr', undefined, (own) => wilderOf(trueRanges(own), 14)],
  ['bb-upper', '20', (own) => bandsOf(own, 20).upper],
  ['bb-basis', '20', (own) => bandsOf(own, 20).basis],
  ['bb-lower', '50', (own) => bandsOf(own, 50).lower],
  ['stoch-k', '14_3_3', (own) => stochasticOf(own, [14, 3, 3]).k],
  ['stoch-d', '14_3_3', (own) => stochasticOf(own, [14, 3, 3]).d],
  ['stoch-k', '14_1_3', (own) => stochasticOf(own, [14, 1, 3]).k],
  ['adx', '14', (own) => directionalOf(own, 14).adx],
  ['adx-plus-di', '14', (own) => directionalOf(own, 14).plus],
  ['adx-minus-di', '9', (own) => directionalOf(own, 9).minus],
];

/** The reference for a difference if the value itself may be 0: the size of its inputs. */
const sizeOf = (slug: string, value: number, price: number): number => {
  if (/^(macd|bb|sma|ema|atr|p-sar|ichimoku)/.test(slug)) return Math.max(Math.abs(value), price);
  return Math.max(Math.abs(value), 1);
};

describe.each(recordings())(
  '$name: values agree with the published definitions to 1e-6',
  ({ folder, isWhole }) => {
    // Codes that trade on most days: two in five of the recorded ones, every third in a large recording.
    const codes = [...eodBars(folder)]
      .filter(([, own]) => own.length >= 150 && own.every(isSound))
      .filter((_, index) => !isWhole || index % 3 === 0);

    test('there are enough prices', () => expect(codes.length).toBeGreaterThan(isWhole ? 100 : 20));

    for (const [slug, length, define] of cases) {
      test(`${slug} ${length ?? ''}`, () => {
        let worst = 0;
        let compared = 0;
        const early: unknown[] = [];
        for (const [code, own] of codes) {
          const ours = runFormula(formula(slug, length), own);
          const theirs = define(own);
          for (const [index, expected] of theirs.entries()) {
            const value = ours[index] ?? null;
            // The product waits for a signal to settle; an undefined value proves nothing either way.
            if (expected === null && value !== null) early.push({ code, index, value });
            if (expected === null || value === null) continue;
            compared += 1;
            const price = own[index]?.close ?? 1;
            worst = Math.max(worst, Math.abs(value - expected) / sizeOf(slug, expected, price));
          }
        }
        expect(early).toEqual([]);
        expect(compared).toBeGreaterThan(codes.length * 80);
        expect(worst).toBeLessThan(1e-6);
      });
    }
  },
);
