import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { Counter, difference, Previous, several, shareOf, single, typicalPrice } from './make.ts';
import { Exponential, Mean, Wilder } from './smoothing.ts';
import { BarWindow, Window } from './window.ts';

const MAX_STRENGTH = 100;

class Strength {
  private readonly gains: Wilder;
  private readonly losses: Wilder;
  private readonly previous: Previous;
  constructor(cells: Cells, length: number) {
    this.previous = new Previous(cells);
    this.gains = new Wilder(cells, length);
    this.losses = new Wilder(cells, length);
  }

  update(price: number, replace: boolean): number | null {
    const previous = this.previous.update(price, replace);
    if (Number.isNaN(previous)) return null;
    const move = difference(price, previous);
    const gain = this.gains.update(Math.max(0, move), replace);
    const loss = this.losses.update(Math.max(0, -move), replace);
    if (gain === null || loss === null) return null;
    return MAX_STRENGTH * shareOf(gain, gain + loss, price);
  }
}

/** Wilder's RSI of the close: averages seeded with the mean of the first `length` moves. */
export function rsi(cells: Cells, length: number): Calc {
  const strength = new Strength(cells, length);
  return single(cells, ({ close }, replace) => strength.update(close, replace));
}

/**
 * MACD: the line EMA(12) − EMA(26), its signal EMA(9), and their difference; the line from the 26th bar on.
 */
export function macd(cells: Cells): Calc {
  const fast = new Exponential(cells, 12);
  const slow = new Exponential(cells, 26);
  const smooth = new Exponential(cells, 9);
  const count = new Counter(cells);
  return several(cells, 3, ({ close }, replace, put) => {
    const line = fast.update(close, replace) - slow.update(close, replace);
    const bars = count.update(replace);
    if (bars < 26) return;
    const signal = smooth.update(line, replace);
    put(0, line);
    if (bars < 34) return;
    put(1, signal);
    put(2, line - signal);
  });
}

/** CCI: (typical price − its SMA) / (0.015 × mean absolute deviation). */
export function cci(cells: Cells, length: number): Calc {
  const prices = new Window(cells, length);
  return single(cells, (bar, replace) => {
    const price = typicalPrice(bar);
    prices.push(price, replace);
    if (!prices.isFull()) return null;
    const mean = prices.sum() / length;
    return shareOf(price - mean, prices.meanDeviation(mean), mean) / 0.015;
  });
}

export function momentum(cells: Cells, length: number): Calc {
  const closes = new BarWindow(cells, 'close', length + 1);
  return single(cells, (bar, replace) => {
    closes.take(bar, replace);
    return closes.isFull() ? bar.close - closes.oldest() : null;
  });
}

/** ROC: change of the close over nine bars in percent. */
export function rateOfChange(cells: Cells): Calc {
  const closes = new BarWindow(cells, 'close', 10);
  return single(cells, (bar, replace) => {
    closes.take(bar, replace);
    if (!closes.isFull()) return null;
    const before = closes.oldest();
    return ((bar.close - before) / before) * 100;
  });
}

/** Awesome oscillator: SMA(5) − SMA(34) of the middle price, (high + low) / 2. */
export function awesome(cells: Cells): Calc {
  const middles = new Window(cells, 34);
  return single(cells, ({ high, low }, replace) => {
    middles.push((high + low) / 2, replace);
    return middles.isFull() ? difference(middles.sum(5) / 5, middles.sum() / 34) : null;
  });
}

/** Ultimate oscillator with 7, 14 and 28 bars: buying pressure over true range, weighted 4, 2, 1. */
export function ultimate(cells: Cells): Calc {
  const closes = new Previous(cells);
  const pressures = new Window(cells, 28);
  const ranges = new Window(cells, 28);
  const average = (bars: number, price: number): number =>
    shareOf(pressures.sum(bars), ranges.sum(bars), price);
  return single(cells, ({ high, low, close }, replace) => {
    const previous = closes.update(close, replace);
    if (Number.isNaN(previous)) return null;
    const trueLow = Math.min(low, previous);
    pressures.push(close - trueLow, replace);
    ranges.push(Math.max(high, previous) - trueLow, replace);
    if (!ranges.isFull()) return null;
    return (100 * (4 * average(7, close) + 2 * average(14, close) + average(28, close))) / 7;
  });
}

