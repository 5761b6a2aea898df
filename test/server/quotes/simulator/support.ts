import { mergePatch } from '../../../../src/lib/mergePatch.ts';
import type { StockUpdate } from '../../../../src/domain/market/stock.ts';
import { fromSydney } from '../../../../src/domain/market/sydneyTime.ts';
import type { Exchange } from '../../../../src/sources/quotes/simulator/exchange.ts';

/** A Sydney time of day as epoch ms. */
export function at(date: string, time: string): number {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return fromSydney(date, hour, minute, second);
}

export type Seen = Map<string, StockUpdate>;

/** Brings the exchange to a moment and merges what it says into what was seen; news days are merged too. */
export function advance(exchange: Exchange, seen: Seen, now: number): StockUpdate[] {
  const updates = exchange.advanceTo(now);
  for (const update of updates) {
    const before = seen.get(update.code);
    const news = (update.news ? mergePatch(before?.news, update.news) : before?.news) as StockUpdate['news'];
    seen.set(update.code, { ...before, ...update, ...(news && { news }) });
  }
  return updates;
}

/** The figures of every listing at a moment that must not depend on how the exchange came there. */
export const figures = (seen: Seen): Record<string, unknown> =>
  Object.fromEntries(
    [...seen].map(([code, { status, open, high, low, last, volume, value, match_price, match_vol }]) => [
      code,
      { status, open, high, low, last, volume, value, match_price, match_vol },
    ]),
  );
