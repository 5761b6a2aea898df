import type { MinuteBar } from '../bars/rules/bars.ts';
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { errorCode } from '#lib/errors.ts';
import { writeDurably } from '#lib/files.ts';
import { ByteReader, jsonOf } from '#lib/pack.ts';
import type { QuoteFacts } from '../sources/quotes.ts';
import { derive } from '../derive.ts';
import { emptyStock, type Stock } from '../rules/stock.ts';
import {
  BLOCK_BYTES,
  type BlockHeader,
  type BlockPlace,
  checkHead,
  checksumOf,
  readBlockHeader,
  readStart,
  START_BYTES,
  unpackBlock,
  utcOffsetOf,
} from './blocks.ts';
import { DayBook, type Recording } from './dayBook.ts';
import { type BaseRest, readBaseRest, readEvents, type ReadOptions } from './events.ts';
import { FIGURES, LAST, MATCH_PRICE, MATCH_VOLUME, OPEN, SURPLUS, VOLUME } from './figures.ts';
import { KnownNews } from './knownNews.ts';
import { addTrade, type Minutes, readMinutes, type Trade, tradeIn } from './minutes.ts';
import { recordingName } from './rules/recordingName.ts';
import { StockTable } from './stockTable.ts';
import {
  damaged,
  type ReadOutline,
  type RecordedBase,
  type RecordedEvent,
  RecordingError,
  type StockOutline,
} from './types.ts';

type RecordingFile = {
  head: unknown;
  places: readonly BlockPlace[];
  until: number | null;
  read(place: BlockPlace): Uint8Array;
  close(): void;
};

type Handle = { fd: number; size: number };

function bytesAt({ fd }: Handle, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, offset + done);
    if (read === 0) return bytes.subarray(0, done);
    done += read;
  }
  return bytes;
}

function openHandle(path: string): Handle {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    const code = errorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    throw new RecordingError(
      code === 'ENOENT'
        ? `The recording ${path} does not exist.`
        : `The recording ${path} cannot be read (${message}).`,
      { cause: error },
    );
  }
  const info = fstatSync(fd);
  if (info.isFile()) return { fd, size: info.size };
  closeSync(fd);
  throw new RecordingError(`${path} is not a file. Enter the path of a recording.`);
}

function readHead(handle: Handle, path: string): { head: unknown; begin: number } {
  const { length, checksum } = readStart(bytesAt(handle, 0, START_BYTES), path);
  const bytes = bytesAt(handle, START_BYTES, length);
  if (bytes.length < length) throw new RecordingError(`The recording ${path} is cut off and has no content.`);
  if (checksumOf(bytes) !== checksum)
    throw new RecordingError(`The header of the recording ${path} is damaged.`);
  return { head: jsonOf(bytes, damaged), begin: START_BYTES + length };
}

function headerAt(handle: Handle, offset: number): BlockHeader | null {
  const header = readBlockHeader(bytesAt(handle, offset, BLOCK_BYTES));
  return header && offset + BLOCK_BYTES + header.stored <= handle.size ? header : null;
}

function readBlock(handle: Handle, offset: number, header: BlockHeader): Uint8Array {
  const stored = bytesAt(handle, offset + BLOCK_BYTES, header.stored);
  if (stored.length < header.stored) throw damaged();
  return unpackBlock(stored, header);
}

/** The last blocks of a killed recorder may be torn. */
function isWhole(handle: Handle, place: BlockPlace): boolean {
  const header = headerAt(handle, place.offset);
  if (!header) return false;
  return checksumOf(bytesAt(handle, place.offset + BLOCK_BYTES, header.stored)) === header.checksum;
}

function walked(handle: Handle, begin: number): Pick<RecordingFile, 'places' | 'until'> {
  const places: BlockPlace[] = [];
  let offset = begin;
  for (let header = headerAt(handle, offset); header; header = headerAt(handle, offset)) {
    const { kind, from, until, stored } = header;
    places.push({ kind, offset, from, until });
    offset += BLOCK_BYTES + stored;
  }
  for (let last = places.at(-1); last && !isWhole(handle, last); last = places.at(-1)) places.pop();
  const end = places.at(-1)?.kind === 'end' ? places.pop() : undefined;
  return { places, until: end?.until ?? null };
}