/** Money flow index of 14 bars: the share of typical price × volume on bars with a rising typical price. */
export function moneyFlow(cells: Cells): Calc {
  const prices = new Previous(cells);
  const rising = new Window(cells, 14);
  const falling = new Window(cells, 14);
  return single(cells, (bar, replace) => {
    const price = typicalPrice(bar);
    const previous = prices.update(price, replace);
    if (Number.isNaN(previous)) return null;
    const move = difference(price, previous);
    rising.push(move > 0 ? price * bar.volume : 0, replace);
    falling.push(move < 0 ? price * bar.volume : 0, replace);
    if (!rising.isFull()) return null;
    const up = rising.sum();
    return (100 * up) / (up + falling.sum());
  });
}

/**
 * Chaikin money flow of 20 bars: position of each close in its bar's range, from −1 to 1, weighted by volume.
 * As on the platform, a bar without a range counts as 0; 20 of them give no result.
 */
export function chaikinMoneyFlow(cells: Cells): Calc {
  const flows = new Window(cells, 20);
  const volumes = new Window(cells, 20);
  const ranges = new Window(cells, 20);
  return single(cells, ({ high, low, close, volume }, replace) => {
    const place = shareOf(2 * close - low - high, high - low, high);
    const hasRange = !Number.isNaN(place);
    flows.push(hasRange ? place * volume : 0, replace);
    volumes.push(volume, replace);
    ranges.push(hasRange ? 1 : 0, replace);
    if (!flows.isFull() || ranges.max() === 0) return null;
    return flows.sum() / volumes.sum();
  });
}

/** Bull power + bear power: (high − EMA(13)) + (low − EMA(13)). */
export function bullBearPower(cells: Cells): Calc {
  const average = new Exponential(cells, 13);
  const count = new Counter(cells);
  return single(cells, ({ high, low, close }, replace) => {
    const value = average.update(close, replace);
    return count.update(replace) >= 13 ? high + low - 2 * value : null;
  });
}

/**
 * Stochastic %K and %D: position of the close in the range of `length` bars, in percent, smoothed twice by
 * SMA. Unknown without a range, and while such a bar is in the windows. (The library gives 0, which would
 * mean oversold.)
 */
export function stochastic(cells: Cells, length: number, smoothK: number, smoothD: number): Calc {
  const highs = new BarWindow(cells, 'high', length);
  const lows = new BarWindow(cells, 'low', length);
  const k = new Mean(cells, smoothK);
  const d = new Mean(cells, smoothD);
  return several(cells, 2, (bar, replace, put) => {
    const { close } = bar;
    highs.take(bar, replace);
    lows.take(bar, replace);
    if (!highs.isFull()) return;
    const lowest = lows.min();
    const fast = shareOf(close - lowest, highs.max() - lowest, close) * 100;
    const slow = k.update(fast, replace);
    put(0, slow);
    put(1, slow === null ? null : d.update(slow, replace));
  });
}

/** Stochastic RSI: the stochastic (14, 3, 3) of RSI(14). */
export function stochasticRsi(cells: Cells): Calc {
  const strength = new Strength(cells, 14);
  const window = new Window(cells, 14);
  const k = new Mean(cells, 3);
  const d = new Mean(cells, 3);
  return several(cells, 2, ({ close }, replace, put) => {
    const value = strength.update(close, replace);
    if (value === null) return;
    window.push(value, replace);
    if (!window.isFull()) return;
    const lowest = window.min();
    const fast = shareOf(value - lowest, window.max() - lowest, MAX_STRENGTH) * 100;
    const slow = k.update(fast, replace);
    put(0, slow);
    put(1, slow === null ? null : d.update(slow, replace));
  });
}

/** Williams %R: −100 × (highest high − close) / range, of 14 bars. */
export function williams(cells: Cells): Calc {
  const highs = new BarWindow(cells, 'high', 14);
  const lows = new BarWindow(cells, 'low', 14);
  return single(cells, (bar, replace) => {
    const { close } = bar;
    highs.take(bar, replace);
    lows.take(bar, replace);
    if (!highs.isFull()) return null;
    const highest = highs.max();
    return -100 * shareOf(highest - close, highest - lows.min(), close);
  });
}
