import { isRecord } from '../../../../src/lib/json.ts';
import { applyDelta, readStocks } from '../../../../src/domain/market/applyDelta.ts';
import type { Delta, CalendarEvent, Snapshot } from '../../../../src/domain/market/stream.ts';
import type { MarketState } from './protocol.ts';

/** A payload's JSON, or null when it is not what the event promises; such events are ignored. */
export function parseSnapshot(text: string): Snapshot | null {
  const value = parseJson(text);
  return isRecord(value) && isRecord(value.stocks) && isRecord(value.meta) && isRecord(value.meta.feed)
    ? ({ ...value, fx: isRecord(value.fx) ? value.fx : { data: {}, lastUpdated: null } } as Snapshot)
    : null;
}

export function parseDelta(text: string): Delta | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const stocks = isRecord(value.stocks) ? value.stocks : {};
  const fx = isRecord(value.fx) ? value.fx : {};
  return {
    stocks: {
      upsert: isRecord(stocks.upsert) ? (stocks.upsert as Delta['stocks']['upsert']) : {},
      delete: Array.isArray(stocks.delete) ? stocks.delete.filter((code) => typeof code === 'string') : [],
    },
    meta: (isRecord(value.meta) ? value.meta : {}) as Delta['meta'],
    fx: {
      upsert: isRecord(fx.upsert) ? (fx.upsert as Delta['fx']['upsert']) : {},
      delete: Array.isArray(fx.delete) ? fx.delete.filter((id) => typeof id === 'string') : [],
      lastUpdated: typeof fx.lastUpdated === 'number' ? fx.lastUpdated : null,
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The spec has malformed payloads ignored; the next event stands on its own.
  }
}

/** @param receivedAt epoch ms of this machine's clock */
export function fromSnapshot(snapshot: Snapshot, receivedAt: number): MarketState {
  return {
    stocks: readStocks(snapshot.stocks),
    meta: snapshot.meta,
    fx: {
      data: new Map(Object.entries(snapshot.fx.data ?? {})),
      lastUpdated: snapshot.fx.lastUpdated ?? null,
    },
    receivedAt,
    changedAt: localTimeOf(snapshot.meta.feed.lastUpdate, snapshot.meta, receivedAt),
  };
}

/** The state after a delta; objects that did not change stay identical. */
export function withDelta(state: MarketState, delta: Delta, receivedAt: number): MarketState {
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
  if (upserts.length === 0 && delta.delete.length === 0 && delta.lastUpdated === null) return fx;
  const data = new Map<string, CalendarEvent>(fx.data);
  for (const id of delta.delete) data.delete(id);
  for (const [id, event] of upserts) data.set(id, { ...data.get(id), ...event, id });
  return { data, lastUpdated: delta.lastUpdated ?? fx.lastUpdated };
}

/** A moment of the server's wall clock on this machine's: their clocks may be apart. */
function localTimeOf(
  serverTime: number | null,
  meta: Pick<MarketState['meta'], 'marketTime' | 'clockOffsetMs'>,
  receivedAt: number,
): number | null {
  if (serverTime === null) return null;
  const serverNow = meta.marketTime - meta.clockOffsetMs;
  return Math.min(receivedAt, receivedAt - (serverNow - serverTime));
}
