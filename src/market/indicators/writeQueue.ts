import type { Log } from '../../lib/log.ts';
import type { Market } from '../types.ts';
import type { FrameLoader } from './loadFrames.ts';
import { createStockWriter } from './writeValues.ts';

/**
 * How many values of changed stocks a tick computes; those of the stocks beyond it follow in the next ticks. A batch may
 * change all stocks at once, and a thousand of them with 200 columns would hold the loop for a tenth of a second. All
 * stocks with ten columns fit, and computed they cost about 10 ms.
 */
export const MAX_VALUES_A_TICK = 20_000;

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
    const ofStock = Math.max(1, loader.plan().places.size);
    let left = MAX_VALUES_A_TICK;
    for (const code of changed) {
      if (left <= 0) return;
      changed.delete(code);
      if (loaded.has(code)) continue;
      write(code);
      left -= ofStock;
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
