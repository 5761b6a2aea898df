import { Aroon, DonchianChannels, IchimokuCloud } from 'trading-signals';
import type { TimeframeBar, Calc } from '../types.ts';
import { Previous, several } from './make.ts';
import { Wilder } from './smoothing.ts';
import { Window } from './window.ts';

const trueRange = ({ high, low }: TimeframeBar, previous: TimeframeBar | null): number =>
  previous === null
    ? high - low
    : Math.max(high - low, Math.abs(high - previous.close), Math.abs(low - previous.close));

/** Wilder's average true range of 14 bars, and the same in percent of the close. */
export function atr(): Calc {
  const smooth = new Wilder(14);
  const previousBar = new Previous<TimeframeBar | null>(null);
  return several(2, (bar, replace, out) => {
    const range = smooth.update(trueRange(bar, previousBar.update(bar, replace)), replace);
    if (range === null) return;
    out[0] = range;
    out[1] = (range / bar.close) * 100;
  });
}

/** Average day range: the mean of high − low over 14 bars, and that of high / low − 1 in percent. */
export function dayRange(): Calc {
  const ranges = new Window(14);
  const ratios = new Window(14);
  return several(2, ({ high, low }, replace, out) => {
    ranges.push(high - low, replace);
    ratios.push(high / low, replace);
    if (!ranges.isFull()) return;
    out[0] = ranges.sum() / 14;
    out[1] = (ratios.sum() / 14 - 1) * 100;
  });
}

type Lines = { plus: number; minus: number };

/**
 * ADX, +DI and −DI by Wilder: the first bar only serves the second; averages are seeded with the mean of the first
 * `length` values. Where nothing moved, the lines keep their last value; equal lines make an index of 0. (The
 * library's own divides by 0 there and never recovers.)
 */
export function directional(length: number): Calc {
  const range = new Wilder(length);
  const up = new Wilder(length);
  const down = new Wilder(length);
  const smoothed = new Wilder(length);
  const previousBar = new Previous<TimeframeBar | null>(null);
  let finished: Lines | null = null;
  let lines: Lines | null = null;
  return several(3, (bar, replace, out) => {
    if (!replace) finished = lines;
    const previous = previousBar.update(bar, replace);
    if (!previous) return;
    const rise = bar.high - previous.high;
    const fall = previous.low - bar.low;
    const wide = range.update(trueRange(bar, previous), replace);
    const plus = up.update(rise > fall && rise > 0 ? rise : 0, replace);
    const minus = down.update(fall > rise && fall > 0 ? fall : 0, replace);
    if (wide === null || plus === null || minus === null) return;
    lines = wide > 0 ? { plus: (plus / wide) * 100, minus: (minus / wide) * 100 } : finished;
    if (!lines) return;
    const sum = lines.plus + lines.minus;
    const index = sum === 0 ? 0 : (Math.abs(lines.plus - lines.minus) / sum) * 100;
    out[0] = smoothed.update(index, replace);
    out[1] = lines.plus;
    out[2] = lines.minus;
  });
}

/** Aroon up and down: bars since the highest high and the lowest low of the last 14, from 100 (this bar) to 0. */
export function aroon(): Calc {
  const indicator = new Aroon(14);
  return several(2, (bar, replace, out) => {
    const lines = indicator.update(bar, replace);
    out[0] = lines?.aroonUp ?? null;
    out[1] = lines?.aroonDown ?? null;
  });
}

/** Donchian channels: upper, lower and middle of the range of `length` bars, the running one included. */
export function donchian(length: number): Calc {
  const indicator = new DonchianChannels(length);
  return several(3, (bar, replace, out) => {
    const channel = indicator.update(bar, replace);
    out[0] = channel?.upper ?? null;
    out[1] = channel?.lower ?? null;
    out[2] = channel?.middle ?? null;
  });
}

/** Ichimoku: base line, conversion line, leading spans A and B, each computed from this bar (not displaced). */
export function ichimoku(conversion: number, base: number, spanB: number): Calc {
  const indicator = new IchimokuCloud({
    conversionInterval: conversion,
    baseInterval: base,
    spanBInterval: spanB,
  });
  return several(4, (bar, replace, out) => {
    const cloud = indicator.update(bar, replace);
    out[0] = cloud?.base ?? null;
    out[1] = cloud?.conversion ?? null;
    out[2] = cloud?.spanA ?? null;
    out[3] = cloud?.spanB ?? null;
  });
}
