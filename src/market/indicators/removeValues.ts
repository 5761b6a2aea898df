import type { Market } from '../types.ts';
import type { Frame } from './frame.ts';
import type { Output, Place } from './plan.ts';
import { createValueChanges } from './valueChanges.ts';
import { putChanges } from './writeValues.ts';

/** Takes values that are not in use any more out of the stocks, a share of them a tick. */
export type ValueRemover = {
  /** The values of these outputs are to go from all stocks that do not compute them again meanwhile. */
  add(outputs: readonly Output[]): void;
  /** Goes on for so many places looked at. @returns whether anything is left to do */
  work(places: number): boolean;
};

/** @param framesOf the frames that a stock has now */
export function createValueRemover(
  market: Market,
  framesOf: (code: string) => readonly Frame[] | undefined,
): ValueRemover {
  const changes = createValueChanges();
  /** By their text. */
  const removed = new Map<string, Place>();
  /** Stocks that may still hold some of them. */
  const waiting = new Set<string>();

  /** Those that the stock's frames write: chosen again since they were removed. */
  function inUse(code: string): Set<string> {
    const ids = new Set<string>();
    for (const { plan } of framesOf(code) ?? []) {
      for (const { isGone, placeId } of plan.outputs) if (!isGone && removed.has(placeId)) ids.add(placeId);
    }
    return ids;
  }

  function removeFrom(code: string): void {
    const stock = market.get(code);
    if (!stock?.indicators && !stock?.htf) return;
    const kept = inUse(code);
    changes.begin(stock);
    for (const [id, place] of removed) if (!kept.has(id)) changes.set(place, null);
    putChanges(market, code, changes);
  }

  return {
    add(outputs) {
      if (outputs.length === 0) return;
      for (const { placeId, place } of outputs) removed.set(placeId, place);
      for (const code of market.all().keys()) waiting.add(code);
    },
    work(places) {
      let left = places;
      for (const code of waiting) {
        if (left <= 0) return true;
        waiting.delete(code);
        removeFrom(code);
        left -= removed.size;
      }
      removed.clear();
      return false;
    },
  };
}
