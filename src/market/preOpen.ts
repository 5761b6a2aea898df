import type { SessionPhase } from '../domain/session.ts';
import type { PreOpenSnapshot, Stock } from '../domain/stock.ts';

const isTrading = (stock: Stock): boolean =>
  stock.status !== 'Pre Open' && stock.status !== 'Halted' && stock.status !== 'Suspended';

/**
 * The last indicative auction result, when this change is the moment it ends: the stock starts to trade, or the
 * opening auction takes its match price away. Null at any other change.
 * @param now the market's clock, epoch ms
 */
export function endOfPreOpen(
  before: Stock,
  after: Stock,
  phase: SessionPhase,
  now: number,
): PreOpenSnapshot | null {
  if (before.status !== 'Pre Open') return null;
  const auctioned = phase === 'ospa' && after.match_price === null;
  if (!isTrading(after) && !auctioned) return null;
  const from = after.match_price === null ? before : after;
  if (from.match_price === null) return null;
  return {
    capturedAt: new Date(now).toISOString(),
    indicativeChangePercent: from.indicativeChangePercent,
    match_price: from.match_price,
    match_vol: from.match_vol,
    match_value: from.match_value,
    buy_surplus: from.buy_surplus,
  };
}
