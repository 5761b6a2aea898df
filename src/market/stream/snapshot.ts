import { EVENT_END, eventHead, packEvent, toBytes } from '#platform/sse/event.ts';
import { loneMessage, type Message, packQuickly } from '#platform/sse/message.ts';
import type { Stock } from '../rules/stock.ts';
import { livePrice } from '../rules/stockState.ts';
import type { Delta, Snapshot, StockPatch, StreamEvents, StreamMeta } from '../rules/stream.ts';
import { BASE_COLUMNS } from '../scanners/rules/columns.ts';
import { defaultFilters } from '../scanners/rules/filters.ts';
import { belongsTo, rowsFor, type ScannerRow, snapshotRowsFor } from '../scanners/rules/membership.ts';
import { SCANNER_KEYS, type ScannerKey, SCANNERS } from '../scanners/rules/scanners.ts';

/**
 * Sorts stocks for sending: neighbours with similar prices share digits, which compresses 3 % better. Each
 * price is computed once, because this runs at every tick.
 */
export const byPrice = <Item>(items: readonly Item[], stockOf: (item: Item) => Stock): Item[] =>
  items
    .map((item) => ({ item, price: livePrice(stockOf(item)) ?? 0 }))
    .sort((a, b) => a.price - b.price)
    .map(({ item }) => item);

const ROWS_A_TABLE = 30;
const ROWS_OF_SCANNER = 60;
/** Minimum stocks, so that other filters have results too. */
const MIN_STOCKS = 150;

type Meta = Pick<StreamMeta, 'flags' | 'dateToday'>;

function rankOf(key: ScannerKey): (row: ScannerRow) => number {
  const metric = BASE_COLUMNS[key].find(({ id }) => id === SCANNERS[key].metric.id);
  return (row) => {
    const value = metric?.value(row);
    return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY;
  };
}

function topOf(rows: readonly ScannerRow[], key: ScannerKey): string[] {
  const rank = rankOf(key);
  const ranked = rows.map((row) => ({ code: row.code, rank: rank(row) }));
  ranked.sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
  return ranked.map(({ code }) => code);
}

/** The rows of a scanner's tables in the usual order, with the usual filters. */
function tablesOf(key: ScannerKey, stocks: readonly Stock[], { flags, dateToday: today }: Meta): string[][] {
  const filters = defaultFilters(key === 'preMarket');
  const live = rowsFor(key, stocks, { filters, ignoreStatus: flags.ignoreStatus, today });
  const tables = [topOf(live, key)];
  if (key === 'preMarket') tables.push(topOf(snapshotRowsFor(stocks, { filters, today }), key));
  return tables;
}

/** The importance of a stock: the largest rise or gap first, then the largest trade. */
const rise = (stock: Stock): number =>
  Math.max(stock.change_percent ?? -1e3, stock.indicativeChangePercent ?? -1e3, stock.preOpen ? 0 : -1e3);
const size = (stock: Stock): number => Math.max(stock.value ?? 0, stock.match_value ?? 0);

/**
 * The stocks in the order that pages need: first the top rows of each scanner, filled up with the largest
 * rises, then the others.
 * @returns all of them, and how many come first
 */
export function byFirstShown(given: Iterable<Stock>, meta: Meta): { stocks: Stock[]; first: number } {
  const stocks = [...given].sort((a, b) => rise(b) - rise(a) || size(b) - size(a));
  const tables = SCANNER_KEYS.flatMap((key) => tablesOf(key, stocks, meta));
  const wanted = new Set(tables.flatMap((codes) => codes.slice(0, ROWS_A_TABLE)));
  for (const { code } of stocks) {
    if (wanted.size >= MIN_STOCKS) break;
    wanted.add(code);
  }
  const first = stocks.filter(({ code }) => wanted.has(code));
  const others = stocks.filter(({ code }) => !wanted.has(code));
  return { stocks: [...first, ...others], first: first.length };
}

/** The top rows of a scanner, filled up with members that its usual filters hide. */
export function beginningOf(key: ScannerKey, stocks: readonly Stock[], meta: Meta): Stock[] {
  const tables = tablesOf(key, stocks, meta);
  const wanted = new Set(tables.flatMap((codes) => codes.slice(0, ROWS_OF_SCANNER / tables.length)));
  const members = stocks.filter((stock) => belongsTo(key, stock, meta.flags.ignoreStatus));
  for (const code of topOf(members, key)) {
    if (wanted.size >= ROWS_OF_SCANNER) break;
    wanted.add(code);
  }
  return stocks.filter(({ code }) => wanted.has(code));
}

const NEXT_PARTS = 500;
const EVENTS_A_PART = 500;

const NO_FX: Delta['fx'] = { upsert: {}, delete: [], lastUpdated: null };

export type State = { stocks: Iterable<Stock>; meta: StreamMeta; fx: Snapshot['fx'] };

const packed = <Name extends keyof StreamEvents>(
  event: Name,
  id: string,
  data: StreamEvents[Name],
): Message => packEvent(event, id, data);

/** Complete records, because the specification names their members; unknown ones are null. */
function wireStocks(stocks: readonly Stock[]): Record<string, StockPatch> {
  const result: Record<string, StockPatch> = {};
  for (const stock of byPrice(stocks, (item) => item)) result[stock.code] = stock;
  return result;
}

export function wholeOf(state: State): Snapshot {
  const stocks = [...state.stocks];
  const meta = { ...state.meta, stockCount: stocks.length };
  return { stocks: wireStocks(stocks), meta, fx: state.fx };
}

