import { isRecord } from '#lib/json.ts';
import { readList, readRecord, readText, readTime } from '#lib/read.ts';
import type { MarketDelta, MarketSnapshot } from './protocol.ts';
import { readEvents } from './readEvents.ts';
import { readMeta, readMetaChange } from './readMeta.ts';
import { readStockPatches } from './readStock.ts';

/**
 * Reads a snapshot event. Only `stocks` and `meta` must be there; what else is missing is unknown.
 * @param text the event's data
 * @param receivedAt epoch ms of this machine's clock
 * @returns null for what is no snapshot: such an event is ignored (specification 4)
 */
export function readSnapshot(text: string, receivedAt: number): MarketSnapshot | null {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value.stocks) || !isRecord(value.meta)) return null;
  const stocks = readStockPatches(value.stocks);
  const fx = readRecord(value.fx);
  return {
    stocks,
    meta: readMeta(value.meta, Object.keys(stocks).length, receivedAt),
    fx: { data: readEvents(fx.data), lastUpdated: readTime(fx.lastUpdated) },
  };
}

/**
 * Reads a delta_update event; parts that are missing change nothing.
 * @param text the event's data
 * @returns null for what is no object: such an event is ignored (specification 4)
 */
export function readDelta(text: string): MarketDelta | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const stocks = readRecord(value.stocks);
  const fx = readRecord(value.fx);
  return {
    stocks: { upsert: readStockPatches(stocks.upsert), delete: readList(stocks.delete, readText) },
    meta: readMetaChange(value.meta),
    fx: {
      upsert: readEvents(fx.upsert),
      delete: readList(fx.delete, readText),
      lastUpdated: readTime(fx.lastUpdated),
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The specification has malformed payloads ignored; the next event stands on its own.
  }
}
