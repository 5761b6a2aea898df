import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { difference, Previous, several, shareOf, trueRange } from './make.ts';
import { Wilder } from './smoothing.ts';
import { BarWindow, Window } from './window.ts';

/** Wilder's average true range of 14 bars, and the same in percent of the close. */
export function atr(cells: Cells): Calc {
  const smooth = new Wilder(cells, 14);
  const closes = new Previous(cells);
  return several(cells, 2, (bar, replace, put) => {
    const range = smooth.update(trueRange(bar, closes.update(bar.close, replace)), replace);
    if (range === null) return;
    put(0, range);
    put(1, (range / bar.close) * 100);
  });
}

/** Average day range: the mean of high − low over 14 bars, and that of high / low − 1 in percent. */
export function dayRange(cells: Cells): Calc {
  const ranges = new Window(cells, 14);
  const ratios = new Window(cells, 14);
  return several(cells, 2, ({ high, low }, replace, put) => {
    ranges.push(high - low, replace);
    ratios.push(high / low, replace);
    if (!ranges.isFull()) return;
    put(0, ranges.sum() / 14);
    put(1, (ratios.sum() / 14 - 1) * 100);
  });
}

/**
 * ADX, +DI and −DI by Wilder: the first bar only serves the second; averages are seeded with the mean of the first
 * `length` values. As on the platform the lines keep their last value when nothing moves, and equal lines make an index
 * of 0. (The library's own divides by 0 there and never recovers.)
 */
export function directional(cells: Cells, length: number): Calc {
  const range = new Wilder(cells, length);
  const ups = new Wilder(cells, length);
  const downs = new Wilder(cells, length);
  const smoothed = new Wilder(cells, length);
  const highs = new Previous(cells);
  const lows = new Previous(cells);
  const closes = new Previous(cells);
  const plusLine = new Previous(cells);
  const minusLine = new Previous(cells);
  return several(cells, 3, (bar, replace, put) => {
    const high = highs.update(bar.high, replace);
    const low = lows.update(bar.low, replace);
    const close = closes.update(bar.close, replace);
    if (Number.isNaN(close)) return;
    const rise = difference(bar.high, high);
    const fall = difference(low, bar.low);
    const wide = range.update(trueRange(bar, close), replace);
    const up = ups.update(rise > fall && rise > 0 ? rise : 0, replace);
    const down = downs.update(fall > rise && fall > 0 ? fall : 0, replace);
    if (wide === null || up === null || down === null) return;
    const plus = plusLine.orPrevious(shareOf(up, wide, bar.close) * 100, replace);
    const minus = minusLine.orPrevious(shareOf(down, wide, bar.close) * 100, replace);
    if (Number.isNaN(plus)) return;
    const sum = plus + minus;
    const index = sum === 0 ? 0 : (Math.abs(plus - minus) / sum) * 100;
    put(0, smoothed.update(index, replace));
    put(1, plus);
    put(2, minus);
  });
}

/**
 * Aroon up and down: bars since the highest high and the lowest low of the last 14 and this one, from 100 (this bar) to 0.
 * Of equal ones the latest counts. Unknown when all those bars are at one price.
 */
export function aroon(cells: Cells): Calc {
  const highs = new BarWindow(cells, 'high', 15);
  const lows = new BarWindow(cells, 'low', 15);
  return several(cells, 2, (bar, replace, put) => {
    highs.take(bar, replace);
    lows.take(bar, replace);
    if (!highs.isFull()) return;
    const highest = highs.max();
    const lowest = lows.min();
    const isKnown = difference(highest, lowest) !== 0;
    put(0, isKnown ? (100 * (14 - highs.placesBack(highest))) / 14 : null);
    put(1, isKnown ? (100 * (14 - lows.placesBack(lowest))) / 14 : null);
  });
}

/** Donchian channels: upper, lower and middle of the range of `length` bars, the running one included. */
export function donchian(cells: Cells, length: number): Calc {
  const highs = new BarWindow(cells, 'high', length);
  const lows = new BarWindow(cells, 'low', length);
  return several(cells, 3, (bar, replace, put) => {
    highs.take(bar, replace);
    lows.take(bar, replace);
    if (!highs.isFull()) return;
    const upper = highs.max();
    const lower = lows.min();
    put(0, upper);
    put(1, lower);
    put(2, (upper + lower) / 2);
  });
}

/**
 * Ichimoku: base line, conversion line, leading spans A and B, each from the bar on that completes its window. The spans
 * are those that this bar gives; a chart draws them 25 bars ahead.
 */
export function ichimoku(cells: Cells, conversion: number, base: number, spanB: number): Calc {
  const length = Math.max(conversion, base, spanB);
  const highs = new BarWindow(cells, 'high', length);
  const lows = new BarWindow(cells, 'low', length);
  const middle = (bars: number): number =>
    highs.size() < bars ? Number.NaN : (highs.max(bars) + lows.min(bars)) / 2;
  return several(cells, 4, (bar, replace, put) => {
    highs.take(bar, replace);
    lows.take(bar, replace);
    const baseLine = middle(base);
    const conversionLine = middle(conversion);
    put(0, baseLine);
    put(1, conversionLine);
    put(2, (conversionLine + baseLine) / 2);
    put(3, middle(spanB));
  });
}
