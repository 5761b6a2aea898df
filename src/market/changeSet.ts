import type { Stock } from './rules/stock.ts';
import type { StockPatch } from './rules/stream.ts';
import { diffPatch, type KnownPatches } from '../lib/mergePatch.ts';
import { byPrice } from './byPrice.ts';
import type { Listing } from './listing.ts';
import type { ChangeSet } from './types.ts';

/**
 * The smallest patches from what the last change set left to what the touched listings are now; new listings whole.
 * @param seq the number of the last change set; 0 when there was none
 * @returns the next change set; null when nothing is different
 */
export function changeSetOf(touched: Iterable<Listing>, seq: number): ChangeSet | null {
  const deleted: string[] = [];
  const changed: { before: Stock | null; stock: Stock }[] = [];
  const patches: KnownPatches = new Map();
  for (const { code, stock, flushed, patch } of touched) {
    if (stock) changed.push({ before: flushed, stock });
    // A snapshot sent before the first change set may have held a stock that was never in one.
    else if (flushed || seq === 0) deleted.push(code);
    if (patch) patches.set(patch.to, patch);
  }
  const upsert: Record<string, StockPatch> = {};
  let count = deleted.length;
  for (const { before, stock } of byPrice(changed, (item) => item.stock)) {
    // A new one is told whole, with its nulls, which a merge patch would not say.
    const patch = before ? diffPatch(before, stock, patches) : stock;
    if (patch === undefined) continue;
    upsert[stock.code] = patch as StockPatch;
    count += 1;
  }
  return count === 0 ? null : { seq: seq + 1, upsert, delete: deleted };
}
