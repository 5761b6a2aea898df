import { Aroon, DonchianChannels, IchimokuCloud } from 'trading-signals';
import type { TimeframeBar, Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { Previous, several } from './make.ts';
import { Wilder } from './smoothing.ts';
import { Window } from './window.ts';

/** @param previousClose NaN for the first bar */
const trueRange = ({ high, low }: TimeframeBar, previousClose: number): number =>
  Number.isNaN(previousClose)
    ? high - low
    : Math.max(high - low, Math.abs(high - previousClose), Math.abs(low - previousClose));

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
 * `length` values. Where nothing moved, the lines keep their last value; equal lines make an index of 0. (The
 * library's own divides by 0 there and never recovers.)
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
    const rise = bar.high - high;
    const fall = low - bar.low;
    const wide = range.update(trueRange(bar, close), replace);
    const up = ups.update(rise > fall && rise > 0 ? rise : 0, replace);
    const down = downs.update(fall > rise && fall > 0 ? fall : 0, replace);
    if (wide === null || up === null || down === null) return;
    const plus = plusLine.orPrevious(wide > 0 ? (up / wide) * 100 : Number.NaN, replace);
    const minus = minusLine.orPrevious(wide > 0 ? (down / wide) * 100 : Number.NaN, replace);
    if (Number.isNaN(plus)) return;
    const sum = plus + minus;
    const index = sum === 0 ? 0 : (Math.abs(plus - minus) / sum) * 100;
    put(0, smoothed.update(index, replace));
    put(1, plus);
    put(2, minus);
  });
}

/** Aroon up and down: bars since the highest high and the lowest low of the last 14, from 100 (this bar) to 0. */
export function aroon(cells: Cells): Calc {
  const indicator = cells.keep(() => new Aroon(14));
  return several(cells, 2, (bar, replace, put) => {
    const lines = indicator().update(bar, replace);
    put(0, lines?.aroonUp ?? null);
    put(1, lines?.aroonDown ?? null);
  });
}

/** Donchian channels: upper, lower and middle of the range of `length` bars, the running one included. */
export function donchian(cells: Cells, length: number): Calc {
  const indicator = cells.keep(() => new DonchianChannels(length));
  return several(cells, 3, (bar, replace, put) => {
    const channel = indicator().update(bar, replace);
    put(0, channel?.upper ?? null);
    put(1, channel?.lower ?? null);
    put(2, channel?.middle ?? null);
  });
}

/** Ichimoku: base line, conversion line, leading spans A and B, each computed from this bar (not displaced). */
export function ichimoku(cells: Cells, conversion: number, base: number, spanB: number): Calc {
  const indicator = cells.keep(
    () =>
      new IchimokuCloud({
        conversionInterval: conversion,
        baseInterval: base,
        spanBInterval: spanB,
      }),
  );
  return several(cells, 4, (bar, replace, put) => {
    const cloud = indicator().update(bar, replace);
    put(0, cloud?.base ?? null);
    put(1, cloud?.conversion ?? null);
    put(2, cloud?.spanA ?? null);
    put(3, cloud?.spanB ?? null);
  });
}
