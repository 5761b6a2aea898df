import { HMA, KeltnerChannels, VWMA } from 'trading-signals';
import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { Counter, several, single } from './make.ts';
import { Exponential } from './smoothing.ts';
import { Window } from './window.ts';

/** Exponential moving average of the close, begun with the first close; null before the `length`th bar. */
export function ema(cells: Cells, length: number): Calc {
  const average = new Exponential(cells, length);
  const count = new Counter(cells);
  return single(cells, ({ close }, replace) => {
    const value = average.update(close, replace);
    return count.update(replace) >= length ? value : null;
  });
}

/** Mean of the last `length` closes. */
export function sma(cells: Cells, length: number): Calc {
  const closes = new Window(cells, length);
  return single(cells, ({ close }, replace) => {
    closes.push(close, replace);
    return closes.isFull() ? closes.sum() / length : null;
  });
}

/** Hull moving average of the close: WMA(√n) of 2·WMA(n/2) − WMA(n), lengths rounded down. */
export function hull(cells: Cells, length: number): Calc {
  const indicator = cells.keep(() => new HMA(length));
  return single(cells, ({ close }, replace) => indicator().update(close, replace));
}

/** Mean of the last `length` closes, weighted by volume. */
export function volumeWeighted(cells: Cells, length: number): Calc {
  const indicator = cells.keep(() => new VWMA(length));
  return single(cells, (bar, replace) => indicator().update(bar, replace));
}

/** Upper, basis, lower: SMA of the close ± 2 population standard deviations. */
export function bollinger(cells: Cells, length: number): Calc {
  const closes = new Window(cells, length);
  return several(cells, 3, ({ close }, replace, put) => {
    closes.push(close, replace);
    if (!closes.isFull()) return;
    const mean = closes.sum() / length;
    const deviation = Math.sqrt(closes.squares(mean) / length);
    put(0, mean + 2 * deviation);
    put(1, mean);
    put(2, mean - 2 * deviation);
  });
}

/** Upper, basis, lower: EMA(20) of the close ± 2 ATR(10). */
export function keltner(cells: Cells): Calc {
  const indicator = cells.keep(
    () => new KeltnerChannels({ emaInterval: 20, atrInterval: 10, multiplier: 2 }),
  );
  return several(cells, 3, (bar, replace, put) => {
    const bands = indicator().update(bar, replace);
    put(0, bands?.upper ?? null);
    put(1, bands?.middle ?? null);
    put(2, bands?.lower ?? null);
  });
}

/**
 * VWAP: the typical price weighted by volume since the first bar of the trading session. Bars of a day and longer are a
 * session each, so that it is their typical price, (high + low + close) / 3.
 */
export function sessionVwap(cells: Cells): Calc {
  // Of the running bar's session: its day, and the sums up to and including that bar; then the same of the last finished one.
  const running = cells.take(3);
  const finished = cells.take(3);
  return single(cells, ({ day, high, low, close, volume }, replace) => {
    if (!replace) {
      for (let index = 0; index < 3; index += 1) cells.set(finished + index, cells.get(running + index));
    }
    const goesOn = cells.get(finished) === day;
    const typical = (high + low + close) / 3;
    const money = (goesOn ? cells.get(finished + 1) : 0) + typical * volume;
    const shares = (goesOn ? cells.get(finished + 2) : 0) + volume;
    cells.set(running, day);
    cells.set(running + 1, money);
    cells.set(running + 2, shares);
    return shares > 0 ? money / shares : typical;
  });
}
