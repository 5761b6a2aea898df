import type { Calc } from '../types.ts';
import type { Cells } from './cells.ts';
import { Counter, Previous, several, single, trueRange, typicalPrice } from './make.ts';
import { Exponential, Wilder } from './smoothing.ts';
import { BarWindow, Window } from './window.ts';

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
  const closes = new BarWindow(cells, 'close', length);
  return single(cells, (bar, replace) => {
    closes.take(bar, replace);
    return closes.isFull() ? closes.sum() / length : null;
  });
}

/** Hull moving average of the close: WMA(√n) of 2·WMA(n/2) − WMA(n), lengths rounded down. */
export function hull(cells: Cells, length: number): Calc {
  const half = Math.floor(length / 2);
  const root = Math.floor(Math.sqrt(length));
  const closes = new BarWindow(cells, 'close', length);
  const lines = new Window(cells, root);
  return single(cells, (bar, replace) => {
    closes.take(bar, replace);
    if (!closes.isFull()) return null;
    lines.push(2 * closes.weightedMean(half) - closes.weightedMean(length), replace);
    return lines.isFull() ? lines.weightedMean(root) : null;
  });
}

/** Mean of the last `length` closes, weighted by volume. */
export function volumeWeighted(cells: Cells, length: number): Calc {
  const flows = new Window(cells, length);
  const volumes = new BarWindow(cells, 'volume', length);
  return single(cells, (bar, replace) => {
    flows.push(bar.close * bar.volume, replace);
    volumes.take(bar, replace);
    return flows.isFull() ? flows.sum() / volumes.sum() : null;
  });
}

/** Upper, basis, lower: SMA of the close ± 2 population standard deviations. */
export function bollinger(cells: Cells, length: number): Calc {
  const closes = new BarWindow(cells, 'close', length);
  return several(cells, 3, (bar, replace, put) => {
    closes.take(bar, replace);
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
  const average = new Exponential(cells, 20);
  const count = new Counter(cells);
  const ranges = new Wilder(cells, 10);
  const closes = new Previous(cells);
  return several(cells, 3, (bar, replace, put) => {
    const basis = average.update(bar.close, replace);
    const range = ranges.update(trueRange(bar, closes.update(bar.close, replace)), replace);
    if (count.update(replace) < 20 || range === null) return;
    put(0, basis + 2 * range);
    put(1, basis);
    put(2, basis - 2 * range);
  });
}

/**
 * VWAP: the typical price weighted by volume since the first bar of the trading session. Bars of a day and longer are a
 * session each, so that it is their typical price, (high + low + close) / 3. Unknown before a share is traded.
 */
export function sessionVwap(cells: Cells): Calc {
  // Of the running bar's session: its day, and the sums up to and including that bar; then the same of the last finished one.
  const running = cells.take(3);
  const finished = cells.take(3);
  return single(cells, (bar, replace) => {
    const { day, volume } = bar;
    if (!replace) {
      for (let index = 0; index < 3; index += 1) cells.set(finished + index, cells.get(running + index));
    }
    const goesOn = cells.get(finished) === day;
    const money = (goesOn ? cells.get(finished + 1) : 0) + typicalPrice(bar) * volume;
    const shares = (goesOn ? cells.get(finished + 2) : 0) + volume;
    cells.set(running, day);
    cells.set(running + 1, money);
    cells.set(running + 2, shares);
    return money / shares;
  });
}
