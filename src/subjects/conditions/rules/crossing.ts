import type { Stock } from '#market/rules/stock.ts';
import { type Side, sideOf } from './comparison.ts';
import type { Condition } from './condition.ts';
import { type Reader, readerOf } from './reader.ts';
import type { IgnoresStatus } from './scanFields.ts';

/** A condition with `crosses_above` (to 1) or `crosses_below` (to −1). */
export type Crossing = { readLeft: Reader; readRight: Reader; to: 1 | -1 };

export const crossingOf = (
  condition: Condition,
  op: 'crosses_above' | 'crosses_below',
  ignoreStatus?: IgnoresStatus,
): Crossing => ({
  readLeft: readerOf(condition.lhs, ignoreStatus),
  readRight: readerOf(condition.rhs, ignoreStatus),
  to: op === 'crosses_above' ? 1 : -1,
});

/** What a crossing remembers of one stock: the side at the last evaluation with both values, and when it crossed. */
type Past = { side: Side | null; crossedAt: number };

/** Updates `past`; the first evaluation of a stock only takes note of the side. */
function isCrossed(crossing: Crossing, past: Past, stock: Stock, now: number, holdMs: number): boolean {
  const left = crossing.readLeft(stock, now);
  const right = crossing.readRight(stock, now);
  if (left === null || right === null) return false;
  const { to } = crossing;
  const side = sideOf(left, right);
  const before = past.side;
  past.side = side;
  if (side !== to) past.crossedAt = Number.NEGATIVE_INFINITY;
  else if (before !== null && before !== to) {
    past.crossedAt = now;
    return true;
  }
  return holdMs > 0 && now - past.crossedAt <= holdMs;
}

export type Crossings = {
  /**
   * Takes note of a stock. Gives of each crossing, in order, whether it happened at `now` or not longer than the holding
   * time before; the same array each time.
   */
  look(stock: Stock, now: number): readonly boolean[];
  /** Forgets the stocks that are not listed any more. */
  keepOnly(stocks: ReadonlyMap<string, Stock>): void;
};

/**
 * Crossings with the memory that each needs of every stock.
 * @param holdMs how long a crossing counts while its sides stay as they are, ms
 */
export function createCrossings(crossings: readonly Crossing[], holdMs: number): Crossings {
  const pasts = new Map<string, Past[]>();
  const crossed = crossings.map(() => false);

  function pastsOf(code: string): Past[] {
    const existing = pasts.get(code);
    if (existing) return existing;
    const created = crossings.map((): Past => ({ side: null, crossedAt: Number.NEGATIVE_INFINITY }));
    pasts.set(code, created);
    return created;
  }

  return {
    look(stock, now) {
      if (crossings.length === 0) return crossed;
      const own = pastsOf(stock.code);
      // Each has its own memory to keep, so none is skipped after one has failed.
      for (const [index, crossing] of crossings.entries()) {
        const past = own[index];
        if (past) crossed[index] = isCrossed(crossing, past, stock, now, holdMs);
      }
      return crossed;
    },
    keepOnly(stocks) {
      if (pasts.size <= stocks.size) return;
      for (const code of pasts.keys()) if (!stocks.has(code)) pasts.delete(code);
    },
  };
}
