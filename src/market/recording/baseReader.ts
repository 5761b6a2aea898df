import { emptyStock, type Stock } from '../rules/stock.ts';
import { derive } from '../derive.ts';
import type { QuoteFacts } from '#sources/quotes/source.ts';
import { ByteReader } from '#lib/pack.ts';
import { damaged } from './errors.ts';
import type { RecordedBase, RecordedEvent } from './types.ts';
import { type ReadOptions, readEvents } from './eventReader.ts';
import { FIGURES } from './figures.ts';
import { type BaseRest, readBaseRest } from './readJson.ts';
import { StockTable } from './stockTable.ts';

/** The table that a base begins with. @throws RecordingError */
export function readTable(data: Uint8Array, time: number, options: ReadOptions = {}): StockTable {
  const table = new StockTable();
  readEvents(new ByteReader(data, damaged).part(), table, time, { ...options, isQuiet: true });
  return table;
}

/** What else a base holds. @throws RecordingError */
export function readRest(data: Uint8Array): BaseRest {
  const reader = new ByteReader(data, damaged);
  reader.part();
  return readBaseRest(reader.json());
}

/** The record of a row; null where its stock is not listed. */
function stockOf(table: StockTable, row: number): Stock | null {
  const texts = table.textsOf(row);
  const code = table.codeOf(row);
  if (texts === null || code === undefined) return null;
  const stock: Stock = { ...emptyStock(code), ...texts };
  const numbers = table.numbers();
  const offset = table.offsetOf(row);
  for (const [figure, name] of FIGURES.entries()) {
    const value = numbers[offset + figure] ?? Number.NaN;
    stock[name] = Number.isNaN(value) ? null : value;
  }
  derive(stock, {}, true);
  return stock;
}

/** Announcements and calendar events after what came since the base. */
function withOthers(
  rest: BaseRest,
  others: readonly RecordedEvent[],
): Pick<RecordedBase, 'releases' | 'events'> {
  const releases = new Map(rest.releases.map((release) => [release.id, release]));
  const events = new Map(rest.events.map((event) => [event.id, event]));
  for (const other of others) {
    if (other.kind === 'announcements') for (const one of other.releases) releases.set(one.id, one);
    if (other.kind === 'withdrawn') for (const id of other.ids) releases.delete(id);
    if (other.kind !== 'calendar') continue;
    for (const one of other.events) events.set(one.id, one);
    for (const id of other.removed) events.delete(id);
  }
  return { releases: [...releases.values()], events: [...events.values()] };
}

/**
 * The state that a table holds.
 * @param others what came since the base and is not of stocks, oldest first
 */
export function stateOf(
  table: StockTable,
  time: number,
  rest: BaseRest,
  others: readonly RecordedEvent[],
): RecordedBase {
  const stocks: Stock[] = [];
  const facts: Record<string, QuoteFacts> = {};
  const preOpen: Record<string, NonNullable<Stock['preOpen']>['snapshot']> = {};
  for (let row = 0; row < table.length; row += 1) {
    const stock = stockOf(table, row);
    if (!stock) continue;
    const stated = table.quoteTimeOf(row);
    const newestStated = Number.isNaN(stated) ? null : stated;
    stocks.push(stock);
    if (stock.preOpen) preOpen[stock.code] = stock.preOpen.snapshot;
    facts[stock.code] = {
      quoteTime: newestStated ?? rest.taken[stock.code] ?? time,
      newestStated,
      hasOwnValue: true,
      hasOwnStatus: true,
    };
  }
  return { time, stocks, facts, preOpen, ...withOthers(rest, others) };
}
