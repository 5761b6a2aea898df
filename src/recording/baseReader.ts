import { emptyStock, type Stock } from '../domain/market/stock.ts';
import { derive } from '../market/derive.ts';
import type { QuoteFacts } from '../sources/quotes/source.ts';
import { createByteReader, readJsonBytes } from './bytes.ts';
import { damaged } from './errors.ts';
import { readEvents } from './eventReader.ts';
import { type BaseRest, readBaseRest } from './readJson.ts';
import { createStockTable, type StockTable } from './stockTable.ts';
import type { RecordedBase } from './types.ts';

/** A base as it was read: its table, and its parts. */
export type ReadBase = { table: StockTable; base: RecordedBase };

const partsOf = (data: Uint8Array): [Uint8Array, Uint8Array] => {
  const reader = createByteReader(data);
  return [reader.bytes(reader.varint()), reader.bytes(reader.varint())];
};

/** The table that a base begins with. @throws RecordingError */
export function readTable(data: Uint8Array, time: number): StockTable {
  const table = createStockTable();
  readEvents(partsOf(data)[0], table, time);
  return table;
}

function stockOf(update: Partial<Stock> & { code: string; quoteTime?: number }, rest: BaseRest): Stock {
  const { quoteTime: _quoteTime, ...stated } = update;
  const stock: Stock = { ...emptyStock(update.code), ...stated };
  derive(stock, {}, true);
  const snapshot = rest.preOpen[update.code];
  if (snapshot) stock.preOpen = { snapshot };
  return stock;
}

/** @throws RecordingError */
export function readBase(data: Uint8Array, time: number): RecordedBase {
  const [figures, json] = partsOf(data);
  const rest = readBaseRest(readJsonBytes(json));
  const [event] = readEvents(figures, createStockTable(), time);
  if (event && event.kind !== 'stocks') throw damaged();
  const updates = event?.updates ?? [];
  const facts: Record<string, QuoteFacts> = {};
  for (const { code, quoteTime = null } of updates) {
    facts[code] = {
      quoteTime: quoteTime ?? rest.taken[code] ?? null,
      newestStated: quoteTime,
      hasOwnValue: true,
      hasOwnStatus: true,
    };
  }
  return {
    time,
    stocks: updates.map((update) => stockOf(update as Partial<Stock> & { code: string }, rest)),
    facts,
    preOpen: rest.preOpen,
    releases: rest.releases,
    events: rest.events,
  };
}
