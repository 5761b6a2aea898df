import { AO, CCI, CMF, MFI, MOM, ROC, SMA, UltimateOscillator } from 'trading-signals';
import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { Counter, Previous, several, single } from './make.ts';
import { Exponential, Wilder } from './smoothing.ts';
import { Window } from './window.ts';

/** Wilder's RSI, price by price. */
class Strength {
  private readonly gains: Wilder;
  private readonly losses: Wilder;
  private readonly previous: Previous;
  constructor(cells: Cells, length: number) {
    this.previous = new Previous(cells);
    this.gains = new Wilder(cells, length);
    this.losses = new Wilder(cells, length);
  }

  /** @returns null until there were `length` moves; 100 when no price was below the one before */
  update(price: number, replace: boolean): number | null {
    const previous = this.previous.update(price, replace);
    if (Number.isNaN(previous)) return null;
    const move = price - previous;
    const gain = this.gains.update(Math.max(0, move), replace);
    const loss = this.losses.update(Math.max(0, -move), replace);
    if (gain === null || loss === null) return null;
    return loss === 0 ? 100 : 100 - 100 / (1 + gain / loss);
  }
}

/** Wilder's RSI of the close: averages seeded with the mean of the first `length` moves. */
export function rsi(cells: Cells, length: number): Calc {
  const strength = new Strength(cells, length);
  return single(cells, ({ close }, replace) => strength.update(close, replace));
}

/** MACD: the line EMA(12) − EMA(26), its signal EMA(9), and their difference; the line from the 26th bar on. */
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

/** CCI: (typical price − its SMA) / (0.015 × mean absolute deviation). Not finite while the price does not move. */
export function cci(cells: Cells, length: number): Calc {
  const indicator = cells.keep(() => new CCI(length));
  return single(cells, (bar, replace) => indicator().update(bar, replace));
}

/** The close minus the close `length` bars before. */
export function momentum(cells: Cells, length: number): Calc {
  const indicator = cells.keep(() => new MOM(length));
  return single(cells, ({ close }, replace) => indicator().update(close, replace));
}

/** ROC: change of the close over nine bars in percent. */
export function rateOfChange(cells: Cells): Calc {
  const indicator = cells.keep(() => new ROC(9));
  return single(cells, ({ close }, replace) => {
    const share = indicator().update(close, replace);
    return share === null ? null : share * 100;
  });
}

/** Awesome oscillator: SMA(5) − SMA(34) of the middle price, (high + low) / 2. */
export function awesome(cells: Cells): Calc {
  const indicator = cells.keep(() => new AO(5, 34));
  return single(cells, (bar, replace) => indicator().update(bar, replace));
}

/** Ultimate oscillator with 7, 14 and 28 bars. */
export function ultimate(cells: Cells): Calc {
  const indicator = cells.keep(() => new UltimateOscillator());
  return single(cells, (bar, replace) => indicator().update(bar, replace));
}

/** Money flow index of 14 bars. */
export function moneyFlow(cells: Cells): Calc {
  const indicator = cells.keep(() => new MFI(14));
  return single(cells, (bar, replace) => indicator().update(bar, replace));
}

/** Chaikin money flow of 20 bars. */
export function chaikinMoneyFlow(cells: Cells): Calc {
  const indicator = cells.keep(() => new CMF(20));
  return single(cells, (bar, replace) => indicator().update(bar, replace));
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
 * Stochastic %K and %D: where the close lies in the range of `length` bars, in percent, smoothed twice by SMA. In a range
 * of 0 that is 0 / 0, and the lines are unknown while it is in their windows. (The library's own is 0 then, which would
 * mean oversold.)
 */
export function stochastic(cells: Cells, length: number, smoothK: number, smoothD: number): Calc {
  const highs = new Window(cells, length);
  const lows = new Window(cells, length);
  const k = cells.keep(() => new SMA(smoothK));
  const d = cells.keep(() => new SMA(smoothD));
  return several(cells, 2, ({ high, low, close }, replace, put) => {
    highs.push(high, replace);
    lows.push(low, replace);
    if (!highs.isFull()) return;
    const lowest = lows.min();
    const fast = ((close - lowest) / (highs.max() - lowest)) * 100;
    const slow = k().update(fast, replace);
    put(0, slow);
    put(1, slow === null ? null : d().update(slow, replace));
  });
}

/** Stochastic RSI: the stochastic (14, 3, 3) of RSI(14). */
export function stochasticRsi(cells: Cells): Calc {
  const strength = new Strength(cells, 14);
  const window = new Window(cells, 14);
  const k = cells.keep(() => new SMA(3));
  const d = cells.keep(() => new SMA(3));
  return several(cells, 2, ({ close }, replace, put) => {
    const value = strength.update(close, replace);
    if (value === null) return;
    window.push(value, replace);
    if (!window.isFull()) return;
    const lowest = window.min();
    const slow = k().update(((value - lowest) / (window.max() - lowest)) * 100, replace);
    put(0, slow);
    put(1, slow === null ? null : d().update(slow, replace));
  });
}

/** Williams %R: −100 × (highest high − close) / range, of 14 bars. */
export function williams(cells: Cells): Calc {
  const highs = new Window(cells, 14);
  const lows = new Window(cells, 14);
  return single(cells, ({ high, low, close }, replace) => {
    highs.push(high, replace);
    lows.push(low, replace);
    if (!highs.isFull()) return null;
    const highest = highs.max();
    return (-100 * (highest - close)) / (highest - lows.min());
  });
}
