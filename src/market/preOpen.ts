import type { SessionPhase } from '../domain/market/sessionClock.ts';
import type { PreOpenSnapshot, Stock, StockUpdate } from '../domain/market/stock.ts';
import { sydneyDate } from '../domain/market/sydneyTime.ts';
import type { MarketDay } from './marketDay.ts';
import { matchOf } from './derive.ts';

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

/**
 * The opening auction's result of a stock that is listed after it: what its source knows of it.
 * @param stock the new record; a snapshot that an earlier run saw stands
 * @returns null when the source says nothing, or nothing of a past moment of the market's date
 */
export function pastPreOpen(
  stock: Stock,
  stated: StockUpdate['preOpen'],
  today: Pick<MarketDay, 'now' | 'date'>,
): PreOpenSnapshot | null {
  if (!stated || stock.preOpen) return null;
  const time = Date.parse(stated.capturedAt);
  if (!(time <= today.now) || sydneyDate(time) !== today.date) return null;
  return { ...stated, ...matchOf(stated.match_price, stated.match_vol, stock.close) };
}
