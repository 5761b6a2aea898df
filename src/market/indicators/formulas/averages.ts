import { HMA, KeltnerChannels, VWMA } from 'trading-signals';
import type { Calc } from '../types.ts';
import { Counter, several, single } from './make.ts';
import { Exponential } from './smoothing.ts';
import { Window } from './window.ts';

/** Exponential moving average of the close, begun with the first close; null before the `length`th bar. */
export function ema(length: number): Calc {
  const average = new Exponential(length);
  const count = new Counter();
  return single(({ close }, replace) => {
    const value = average.update(close, replace);
    return count.update(replace) >= length ? value : null;
  });
}

/** Mean of the last `length` closes. */
export function sma(length: number): Calc {
  const closes = new Window(length);
  return single(({ close }, replace) => {
    closes.push(close, replace);
    return closes.isFull() ? closes.sum() / length : null;
  });
}

/** Hull moving average of the close: WMA(√n) of 2·WMA(n/2) − WMA(n), lengths rounded down. */
export function hull(length: number): Calc {
  const indicator = new HMA(length);
  return single(({ close }, replace) => indicator.update(close, replace));
}

/** Mean of the last `length` closes, weighted by volume. */
export function volumeWeighted(length: number): Calc {
  const indicator = new VWMA(length);
  return single((bar, replace) => indicator.update(bar, replace));
}

/** Upper, basis, lower: SMA of the close ± 2 population standard deviations. */
export function bollinger(length: number): Calc {
  const closes = new Window(length);
  return several(3, ({ close }, replace, out) => {
    closes.push(close, replace);
    if (!closes.isFull()) return;
    const mean = closes.sum() / length;
    const deviation = Math.sqrt(closes.squares(mean) / length);
    out[0] = mean + 2 * deviation;
    out[1] = mean;
    out[2] = mean - 2 * deviation;
  });
}

/** Upper, basis, lower: EMA(20) of the close ± 2 ATR(10). */
export function keltner(): Calc {
  const indicator = new KeltnerChannels({ emaInterval: 20, atrInterval: 10, multiplier: 2 });
  return several(3, (bar, replace, out) => {
    const bands = indicator.update(bar, replace);
    out[0] = bands?.upper ?? null;
    out[1] = bands?.middle ?? null;
    out[2] = bands?.lower ?? null;
  });
}

type Sums = { day: number; money: number; shares: number };

/**
 * VWAP: the typical price weighted by volume since the first bar of the trading session. Bars of a day and longer are a
 * session each, so that it is their typical price, (high + low + close) / 3.
 */
export function sessionVwap(): Calc {
  let finished: Sums = { day: Number.NaN, money: 0, shares: 0 };
  let running = finished;
  return single(({ day, high, low, close, volume }, replace) => {
    if (!replace) finished = running;
    const before = finished.day === day ? finished : { money: 0, shares: 0 };
    const typical = (high + low + close) / 3;
    running = { day, money: before.money + typical * volume, shares: before.shares + volume };
    return running.shares > 0 ? running.money / running.shares : typical;
  });
}