const STOCKS_A_STEP = 50;
/** Characters compressed per step, 5 ms; separate compression costs little size. */
const PACKED_A_STEP = 128_000;

/**
 * Text with stocks, in steps; a step returns a part of it or nothing.
 * @param before the text up to the first stock
 * @param after the text after the last
 */
function* textOf(before: string, stocks: readonly Stock[], after: string): Generator<string | undefined> {
  const ordered = byPrice(stocks, (item) => item);
  let text = before;
  for (let from = 0; from < ordered.length; from += STOCKS_A_STEP) {
    const some = wireStocks(ordered.slice(from, from + STOCKS_A_STEP));
    text += `${from === 0 ? '' : ','}${JSON.stringify(some).slice(1, -1)}`;
    yield;
    if (text.length < PACKED_A_STEP) continue;
    yield text;
    text = '';
  }
  yield `${text}${after}`;
}

/**
 * An event with stocks, in steps.
 * @param before its text up to the first stock
 * @param after the text after the last
 * @returns messages with consecutive parts of the text, to be sent together
 */
function* packStocks(
  before: string,
  stocks: readonly Stock[],
  after: string,
): Generator<undefined, Message[]> {
  const parts: Message[] = [];
  for (const text of textOf(before, stocks, `${after}${EVENT_END}`)) {
    if (text !== undefined) parts.push(loneMessage(toBytes(text)));
    yield;
  }
  return parts;
}

export function* packWhole(state: State, id: string): Generator<undefined, Message[]> {
  const stocks = [...state.stocks];
  const meta = { ...state.meta, stockCount: stocks.length };
  return yield* packStocks(
    `${eventHead('snapshot', id)}{"stocks":{`,
    stocks,
    `},"meta":${JSON.stringify(meta)},"fx":${JSON.stringify(state.fx)}}`,
  );
}

export function* packData(state: State): Generator<undefined, Uint8Array> {
  const stocks = [...state.stocks];
  const meta = { ...state.meta, stockCount: stocks.length };
  const after = `},"meta":${JSON.stringify(meta)},"fx":${JSON.stringify(state.fx)}}`;
  const blocks: Uint8Array[] = [];
  for (const part of textOf('{"stocks":{', stocks, after)) {
    if (part !== undefined) blocks.push(packQuickly(toBytes(part)));
    yield;
  }
  return Buffer.concat(blocks);
}

export type Parts = {
  first: Message;
  /** The top rows of one scanner; null if any stock may be first. Packed on first use. */
  ofScanner(key: ScannerKey): Message | null;
  /** The rest of `first` after `ofScanner`. Packed on first use. */
  firstLater(): Message;
  /** delta_update events with calendar events, then all other stocks; sent together. */
  others: readonly Message[];
};

/** Calendar events in parts; only the last has the time of change, so a part is not mistaken for all. */
function eventParts({ data, lastUpdated }: Snapshot['fx']): Delta['fx'][] {
  const events = Object.entries(data);
  const count = Math.ceil(events.length / EVENTS_A_PART);
  return Array.from({ length: count }, (_, part) => ({
    upsert: Object.fromEntries(events.slice(part * EVENTS_A_PART, (part + 1) * EVENTS_A_PART)),
    delete: [],
    lastUpdated: part === count - 1 ? lastUpdated : null,
  }));
}

/** Events of one state in parts; `of` is the id of each. */
function partEvents({ meta, fx }: State, stockCount: number, hasEvents: boolean) {
  return {
    snapshot: (given: readonly Stock[], of: string): Message =>
      packed('snapshot', of, {
        stocks: wireStocks(given),
        meta: { ...meta, stockCount },
        fx: { data: {}, lastUpdated: hasEvents ? null : fx.lastUpdated },
      }),
    addition: (given: readonly Stock[], change: Delta['fx'], of: string): Message =>
      packed('delta_update', of, {
        stocks: { upsert: wireStocks(given), delete: [] },
        meta: { stockCount },
        fx: change,
      }),
  };
}

/** The state in parts. Only the last has a resumable id, so an interrupted start is never resumed halfway. */
export function* packParts(state: State, id: string): Generator<undefined, Parts> {
  const { stocks, first } = byFirstShown(state.stocks, state.meta);
  yield;
  const events = eventParts(state.fx);
  const count = 1 + events.length + Math.ceil((stocks.length - first) / NEXT_PARTS);
  const idOf = (part: number): string => (part === count - 1 ? id : `${id}.${part + 1}`);
  const { snapshot, addition } = partEvents(state, stocks.length, events.length > 0);
  const others = events.map((fx, at) => addition([], fx, idOf(1 + at)));
  const tail = `},"delete":[]},"meta":{"stockCount":${stocks.length}},"fx":${JSON.stringify(NO_FX)}}`;
  let part = others.length;
  for (let from = first; from < stocks.length; from += NEXT_PARTS) {
    const head = `${eventHead('delta_update', idOf(1 + part))}{"stocks":{"upsert":{`;
    others.push(...(yield* packStocks(head, stocks.slice(from, from + NEXT_PARTS), tail)));
    part += 1;
  }
  const beginning = stocks.slice(0, first);
  const ofScanner = new Map<ScannerKey, Message>();
  let firstLater: Message | undefined;
  return {
    first: snapshot(beginning, idOf(0)),
    ofScanner(key) {
      if (key === 'custom') return null;
      const message = ofScanner.get(key) ?? snapshot(beginningOf(key, stocks, state.meta), `${id}.0`);
      ofScanner.set(key, message);
      return message;
    },
    firstLater: () => (firstLater ??= addition(beginning, NO_FX, idOf(0))),
    others,
  };
}
