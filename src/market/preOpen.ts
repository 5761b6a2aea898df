import { isActive } from './rules/halted.ts';
import type { SessionPhase } from './rules/sessionClock.ts';
import type { PreOpenSnapshot, Stock, StockUpdate } from './rules/stock.ts';
import { sydneyDate } from './rules/sydneyTime.ts';
import type { MarketSession } from './marketSession.ts';
import { matchOf } from './derive.ts';

/**
 * The last indicative result of the opening auction, at the change that ends it: the stock becomes active, or the auction
 * has run and taken the match price away.
 * @param now the market's clock, epoch ms
 * @returns null at any other change
 */
export function endOfPreOpen(
  before: Stock,
  after: Stock,
  phase: SessionPhase,
  now: number,
): PreOpenSnapshot | null {
  if (before.status !== 'Pre Open') return null;
  const isMatched = phase === 'ospa' && after.match_price === null;
  if (!isActive(after) && !isMatched) return null;
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
 * The result of the opening auction for a stock that is first listed after it, as its source states it.
 * @param stock the new record; a snapshot restored from an earlier run takes precedence
 * @returns null when the source states none, or one that is not of a past moment of the session's date
 */
export function pastPreOpen(
  stock: Stock,
  stated: StockUpdate['preOpen'],
  session: Pick<MarketSession, 'now' | 'date'>,
): PreOpenSnapshot | null {
  if (!stated || stock.preOpen) return null;
  const time = Date.parse(stated.capturedAt);
  if (!(time <= session.now) || sydneyDate(time) !== session.date) return null;
  return { ...stated, ...matchOf(stated.match_price, stated.match_vol, stock.close) };
}