/** Finds a file's blocks, even after a kill. @throws RecordingError (a sentence) for another file */
function openRecordingFile(path: string): RecordingFile {
  const handle = openHandle(path);
  try {
    const { head, begin } = readHead(handle, path);
    return {
      head,
      ...walked(handle, begin),
      read(place) {
        const header = headerAt(handle, place.offset);
        if (header?.kind !== place.kind || header.from !== place.from || header.until !== place.until)
          throw damaged();
        return readBlock(handle, place.offset, header);
      },
      close: () => closeSync(handle.fd),
    };
  } catch (error) {
    closeSync(handle.fd);
    throw error;
  }
}

function readTable(data: Uint8Array, time: number, options: ReadOptions = {}): StockTable {
  const table = new StockTable();
  readEvents(new ByteReader(data, damaged).part(), table, time, { ...options, isQuiet: true });
  return table;
}

function readRest(data: Uint8Array): BaseRest {
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

function stateOf(
  table: StockTable,
  time: number,
  rest: BaseRest,
  others: readonly RecordedEvent[],
): RecordedBase {
  const stocks: Stock[] = [];
  const facts: Record<string, QuoteFacts> = {};
  for (let row = 0; row < table.length; row += 1) {
    const stock = stockOf(table, row);
    if (!stock) continue;
    const stated = table.quoteTimeOf(row);
    const newestStated = Number.isNaN(stated) ? null : stated;
    stocks.push(stock);
    facts[stock.code] = {
      quoteTime: newestStated ?? rest.taken[stock.code] ?? time,
      newestStated,
      hasOwnValue: true,
      hasOwnStatus: true,
    };
  }
  const known = new KnownNews();
  known.begin(rest);
  for (const other of others) known.take(other);
  return { time, stocks, facts, releases: [...known.releases.values()], events: [...known.events.values()] };
}

type Segment = { base: BlockPlace; events: BlockPlace[] };

function segmentsOf(places: readonly BlockPlace[]): Segment[] {
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
const segmentAt = (segments: readonly Segment[], time: number): number =>
  Math.max(
    0,
    segments.findLastIndex(({ base }) => base.from <= time),
  );

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

  minutesOf(code: string, since: number, until: number): MinuteBar[] {
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
class MinutesReader {
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

  of(code: string, before: number): MinuteBar[] {
    const found: MinuteBar[] = [];
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

type Read = { segment: number; block: number; table: StockTable; events: RecordedEvent[] };

/** Reads events by block and keeps the last one. Other moments start at the base before them. */
class EventsReader {
  private kept: Read | null = null;

  constructor(
    private readonly segments: readonly Segment[],
    private readonly readBlock: (place: BlockPlace) => Uint8Array,
  ) {}

  baseAt(wanted: number): RecordedBase {
    const segment = segmentAt(this.segments, wanted);
    const found = this.segmentOf(segment);
    const time = Math.max(found.base.from, wanted);
    const others: RecordedEvent[] = [];
    const at = this.begin(segment, found);
    for (const place of found.events) {
      if (place.from > time) break;
      // To continue here, the last block is read again from its beginning.
      this.kept = { ...at, table: at.table.copy(), events: [] };
      const options = { isQuiet: true, until: time };
      others.push(...readEvents(this.readBlock(place), at.table, place.from, options));
      at.block += 1;
    }
    return stateOf(at.table, time, readRest(this.readBlock(found.base)), others);
  }

  *events(after: number, until: number): Generator<RecordedEvent> {
    for (let number = segmentAt(this.segments, after); number < this.segments.length; number += 1) {
      const { base, events } = this.segmentOf(number);
      if (base.from > until) return;
      for (const [block, place] of events.entries()) {
        if (place.until <= after) continue;
        for (const event of this.eventsOf(number, block)) {
          if (event.time > until) return;
          if (event.time > after) yield event;
        }
      }
    }
  }

  private segmentOf(number: number): Segment {
    const found = this.segments[number];
    if (!found) throw damaged();
    return found;
  }

  private begin(segment: number, { base }: Segment): Read {
    return { segment, block: -1, events: [], table: readTable(this.readBlock(base), base.from) };
  }

  private readNext(
    { segment, table, ...before }: Read,
    events: readonly BlockPlace[],
    isQuiet: boolean,
  ): Read {
    const block = before.block + 1;
    const place = events[block];
    if (!place) throw damaged();
    return {
      segment,
      block,
      table,
      events: readEvents(this.readBlock(place), table, place.from, { isQuiet }),
    };
  }

  private eventsOf(segment: number, block: number): RecordedEvent[] {
    const found = this.segmentOf(segment);
    const { kept } = this;
    if (kept?.segment === segment && kept.block === block) return kept.events;
    let at = kept?.segment === segment && kept.block < block ? kept : this.begin(segment, found);
    this.kept = null;
    while (at.block < block) at = this.readNext(at, found.events, at.block + 1 < block);
    this.kept = at;
    return at.events;
  }
}

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function outlineOf(table: StockTable, row: number): StockOutline | null {
  const texts = table.textsOf(row);
  const code = table.codeOf(row);
  if (texts === null || code === undefined) return null;
  const numbers = table.numbers();
  const offset = table.offsetOf(row);
  // Written out, because spread objects would be most of the work for millions.
  return {
    code,
    status: texts.status,
    preOpen: texts.preOpen,
    last: orNull(numbers[offset + LAST]),
    open: orNull(numbers[offset + OPEN]),
    volume: orNull(numbers[offset + VOLUME]),
    match_price: orNull(numbers[offset + MATCH_PRICE]),
    match_vol: orNull(numbers[offset + MATCH_VOLUME]),
    buy_surplus: orNull(numbers[offset + SURPLUS]),
    quoteTime: orNull(table.quoteTimeOf(row)),
  };
}

/** Reads auctions and statuses of a whole day, much faster than playing it. */
const createOutlineReader = (
  segments: readonly Segment[],
  readBlock: (place: BlockPlace) => Uint8Array,
): ReadOutline =>
  function* outline(visit) {
    for (const { base, events } of segments) {
      let table: StockTable | null = null;
      const options: ReadOptions = {
        isOutline: true,
        onStock(row, time) {
          const one = table && outlineOf(table, row);
          if (one) visit(one, time);
        },
      };
      table = readTable(readBlock(base), base.from, options);
      for (let row = 0; row < table.length; row += 1) options.onStock?.(row, base.from);
      yield base.from;
      for (const place of events) {
        readEvents(readBlock(place), table, place.from, options);
        yield place.until;
      }
    }
  };

/**
 * Opens a recording, even an incomplete one.
 * @param offsetOf Sydney's offset from UTC on a date, minutes; tests pass their own
 * @throws RecordingError with a sentence if it can't be played
 */
export function openRecording(path: string, offsetOf: (date: string) => number = utcOffsetOf): Recording {
  const file = openRecordingFile(path);
  try {
    const head = checkHead(file.head, offsetOf);
    const segments = segmentsOf(file.places);
    const [first] = segments;
    if (!first) throw new RecordingError(`The recording ${path} was cut off before its first prices.`);
    const lastBlock = Math.max(
      first.base.from,
      ...segments.flatMap(({ events }) => events.map(({ until }) => until)),
    );
    const until = Math.max(lastBlock, file.until ?? lastBlock);
    const reader = new EventsReader(segments, file.read);
    const minutes = new MinutesReader(file, segments, until);
    const day = new DayBook(head, createOutlineReader(segments, file.read));
    return {
      head,
      from: first.base.from,
      until,
      isCutOff: file.until === null,
      baseAt: (time) => reader.baseAt(time),
      events: (after, before) => reader.events(after, before),
      minutes: (code, before) => minutes.of(code, before),
      day,
      readAhead: () => minutes.readAhead() && day.readOn(),
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Stores the recording that the next start plays. @param file where it is stored @param name of it */
export const choosePlayed = (file: string, name: string): void => writeDurably(file, name, 0o600);

export const forgetPlayed = (file: string): void => rmSync(file, { force: true, recursive: true });

/** @returns the chosen recording; null if there is none, '' if the stored name is invalid */
export function playedName(file: string): string | null {
  try {
    return recordingName(readFileSync(file, 'utf8')) ?? '';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : '';
  }
}

export const LINKED = 'It is a symbolic link. Put the file itself in the recordings folder.';

/** Why a recording can't be played, as a sentence without its path; null if it can. */
export function whyNotPlayable(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return LINKED;
  try {
    const recording = openRecording(path);
    try {
      recording.baseAt(recording.from);
    } finally {
      recording.close();
    }
    return null;
  } catch (error) {
    if (error instanceof RecordingError) return error.message.replaceAll(` ${path}`, '');
    return `It cannot be read (${error instanceof Error ? error.message : String(error)}).`;
  }
}
