import { BollingerBands, EMA, HMA, KeltnerChannels, SMA, VWMA } from 'trading-signals';
import type { Calc } from '../types.ts';
import { createCounter, several, single } from './make.ts';

/** Exponential moving average of the close, seeded with the first close, told from the `length`th bar on. */
export const ema = (length: number): Calc => {
  const indicator = new EMA(length);
  const count = createCounter();
  return single(({ close }, replace) => {
    const value = indicator.update(close, replace);
    return count(replace) >= length ? value : null;
  });
};

export const sma = (length: number): Calc => {
  const indicator = new SMA(length);
  return single(({ close }, replace) => indicator.update(close, replace));
};

/** Hull: WMA(√n) of 2·WMA(n/2) − WMA(n), lengths rounded down. */
export const hull = (length: number): Calc => {
  const indicator = new HMA(length);
  return single(({ close }, replace) => indicator.update(close, replace));
};

export const volumeWeighted = (length: number): Calc => {
  const indicator = new VWMA(length);
  return single((bar, replace) => indicator.update(bar, replace));
};

/** Upper, basis, lower: SMA of the close ± 2 population standard deviations. */
export const bollinger = (length: number): Calc => {
  const indicator = new BollingerBands(length, 2);
  return several(3, ({ close }, replace, out) => {
    const bands = indicator.update(close, replace);
    out[0] = bands?.upper ?? null;
    out[1] = bands?.middle ?? null;
    out[2] = bands?.lower ?? null;
  });
};

/** Upper, basis, lower: EMA(20) of the close ± 2 ATR(10). */
export const keltner = (): Calc => {
  const indicator = new KeltnerChannels({ emaInterval: 20, atrInterval: 10, multiplier: 2 });
  return several(3, (bar, replace, out) => {
    const bands = indicator.update(bar, replace);
    out[0] = bands?.upper ?? null;
    out[1] = bands?.middle ?? null;
    out[2] = bands?.lower ?? null;
  });
};

type Sums = { day: number; money: number; shares: number };

/** Volume-weighted typical price since the session's first bar. On days and longer it is (high + low + close) / 3. */
export const sessionVwap = (): Calc => {
  let finished: Sums = { day: Number.NaN, money: 0, shares: 0 };
  let running = finished;
  return single(({ day, high, low, close, volume }, replace) => {
    if (!replace) finished = running;
    const before = finished.day === day ? finished : { money: 0, shares: 0 };
    const typical = (high + low + close) / 3;
    running = { day, money: before.money + typical * volume, shares: before.shares + volume };
    return running.shares > 0 ? running.money / running.shares : typical;
  });
};
