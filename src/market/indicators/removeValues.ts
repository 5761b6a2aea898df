import type { Market } from '../types.ts';
import type { Output, Place } from './plan.ts';
import { createValueChanges } from './valueChanges.ts';
import { putChanges } from './writeValues.ts';

/** Takes values that are not in use any more out of the stocks, a share of them a tick. */
export type ValueRemover = {
  /** The values of these outputs are to go from all stocks. */
  add(outputs: readonly Output[]): void;
  /** Those at these places stay, wherever they are not gone yet: they are in use again. */
  keep(placeIds: ReadonlySet<string>): void;
  /** Goes on for so many places looked at. */
  work(places: number): void;
};

export function createValueRemover(market: Market): ValueRemover {
  const changes = createValueChanges();
  /** By their ids. */
  const removed = new Map<string, Place>();
  /** Stocks that may still hold some of them. */
  const waiting = new Set<string>();

  function removeFrom(code: string): void {
    const stock = market.get(code);
    if (!stock?.indicators && !stock?.htf) return;
    changes.begin(stock);
    for (const place of removed.values()) changes.set(place, null);
    putChanges(market, code, changes);
  }

  return {
    add(outputs) {
      if (outputs.length === 0) return;
      for (const { placeId, place } of outputs) removed.set(placeId, place);
      for (const code of market.all().keys()) waiting.add(code);
    },
    keep(placeIds) {
      for (const id of placeIds) removed.delete(id);
    },
    work(places) {
      let left = places;
      for (const code of waiting) {
        if (left <= 0) return;
        waiting.delete(code);
        removeFrom(code);
        left -= Math.max(1, removed.size);
      }
      removed.clear();
    },
  };
}
