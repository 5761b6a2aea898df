import { applyEventPatch, type CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { applyDelta, type Delta, readStocks } from '#market/rules/stream.ts';
import type { MarketDelta, MarketMeta, MarketSnapshot, MarketState } from './protocol.ts';

/** @param receivedAt epoch ms by the local clock */
export const fromSnapshot = ({ stocks, meta, fx }: MarketSnapshot, receivedAt: number): MarketState => ({
  stocks: readStocks(stocks),
  meta,
  fx: {
    data: new Map(Object.entries(fx.data).map(([id, patch]) => [id, applyEventPatch(id, undefined, patch)])),
    lastUpdated: fx.lastUpdated,
  },
  receivedAt,
  changedAt: meta.feed && localTimeOf(meta.feed.lastUpdate, meta, receivedAt),
});

export function withDelta(state: MarketState, delta: MarketDelta, receivedAt: number): MarketState {
  const moved = Object.keys(delta.stocks.upsert).length > 0;
  const touched = moved || delta.stocks.delete.length > 0;
  const meta = { ...state.meta, ...delta.meta };
  const dated = delta.meta.marketTime !== undefined;
  const fed = delta.meta.feed && localTimeOf(delta.meta.feed.lastUpdate, meta, receivedAt);
  return {
    stocks: touched ? applyDelta(state.stocks, delta) : state.stocks,
    meta,
    fx: withFxDelta(state.fx, delta.fx),
    receivedAt: dated ? receivedAt : state.receivedAt,
    changedAt: moved ? receivedAt : (fed ?? state.changedAt),
  };
}

function withFxDelta(fx: MarketState['fx'], delta: Delta['fx']): MarketState['fx'] {
  const upserts = Object.entries(delta.upsert);
  const lastUpdated = delta.lastUpdated ?? fx.lastUpdated;
  if (upserts.length === 0 && delta.delete.length === 0) {
    return lastUpdated === fx.lastUpdated ? fx : { ...fx, lastUpdated };
  }
  const data = new Map<string, CalendarEvent>(fx.data);
  for (const id of delta.delete) data.delete(id);
  for (const [id, event] of upserts) data.set(id, applyEventPatch(id, data.get(id), event));
  return { data, lastUpdated };
}

/** Converts the server's wall clock to the local clock. */
function localTimeOf(
  serverTime: number | null,
  meta: Pick<MarketMeta, 'marketTime' | 'clockOffsetMs'>,
  receivedAt: number,
): number | null {
  if (serverTime === null) return null;
  const serverNow = meta.marketTime - meta.clockOffsetMs;
  return Math.min(receivedAt, receivedAt - (serverNow - serverTime));
}
