import { withoutNulls } from '../../lib/mergePatch.ts';
import type { Stock } from '../../domain/market/stock.ts';
import type { Snapshot, StockPatch, StreamEvents, StreamMeta } from '../../domain/market/stream.ts';
import { byPrice } from '../../market/byPrice.ts';
import { packEvent } from '../sse/event.ts';
import type { Message } from '../sse/message.ts';
import { byFirstShown } from './firstPart.ts';

/** Stocks in each part after the first. */
const NEXT_PARTS = 500;

/** What a snapshot is made of. */
export type State = { stocks: Iterable<Stock>; meta: StreamMeta; fx: Snapshot['fx'] };

const packed = <Name extends keyof StreamEvents>(
  event: Name,
  id: string,
  data: StreamEvents[Name],
): Message => packEvent(event, id, data);

/** Unknown members are left out: absent means unknown. */
function wireStocks(stocks: readonly Stock[]): Record<string, StockPatch> {
  const result: Record<string, StockPatch> = {};
  for (const stock of byPrice(stocks, (item) => item)) result[stock.code] = withoutNulls(stock) as StockPatch;
  return result;
}

/** The whole state as one snapshot event. */
export function packWhole(state: State, id: string): Message[] {
  const stocks = [...state.stocks];
  const meta = { ...state.meta, stockCount: stocks.length };
  return [packed('snapshot', id, { stocks: wireStocks(stocks), meta, fx: state.fx })];
}

/**
 * The state as a snapshot event with the stocks that are shown first, and delta_update events that bring the rest. Only
 * the last carries the id that can be resumed from, so that an interrupted start is never resumed half.
 */
export function packParts(state: State, id: string): Message[] {
  const { stocks, first } = byFirstShown(state.stocks, state.meta);
  const meta = { ...state.meta, stockCount: stocks.length };
  const count = 1 + Math.ceil((stocks.length - first) / NEXT_PARTS);
  const idOf = (part: number): string => (part === count - 1 ? id : `${id}.${part + 1}`);
  const messages = [
    packed('snapshot', idOf(0), { stocks: wireStocks(stocks.slice(0, first)), meta, fx: state.fx }),
  ];
  for (let part = 1; part < count; part += 1) {
    const from = first + (part - 1) * NEXT_PARTS;
    messages.push(
      packed('delta_update', idOf(part), {
        stocks: { upsert: wireStocks(stocks.slice(from, from + NEXT_PARTS)), delete: [] },
        meta: { stockCount: stocks.length },
        fx: { upsert: {}, delete: [], lastUpdated: state.fx.lastUpdated },
      }),
    );
  }
  return messages;
}
