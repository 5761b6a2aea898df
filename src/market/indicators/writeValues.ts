import type { Stock } from '../../domain/market/stock.ts';
import type { Log } from '../../lib/log.ts';
import type { Market } from '../types.ts';
import { type Frame, writeFrame } from './frame.ts';
import type { Place } from './plan.ts';
import { createValueChanges } from './valueChanges.ts';

/** Puts the new values of a stock into the Market. @returns false when they could not be computed */
export type StockWriter = (stock: Stock, frames: readonly Frame[]) => boolean;

export function createStockWriter(market: Market, log: Log): StockWriter {
  const changes = createValueChanges();
  return (stock, frames) => {
    let isComputed = true;
    changes.begin(stock);
    try {
      for (const frame of frames) writeFrame(frame, changes);
    } catch (error) {
      log.error('Indicators of a stock could not be computed; the others go on', { code: stock.code, error });
      isComputed = false;
    }
    const values = changes.result();
    if (values) market.setValues(stock.code, values, values.patch);
    return isComputed;
  };
}

/** Removes the values at these places from all stocks. */
export function removeValues(market: Market, places: readonly Place[]): void {
  if (places.length === 0) return;
  const changes = createValueChanges();
  for (const stock of [...market.all().values()]) {
    if (!stock.indicators && !stock.htf) continue;
    changes.begin(stock);
    for (const place of places) changes.set(place, null);
    const values = changes.result();
    if (values) market.setValues(stock.code, values);
  }
}
