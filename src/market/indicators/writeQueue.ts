import type { Log } from '../../lib/log.ts';
import type { Market } from '../types.ts';
import type { FrameLoader } from './loadFrames.ts';
import { createStockWriter } from './writeValues.ts';

/** A batch may change all stocks at once; the values of those beyond this number follow in the next ticks. */
const MAX_STOCKS_A_TICK = 1000;

/**
 * How many values a tick may bring or take away because columns were chosen or given up; the others follow in the next
 * ticks. Computed, compared, encoded and compressed they cost about 5 ms.
 */
export const MAX_NEW_VALUES_A_TICK = 3000;

/** The stocks whose values are to be written into the Market. */
export type WriteQueue = {
  /** A trade may have changed the stock's values. */
  addChanged(code: string): void;
  /** The stock has frames whose values were never written. */
  addLoaded(code: string): void;
  drop(code: string): void;
  clear(): void;
  /** Writes as much as fits into a tick. @returns how many new values still fit into it */
  work(): number;
};

/** @param loader gives the frames whose values are written */
export function createWriteQueue(
  market: Market,
  loader: Pick<FrameLoader, 'framesOf' | 'giveUp' | 'plan'>,
  log: Log,
): WriteQueue {
  const changed = new Set<string>();
  /** In the order in which they were loaded. */
  const loaded = new Set<string>();
  const writeStock = createStockWriter(market, log);

  /** @returns how many values changed */
  function write(code: string): number {
    const stock = market.get(code);
    if (!stock) return 0;
    const { values, isComputed } = writeStock(stock, loader.framesOf(code) ?? [], loader.plan().places);
    if (!isComputed) loader.giveUp(code);
    return values;
  }

  /** The values of a trade ride with it, but for those of stocks that wait for their first turn. */
  function writeChanged(): void {
    let stocks = MAX_STOCKS_A_TICK;
    for (const code of changed) {
      if (stocks === 0) return;
      changed.delete(code);
      if (loaded.has(code)) continue;
      write(code);
      stocks -= 1;
    }
  }

  return {
    addChanged: (code) => void changed.add(code),
    addLoaded: (code) => void loaded.add(code),
    drop(code) {
      changed.delete(code);
      loaded.delete(code);
    },
    clear() {
      changed.clear();
      loaded.clear();
    },
    work() {
      writeChanged();
      let left = MAX_NEW_VALUES_A_TICK;
      for (const code of loaded) {
        if (left <= 0) return 0;
        loaded.delete(code);
        left -= Math.max(1, write(code));
      }
      return Math.max(0, left);
    },
  };
}
