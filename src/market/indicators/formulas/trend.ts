import type { Calc, TimeframeBar } from '../types.ts';
import type { Cells } from './cells.ts';
import { difference, Previous, several, shareOf, single, trueRange } from './make.ts';
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
 * ADX, +DI and −DI by Wilder, seeded with the mean of the first `length` values; the first bar is only a
 * reference. As on the platform, lines keep their value without movement, and equal lines give an index of 0.
 * (The library divides by 0 there.)
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
 * Aroon up and down: bars since the highest high and the lowest low of the last 14 and this one, from 100
 * (this bar) to 0. The latest of equal ones counts. Unknown if all bars have one price.
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

const YEAR_DAYS = 364;
/** At least the trading days of 52 weeks. */
const YEAR_BARS = 262;
/** How late the first bar of a known year may be, in days, because small companies do not trade every day. */
const LATE_DAYS = 14;

/**
 * High and low of the 52 weeks before the running bar's day, null without a year of bars, and both with that day. The
 * latter are for the time before a session's first trade, when the running bar is the last session's.
 */
export function yearRange(cells: Cells): Calc {
  const days = new Window(cells, YEAR_BARS);
  const highs = new Window(cells, YEAR_BARS);
  const lows = new Window(cells, YEAR_BARS);
  const before = cells.take(2, Number.NaN);

  function putBefore(first: number): void {
    let high = Number.NEGATIVE_INFINITY;
    let low = Number.POSITIVE_INFINITY;
    const isYear = days.size() > 0 && days.oldest() <= first + LATE_DAYS;
    for (let back = 0; isYear && back < days.size() && days.at(back) >= first; back += 1) {
      // A day without known extremes is NaN.
      if (highs.at(back) > high) high = highs.at(back);
      if (lows.at(back) < low) low = lows.at(back);
    }
    cells.set(before, isYear ? high : Number.NaN);
    cells.set(before + 1, isYear ? low : Number.NaN);
  }

  return several(cells, 4, ({ day, high, low }, replace, put) => {
    if (!replace) putBefore(day - YEAR_DAYS);
    days.push(day, replace);
    highs.push(high, replace);
    lows.push(low, replace);
    const [most, least] = [cells.get(before), cells.get(before + 1)];
    put(0, most);
    put(1, least);
    put(2, high > most ? high : most);
    put(3, low < least ? low : least);
  });
}

/** Ichimoku: base, conversion, leading spans A and B. A chart draws the spans 25 bars ahead. */
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

const STEP = 0.02;
const MAX_ACCELERATION = 0.2;

type State = {
  isBelow: boolean;
  stop: number;
  extreme: number;
  acceleration: number;
  last: TimeframeBar;
  beforeLast: TimeframeBar | null;
};

/** The stop is never inside the range of the two bars before. */
function bounded(stop: number, isBelow: boolean, { last, beforeLast }: State): number {
  const other = beforeLast ?? last;
  return isBelow ? Math.min(stop, last.low, other.low) : Math.max(stop, last.high, other.high);
}

function next(state: State, bar: TimeframeBar, isFirst: boolean): State {
  const moved = state.stop + state.acceleration * (state.extreme - state.stop);
  const after = { last: bar, beforeLast: state.last };
  const { isBelow, extreme } = state;
  if (isBelow ? moved > bar.low : moved < bar.high) {
    const turned = isBelow ? Math.max(bar.high, extreme) : Math.min(bar.low, extreme);
    return {
      isBelow: !isBelow,
      stop: bounded(turned, !isBelow, state),
      extreme: isBelow ? bar.low : bar.high,
      acceleration: STEP,
      ...after,
    };
  }
  const reached = !isFirst && (isBelow ? bar.high > extreme : bar.low < extreme);
  return {
    isBelow,
    stop: bounded(moved, isBelow, state),
    extreme: reached ? (isBelow ? bar.high : bar.low) : extreme,
    acceleration: reached ? Math.min(MAX_ACCELERATION, state.acceleration + STEP) : state.acceleration,
    ...after,
  };
}

/** The second bar: its close against the first one's decides the trend. */
function begin(first: TimeframeBar, bar: TimeframeBar): State {
  const isBelow = bar.close > first.close;
  const seed: State = {
    isBelow,
    stop: isBelow ? first.low : first.high,
    extreme: isBelow ? bar.high : bar.low,
    acceleration: STEP,
    last: first,
    beforeLast: null,
  };
  return next(seed, bar, true);
}

type Sar = (bar: TimeframeBar, replace: boolean) => number | null;

function createSar(): Sar {
  let first: TimeframeBar | null = null;
  let finished: State | null = null;
  let running: State | null = null;
  let isFirstRunning = false;
  return (bar, replace) => {
    if (first === null || (replace && isFirstRunning)) {
      first = bar;
      isFirstRunning = true;
      return null;
    }
    if (!replace) {
      finished = running;
      isFirstRunning = false;
    }
    running = finished === null ? begin(first, bar) : next(finished, bar, false);
    return running.stop;
  };
}

/**
 * Wilder's parabolic stop and reverse with step 0.02, at most 0.2, as in the platform's `ta.sar` (Pine Script
 * reference): a bar is compared with the stop before bounding it by the two bars before. After a reversal the
 * stop is the trend's extreme, this bar's included. Wilder and TA-Lib bound it first. (The library moves it
 * by a fixed 0.01 after a turn, a third of many ASX prices.)
 */
export function parabolicSar(cells: Cells): Calc {
  const sar = cells.keep(createSar);
  return single(cells, (bar, replace) => sar()(bar, replace));
}
