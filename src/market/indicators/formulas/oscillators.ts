import { AO, CCI, CMF, MFI, MOM, ROC, SMA, UltimateOscillator } from 'trading-signals';
import type { Calc } from '../types.ts';
import { createCounter, createPrevious, several, single } from './make.ts';
import { createExponential, createWilder, type Smoother } from './smoothing.ts';
import { createWindow } from './window.ts';

/** Wilder's RSI, a step a price; null until there were `length` moves. 100 when nothing ever fell. */
function createStrength(length: number): Smoother {
  const gains = createWilder(length);
  const losses = createWilder(length);
  const previousPrice = createPrevious<number | null>(null);
  return (price, replace) => {
    const previous = previousPrice(price, replace);
    if (previous === null) return null;
    const move = price - previous;
    const gain = gains(Math.max(0, move), replace);
    const loss = losses(Math.max(0, -move), replace);
    if (gain === null || loss === null) return null;
    return loss === 0 ? 100 : 100 - 100 / (1 + gain / loss);
  };
}

/** Wilder's RSI of the close: averages seeded with the mean of the first `length` moves. */
export function rsi(length: number): Calc {
  const strength = createStrength(length);
  return single(({ close }, replace) => strength(close, replace));
}

/** Lines EMA(12) − EMA(26), its EMA(9), and their difference. */
export function macd(): Calc {
  const fast = createExponential(12);
  const slow = createExponential(26);
  const smooth = createExponential(9);
  const count = createCounter();
  return several(3, ({ close }, replace, out) => {
    const line = fast(close, replace) - slow(close, replace);
    const bars = count(replace);
    if (bars < 26) return;
    const signal = smooth(line, replace);
    out[0] = line;
    if (bars < 34) return;
    out[1] = signal;
    out[2] = line - signal;
  });
}

/** (typical price − its SMA) / (0.015 × mean absolute deviation). Not a number while the price stands still. */
export function cci(length: number): Calc {
  const indicator = new CCI(length);
  return single((bar, replace) => indicator.update(bar, replace));
}

export function momentum(length: number): Calc {
  const indicator = new MOM(length);
  return single(({ close }, replace) => indicator.update(close, replace));
}

/** Change over nine bars in percent. */
export function rateOfChange(): Calc {
  const indicator = new ROC(9);
  return single(({ close }, replace) => {
    const share = indicator.update(close, replace);
    return share === null ? null : share * 100;
  });
}

/** SMA(5) − SMA(34) of the middle price. */
export function awesome(): Calc {
  const indicator = new AO(5, 34);
  return single((bar, replace) => indicator.update(bar, replace));
}

export function ultimate(): Calc {
  const indicator = new UltimateOscillator();
  return single((bar, replace) => indicator.update(bar, replace));
}

export function moneyFlow(): Calc {
  const indicator = new MFI(14);
  return single((bar, replace) => indicator.update(bar, replace));
}

export function chaikinMoneyFlow(): Calc {
  const indicator = new CMF(20);
  return single((bar, replace) => indicator.update(bar, replace));
}

/** Bull power + bear power: (high − EMA(13)) + (low − EMA(13)). */
export function bullBearPower(): Calc {
  const average = createExponential(13);
  const count = createCounter();
  return single(({ high, low, close }, replace) => {
    const value = average(close, replace);
    return count(replace) >= 13 ? high + low - 2 * value : null;
  });
}

/**
 * %K and %D: the close's place in the range of `length` bars, smoothed twice by SMA. A range of 0 has no place in it, so
 * the lines are not told while it is in their windows (the library's own says 0, which reads as oversold).
 */
export function stochastic(length: number, smoothK: number, smoothD: number): Calc {
  const highs = createWindow(length);
  const lows = createWindow(length);
  const k = new SMA(smoothK);
  const d = new SMA(smoothD);
  return several(2, ({ high, low, close }, replace, out) => {
    highs.push(high, replace);
    lows.push(low, replace);
    if (!highs.isFull()) return;
    const lowest = lows.min();
    const fast = ((close - lowest) / (highs.max() - lowest)) * 100;
    const slow = k.update(fast, replace);
    out[0] = slow;
    out[1] = slow === null ? null : d.update(slow, replace);
  });
}

/** The stochastic (14, 3, 3) of RSI(14); both lines from 0 to 100. */
export function stochasticRsi(): Calc {
  const strength = createStrength(14);
  const window = createWindow(14);
  const k = new SMA(3);
  const d = new SMA(3);
  return several(2, ({ close }, replace, out) => {
    const value = strength(close, replace);
    if (value === null) return;
    window.push(value, replace);
    if (!window.isFull()) return;
    const lowest = window.min();
    const slow = k.update(((value - lowest) / (window.max() - lowest)) * 100, replace);
    out[0] = slow;
    out[1] = slow === null ? null : d.update(slow, replace);
  });
}

/** −100 × (highest high − close) / range of 14 bars. */
export function williams(): Calc {
  const highs = createWindow(14);
  const lows = createWindow(14);
  return single(({ high, low, close }, replace) => {
    highs.push(high, replace);
    lows.push(low, replace);
    if (!highs.isFull()) return null;
    const highest = highs.max();
    return (-100 * (highest - close)) / (highest - lows.min());
  });
}
