import type { Stock } from '../rules/stock.ts';
import type { Log } from '../../lib/log.ts';
import type { Market } from '../types.ts';
import { type Frame, writeFrame } from './frame.ts';
import { createValueChanges, type ValueChanges } from './valueChanges.ts';

/** Puts the changes collected for a stock into the Market. @returns how many values changed */
export function putChanges(market: Market, code: string, changes: ValueChanges): number {
  const values = changes.result();
  if (values) market.setValues(code, values, values.patch);
  return changes.count();
}

/** What came of writing a stock's values: how many changed, and whether all could be computed. */
export type Written = { values: number; isComputed: boolean };

/** Puts the new values of a stock into the Market. @param places the ids of those that are in use now */
export type StockWriter = (stock: Stock, frames: readonly Frame[], places: ReadonlySet<string>) => Written;

export function createStockWriter(market: Market, log: Log): StockWriter {
  const changes = createValueChanges();
  return (stock, frames, places) => {
    let isComputed = true;
    changes.begin(stock);
    try {
      for (const frame of frames) writeFrame(frame, places, changes);
    } catch (error) {
      log.error('Indicators of a stock could not be computed; the others go on', { code: stock.code, error });
      isComputed = false;
    }
    return { values: putChanges(market, stock.code, changes), isComputed };
  };
}
