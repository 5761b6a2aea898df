import type { Stock } from '../../domain/market/stock.ts';
import type { Delta, Snapshot, StockPatch, StreamEvents, StreamMeta } from '../../domain/market/stream.ts';
import type { ScannerKey } from '../../domain/scanners/scanners.ts';
import { byPrice } from '../../market/byPrice.ts';
import { packEvent } from '../sse/event.ts';
import type { Message } from '../sse/message.ts';
import { beginningOf, byFirstShown } from './firstPart.ts';

/** Stocks in each part after the first. */
const NEXT_PARTS = 500;
/** Events of the calendar in a part. */
const EVENTS_A_PART = 500;

const NO_FX: Delta['fx'] = { upsert: {}, delete: [], lastUpdated: null };

/** What a snapshot is made of. */
export type State = { stocks: Iterable<Stock>; meta: StreamMeta; fx: Snapshot['fx'] };

const packed = <Name extends keyof StreamEvents>(
  event: Name,
  id: string,
  data: StreamEvents[Name],
): Message => packEvent(event, id, data);

/** Whole records: the specification names their members, so what is unknown is there, as null. */
function wireStocks(stocks: readonly Stock[]): Record<string, StockPatch> {
  const result: Record<string, StockPatch> = {};
  for (const stock of byPrice(stocks, (item) => item)) result[stock.code] = stock;
  return result;
}

/** The data of a snapshot event of the whole state. */
export function wholeOf(state: State): Snapshot {
  const stocks = [...state.stocks];
  const meta = { ...state.meta, stockCount: stocks.length };
  return { stocks: wireStocks(stocks), meta, fx: state.fx };
}

/** The whole state as one snapshot event. */
export const packWhole = (state: State, id: string): Message[] => [packed('snapshot', id, wholeOf(state))];

/** A snapshot in parts, so that the first rows show before the bulk is on the wire. */
export type Parts = {
  /** A snapshot of what every scanner's tables begin with. */
  first: Message;
  /** A smaller one, of what one scanner's begin with; null where any stock may come first. Packed when first asked for. */
  ofScanner(key: ScannerKey): Message | null;
  /** The stocks of `first`, for who was given one scanner's. Packed when first asked for. */
  firstLater(): Message;
  /** delta_update events with the calendar's events, then with all other stocks. */
  others: readonly Message[];
};

/** The calendar's events in parts; the last says when they changed, so that nobody takes some for all. */
function eventParts({ data, lastUpdated }: Snapshot['fx']): Delta['fx'][] {
  const events = Object.entries(data);
  const count = Math.ceil(events.length / EVENTS_A_PART);
  return Array.from({ length: count }, (_, part) => ({
    upsert: Object.fromEntries(events.slice(part * EVENTS_A_PART, (part + 1) * EVENTS_A_PART)),
    delete: [],
    lastUpdated: part === count - 1 ? lastUpdated : null,
  }));
}

/**
 * The state in parts. Only the last carries the id that can be resumed from, so that an interrupted start is never
 * resumed half.
 */
export function packParts(state: State, id: string): Parts {
  const { stocks, first } = byFirstShown(state.stocks, state.meta);
  const meta = { ...state.meta, stockCount: stocks.length };
  const events = eventParts(state.fx);
  const count = 1 + events.length + Math.ceil((stocks.length - first) / NEXT_PARTS);
  const idOf = (part: number): string => (part === count - 1 ? id : `${id}.${part + 1}`);
  const snapshot = (given: readonly Stock[], of: string): Message =>
    packed('snapshot', of, {
      stocks: wireStocks(given),
      meta,
      fx: { data: {}, lastUpdated: events.length === 0 ? state.fx.lastUpdated : null },
    });
  const addition = (given: readonly Stock[], fx: Delta['fx'], of: string): Message =>
    packed('delta_update', of, {
      stocks: { upsert: wireStocks(given), delete: [] },
      meta: { stockCount: stocks.length },
      fx,
    });
  const others = events.map((fx, at) => addition([], fx, idOf(1 + at)));
  for (let from = first; from < stocks.length; from += NEXT_PARTS) {
    others.push(addition(stocks.slice(from, from + NEXT_PARTS), NO_FX, idOf(1 + others.length)));
  }
  const beginning = stocks.slice(0, first);
  const ofScanner = new Map<ScannerKey, Message>();
  let firstLater: Message | undefined;
  return {
    first: snapshot(beginning, idOf(0)),
    ofScanner(key) {
      // A scan of one's own may begin with any stock: it is given the first of all.
      if (key === 'custom') return null;
      const message = ofScanner.get(key) ?? snapshot(beginningOf(key, stocks, state.meta), `${id}.0`);
      ofScanner.set(key, message);
      return message;
    },
    firstLater: () => (firstLater ??= addition(beginning, NO_FX, idOf(0))),
    others,
  };
}
