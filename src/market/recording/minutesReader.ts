import { ByteReader } from '#lib/pack.ts';
import type { QuoteFacts } from '#sources/quotes/source.ts';
import { derive } from '../derive.ts';
import { emptyStock, type Stock } from '../rules/stock.ts';
import type { BlockPlace } from './blocks.ts';
import { damaged, type RecordedBase, type RecordedEvent, type RecordedMinute } from './types.ts';
import { type BaseRest, readBaseRest, readEvents, type ReadOptions } from './events.ts';
import { FIGURES } from './figures.ts';
import { addTrade, type Minutes, readMinutes, type Trade, tradeIn } from './minutes.ts';
import type { RecordingFile } from './recordingFile.ts';
import { StockTable } from './stockTable.ts';

export function readTable(data: Uint8Array, time: number, options: ReadOptions = {}): StockTable {
  const table = new StockTable();
  readEvents(new ByteReader(data, damaged).part(), table, time, { ...options, isQuiet: true });
  return table;
}

export function readRest(data: Uint8Array): BaseRest {
  const reader = new ByteReader(data, damaged);
  reader.part();
  return readBaseRest(reader.json());
}

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

export type Segment = { base: BlockPlace; events: BlockPlace[] };

export function segmentsOf(places: readonly BlockPlace[]): Segment[] {
  const segments: Segment[] = [];
  let time = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place.kind !== 'base' && place.kind !== 'events') continue;
    if (place.from < time) throw damaged();
    time = place.until;
    const last = segments.at(-1);
    if (place.kind === 'base') segments.push({ base: place, events: [] });
    else if (last) last.events.push(place);
    else throw damaged();
  }
  return segments;
}

/** The last segment with a base at or before a moment; the first one for earlier moments. */
export function segmentAt(segments: readonly Segment[], time: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.base.from ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Tail = {
  since: number;
  segment: number;
  block: number;
  table: StockTable;
  trades: Map<string, Trade[]>;
};

type File = Pick<RecordingFile, 'places' | 'read'>;

/** Reads the trades of the last minutes, which have no block yet. */
class TailReader {
  private tail: Tail | null = null;

  constructor(
    private readonly file: Pick<File, 'read'>,
    private readonly segments: readonly Segment[],
  ) {}

  minutesOf(code: string, since: number, until: number): RecordedMinute[] {
    const current = this.tail?.since === since ? this.tail : this.begin(since);
    this.tail = null;
    if (!current) return [];
    this.extend(current, until);
    this.tail = current;
    const minutes: Minutes = new Map();
    for (const trade of current.trades.get(code) ?? []) if (trade.time <= until) addTrade(minutes, trade);
    return minutes.get(code) ?? [];
  }

  private tableOf(base: BlockPlace): StockTable {
    return readTable(this.file.read(base), base.from);
  }

  private begin(since: number): Tail | null {
    const segment = segmentAt(this.segments, since - 1);
    const base = this.segments[segment]?.base;
    return base ? { since, segment, block: 0, table: this.tableOf(base), trades: new Map() } : null;
  }

  private readBlock(into: Tail, place: BlockPlace): void {
    readEvents(this.file.read(place), into.table, place.from, {
      isQuiet: true,
      onFigures(figures) {
        const trade = figures.time >= into.since ? tradeIn(into.table, figures) : null;
        if (!trade) return;
        const ofCode = into.trades.get(trade.code);
        if (ofCode) ofCode.push(trade);
        else into.trades.set(trade.code, [trade]);
      },
    });
  }

  private extend(into: Tail, until: number): void {
    for (;;) {
      const place = this.segments[into.segment]?.events[into.block];
      if (place) {
        if (place.from > until) return;
        this.readBlock(into, place);
        into.block += 1;
        continue;
      }
      const next = this.segments[into.segment + 1]?.base;
      if (!next || next.from > until) return;
      Object.assign(into, { segment: into.segment + 1, block: 0, table: this.tableOf(next) });
    }
  }
}

/**
 * Reads minutes. Finished ones are in blocks, each read once and kept: about 20 MB for a day of 2,000 stocks.
 * Later ones are built from events.
 */
export class MinutesReader {
  private readonly blocks: readonly BlockPlace[];
  private readonly kept = new Map<BlockPlace, Minutes>();
  private readonly tail: TailReader;
  private ahead = 0;

  constructor(
    private readonly file: File,
    segments: readonly Segment[],
    private readonly end: number,
  ) {
    this.blocks = file.places.filter(({ kind }) => kind === 'minutes');
    this.tail = new TailReader(file, segments);
  }

  of(code: string, before: number): RecordedMinute[] {
    const found: RecordedMinute[] = [];
    let since = Number.NEGATIVE_INFINITY;
    for (const place of this.blocks) {
      if (place.until > before && before <= this.end) break;
      for (const bar of this.blockOf(place).get(code) ?? []) found.push(bar);
      since = place.until;
    }
    return since > Math.min(before, this.end)
      ? found
      : [...found, ...this.tail.minutesOf(code, since, before)];
  }

  readAhead(): boolean {
    const place = this.blocks[this.ahead];
    if (!place) return true;
    this.ahead += 1;
    this.blockOf(place);
    return false;
  }

  private blockOf(place: BlockPlace): Minutes {
    const minutes = this.kept.get(place) ?? readMinutes(this.file.read(place), place.from);
    this.kept.set(place, minutes);
    return minutes;
  }
}
