import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import type { SseChannel } from '#platform/sse/channel.ts';
import type { OpeningStep } from '#platform/sse/client.ts';
import {
  EVENT_END,
  eventHead,
  loneMessage,
  type Message,
  packEvent,
  packQuickly,
  toBytes,
} from '#platform/sse/message.ts';
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

type Parts = {
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

/** An older snapshot is reused with its deltas while these are smaller than this share of it. */
const WORTH_REUSING = 1 / 8;
/** Maximum age of a reused snapshot, ms, because it contains the market's time. */
const MAX_AGE_MS = 2_000;
/** While slow clients hold this many bytes, an older snapshot is reused with all deltas. */
const MAX_HELD_BYTES = 24 << 20;
type SnapshotsDeps = {
  read(): State;
  /** `read` includes all deltas sent so far. */
  channel: Pick<SseChannel<unknown>, 'seq' | 'idOf' | 'after'>;
  clock: Stopwatch;
};

type Pack<Packed> = (state: State, id: string) => Generator<undefined, Packed>;
type Built<Packed> = {
  seq: number;
  at: number;
  packed: Packed;
  messages: readonly Message[];
  holders: number;
};
type Given<Packed> = { built: Built<Packed>; since: Message[] };

const blockBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { block }) => sum + block.byteLength, 0);
const memoryBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + message.bytes(), 0);

class HeldSnapshots {
  private readonly held = new Set<Built<unknown>>();

  hold(built: Built<unknown>): () => () => void {
    return () => {
      this.held.add(built);
      built.holders += 1;
      return () => {
        built.holders -= 1;
        if (built.holders === 0) this.held.delete(built);
      };
    };
  }

  bytes(): number {
    return [...this.held].reduce((sum, { messages }) => sum + memoryBytes(messages), 0);
  }
}

/** One kind of snapshot: reuses a fresh one or packs a new one, and adds the deltas after it. */
class SharedSnapshot<Packed> {
  private known: Built<Packed> | null = null;
  private running: Promise<void> | null = null;
  private count = 0;

  constructor(
    private readonly deps: SnapshotsDeps,
    private readonly held: HeldSnapshots,
    private readonly pack: Pack<Packed>,
    private readonly messagesOf: (packed: Packed) => readonly Message[],
  ) {}

  built(): number {
    return this.count;
  }

  take(send: (given: Given<Packed>) => OpeningStep): OpeningStep {
    const given = this.usable();
    if (given) return send(given);
    this.running ??= this.renew();
    // Waiting clients get the result even if it took long.
    const next = (): OpeningStep => {
      const made = this.withSince();
      return made ? send(made) : this.take(send);
    };
    return { messages: [], next, after: this.running };
  }

  private withSince(): Given<Packed> | null {
    const built = this.known;
    const since = built && this.deps.channel.after(built.seq);
    return built && since ? { built, since } : null;
  }

  private usable(): Given<Packed> | null {
    const given = this.withSince();
    if (!given) return null;
    const { built, since } = given;
    const isFresh =
      this.deps.clock.monotonic() - built.at <= MAX_AGE_MS &&
      blockBytes(since) <= blockBytes(built.messages) * WORTH_REUSING;
    return isFresh || this.held.bytes() > MAX_HELD_BYTES ? given : null;
  }

  private async renew(): Promise<void> {
    try {
      this.known = await this.build();
    } finally {
      this.running = null;
    }
  }

  /** Packs the present state in steps, during which the market may change. */
  private async build(): Promise<Built<Packed>> {
    const { read, channel, clock } = this.deps;
    const seq = channel.seq();
    const at = clock.monotonic();
    const { stocks, ...state } = read();
    const steps = this.pack({ ...state, stocks: [...stocks] }, channel.idOf(seq));
    this.count += 1;
    const packed = await inSlices(clock, steps);
    return { seq, at, packed, messages: this.messagesOf(packed), holders: 0 };
  }
}

/**
 * Builds and compresses snapshots on demand, in slices, and shares them: clients of one version get the same
 * bytes, later ones with a few deltas. The versions held by slow clients are limited.
 */
export class Snapshots {
  private readonly holding = new HeldSnapshots();
  private readonly wholes: SharedSnapshot<Message[]>;
  private readonly inParts: SharedSnapshot<Parts>;

  constructor(private readonly deps: SnapshotsDeps) {
    this.wholes = new SharedSnapshot(deps, this.holding, packWhole, (messages) => messages);
    const allOf = ({ first, others }: Parts) => [first, ...others];
    this.inParts = new SharedSnapshot(deps, this.holding, packParts, allOf);
  }

  whole(): OpeningStep {
    return this.wholes.take(({ built, since }) => ({
      messages: [...built.packed, ...since],
      next: null,
      hold: this.holding.hold(built),
    }));
  }

  /**
   * The same in parts: the first now, the others later, followed by the changes since the first.
   * @param scanner whose rows come first; null if unknown
   */
  parts(scanner: ScannerKey | null): OpeningStep {
    return this.inParts.take(({ built }) => {
      const beginning = scanner === null ? null : built.packed.ofScanner(scanner);
      const next = (): OpeningStep => this.later(built, beginning !== null);
      return { messages: [beginning ?? built.packed.first], next, hold: this.holding.hold(built) };
    });
  }

  built(): number {
    return this.wholes.built() + this.inParts.built();
  }

  held(): number {
    return this.holding.bytes();
  }

  private later(built: Built<Parts>, isBegun: boolean): OpeningStep {
    const since = this.deps.channel.after(built.seq);
    if (!since) return this.whole();
    const { firstLater, others } = built.packed;
    return {
      messages: [...(isBegun ? [firstLater()] : []), ...others, ...since],
      next: null,
      hold: this.holding.hold(built),
    };
  }
}

/** The opening of a stream; in parts for our own page, which may name its first scanner. */
function opening(request: Request, snapshots: Snapshots): OpeningStep {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('parts') !== '1') return snapshots.whole();
  const named = searchParams.get('scanner');
  return snapshots.parts(SCANNER_KEYS.find((key) => key === named) ?? null);
}

export const marketGreeting = (snapshots: Snapshots): Greeting => ({
  opening: (request) => opening(request, snapshots),
  refresh: () => snapshots.whole(),
});
