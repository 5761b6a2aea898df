import { type FileHandle, open } from 'node:fs/promises';
import type { Stopwatch } from '#lib/clock.ts';
import { errorCode, isNoRoom } from '#lib/errors.ts';
import { ByteWriter } from '#lib/pack.ts';
import type { Release } from '../sources/announcements.ts';
import type { MarketSource } from '../sources/quotes.ts';
import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import { phaseAt, sessionAt } from '../rules/sessionClock.ts';
import type { Stock } from '../rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { nextTradingDay, previousTradingDay } from '../rules/tradingDay.ts';
import type { ChangeSet, Market } from '../types.ts';
import { blockHeaderBytes, type BlockKind, checksumOf, startBytes, utcOffsetOf, VERSION } from './blocks.ts';
import { type BaseRest, EventWriter, type OtherEvent, type Quoted } from './events.ts';
import { addTrade, minuteOf, type Minutes, type Trade, tradeIn, writeMinutes } from './minutes.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { StockTable } from './stockTable.ts';
import { RecordingError, type RecordingHead } from './types.ts';

/** The part of a file that the writer uses; a test passes one that fails. */
export type OutFile = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'close'>;

const MAX_WAITING_BYTES = 64_000_000;

const TOO_SLOW =
  'The recording was stopped because the disk is too slow. The part that was saved can be played.';

function reasonOf(error: unknown): string {
  if (error instanceof RecordingError) return error.message;
  if (isNoRoom(error))
    return 'The recording was stopped because the disk is full. The part that was saved can be played. Free some space.';
  const reason = error instanceof Error ? error.message : String(error);
  return `The recording could not be written (${reason}) and was stopped. The part that was saved can be played.`;
}

export async function createRecordingFile(path: string): Promise<OutFile> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = errorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    throw new RecordingError(
      code === 'EEXIST'
        ? `The file ${path} already exists. Choose another name, or move it first.`
        : `The recording ${path} cannot be written (${message}).`,
      { cause: error },
    );
  }
}

export class FileWriter {
  private offset = 0;
  private waitingBytes = 0;
  private fault: string | null = null;
  private isEnded = false;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly file: OutFile,
    private readonly head: RecordingHead,
  ) {
    this.enqueue(() => this.write(startBytes(Buffer.from(JSON.stringify(head)))));
  }

  add(kind: Exclude<BlockKind, 'end'>, from: number, until: number, raw: Uint8Array): void {
    if (this.fault !== null || this.isEnded) return;
    this.waitingBytes += raw.length;
    if (this.waitingBytes > MAX_WAITING_BYTES) {
      this.fault = TOO_SLOW;
      return;
    }
    this.enqueue(async () => {
      await this.writeBlock(kind, from, until, raw);
      this.waitingBytes -= raw.length;
    });
  }

  failure(): string | null {
    return this.fault;
  }

  size(): number {
    return this.offset;
  }

  waiting(): number {
    return this.waitingBytes;
  }

  async end(until: number): Promise<void> {
    if (!this.isEnded) {
      this.isEnded = true;
      this.enqueue(() => this.writeBlock('end', until, until, new Uint8Array()));
      this.queue = this.queue
        .then(() => this.file.close())
        .catch((error: unknown) => void (this.fault ??= reasonOf(error)));
    }
    await this.queue;
  }

  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(async () => {
      if (this.fault !== null) return;
      try {
        await work();
      } catch (error) {
        this.fault ??= reasonOf(error);
        await this.file.truncate(this.offset).catch(() => undefined);
      }
    });
  }

  /** Writes all bytes or none: a partial write is truncated. */
  private async write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const rest = bytes.length - done;
      done += (await this.file.write(bytes, done, rest, this.offset + done)).bytesWritten;
    }
    await this.file.datasync();
    this.offset += bytes.length;
  }

  private async writeBlock(kind: BlockKind, from: number, until: number, raw: Uint8Array): Promise<void> {
    const packed = new Uint8Array(await Bun.zstdCompress(raw, { level: 6 }));
    const sizes = { stored: packed.length, raw: raw.length };
    const header = { kind, from, until, ...sizes, checksum: checksumOf(packed) };
    await this.write(Buffer.concat([blockHeaderBytes(header), packed]));
  }
}

/** Market time between two base states with events. */
const SEGMENT_MS = 5 * MINUTE_MS;
/** A busy segment ends earlier, to keep jumps fast: about two minutes at the open. */
const MAX_SEGMENT_BYTES = 800_000;
/** Writes twice a minute to protect SD cards, or earlier with many events. */
const CHUNK_MS = 30_000;
const MAX_CHUNK_BYTES = 4_000_000;
/** Tolerated step back of the market's clock: events until it catches up count at the last moment. */
const MAX_STEP_BACK_MS = SEGMENT_MS;

const STEPPED_BACK =
  'The recording was stopped because the market clock was set back. The part that was saved can be played.';

type RecordedStock = Quoted & {
  takenAt: number | null;
};

type RecorderDeps = {
  file: FileWriter;
  stopwatch: Stopwatch;
  stocks(): Iterable<RecordedStock>;
  releases(): readonly Release[];
  events(): readonly CalendarEvent[];
};

type Untimed<T = Exclude<OtherEvent, { kind: 'remove' }>> = T extends OtherEvent ? Omit<T, 'time'> : never;

class MinuteBlocks {
  private minutes: Minutes = new Map();

  constructor(private from: number) {}

  take(trade: Trade | null): void {
    if (trade) addTrade(this.minutes, trade);
  }

  isEmpty(): boolean {
    return this.minutes.size === 0;
  }

  write(file: RecorderDeps['file'], until: number): void {
    const over: Minutes = new Map();
    const rest: Minutes = new Map();
    for (const [code, bars] of this.minutes) {
      const done = bars.filter(({ time }) => time < until);
      const open = bars.filter(({ time }) => time >= until);
      if (done.length > 0) over.set(code, done);
      if (open.length > 0) rest.set(code, open);
    }
    if (over.size > 0) file.add('minutes', this.from, until, writeMinutes(over, this.from));
    this.minutes = rest;
    this.from = until;
  }
}

/** Makes blocks of the Market's updates. Times are the market's, epoch ms. */
export class Recorder {
  private table = new StockTable();
  private writer: EventWriter;
  private readonly written = new Map<string, RecordedStock>();
  private readonly minutes: MinuteBlocks;
  private segment: number;
  private segmentBytes = 0;
  private last: number;
  private chunkFrom: number;
  private chunkBegan: number;
  private isEmpty = true;
  private hasNewsSinceBase = false;
  private fault: string | null = null;

  constructor(
    private readonly deps: RecorderDeps,
    startedAt: number,
  ) {
    this.minutes = new MinuteBlocks(minuteOf(startedAt));
    this.segment = Math.floor(startedAt / SEGMENT_MS);
    this.last = startedAt;
    this.chunkFrom = startedAt;
    this.chunkBegan = deps.stopwatch.monotonic();
    for (const one of deps.stocks()) this.written.set(one.stock.code, one);
    this.writer = this.writeBase(startedAt);
  }

  stocks(time: number, changed: readonly RecordedStock[], removed: readonly string[]): void {
    const now = this.advance(time);
    if (now === null) return;
    if (removed.length > 0) {
      for (const code of removed) this.written.delete(code);
      this.writer.other({ time: now, kind: 'remove', codes: removed });
    }
    for (const one of changed) this.written.set(one.stock.code, one);
    if (this.writer.stocks(now, changed) || removed.length > 0) this.added();
  }

  other(time: number, event: Untimed): void {
    const now = this.advance(time);
    if (now === null) return;
    this.writer.other({ ...event, time: now } as OtherEvent);
    this.added();
  }

  idle(time: number): void {
    if (this.advance(time) !== null && this.isChunkOld()) this.writeChunk();
  }

  until(): number {
    return this.last;
  }

  failure(): string | null {
    return this.fault ?? this.deps.file.failure();
  }

  async end(): Promise<void> {
    this.writeChunk();
    if (!this.minutes.isEmpty()) this.minutes.write(this.deps.file, minuteOf(this.last) + MINUTE_MS);
    await this.deps.file.end(this.last);
  }

  private newWriter(from: number): EventWriter {
    const { table } = this;
    return new EventWriter(table, from, (figures) => this.minutes.take(tradeIn(table, figures)));
  }

  private writeBase(time: number): EventWriter {
    this.table = new StockTable();
    const all = [...this.written.values()].sort((a, b) => (a.stock.code < b.stock.code ? -1 : 1));
    const base = new EventWriter(this.table, time);
    base.stocks(time, all);
    const taken: Record<string, number> = {};
    for (const { stock, quoteTime, takenAt } of all) {
      if (Number.isNaN(quoteTime) && takenAt !== null) taken[stock.code] = takenAt;
    }
    const { releases, events } = this.deps;
    const rest: BaseRest = { taken, releases: [...releases()], events: [...events()] };
    const out = new ByteWriter();
    out.part(base.take());
    out.json(rest);
    this.deps.file.add('base', time, time, out.written());
    this.hasNewsSinceBase = false;
    this.segmentBytes = 0;
    this.chunkFrom = time;
    return this.newWriter(time);
  }

  private writeChunk(): void {
    this.chunkBegan = this.deps.stopwatch.monotonic();
    if (this.isEmpty) return;
    this.segmentBytes += this.writer.size();
    this.deps.file.add('events', this.chunkFrom, this.last, this.writer.take());
    this.isEmpty = true;
    this.chunkFrom = this.last;
    this.writer = this.newWriter(this.last);
  }

  private advance(time: number): number | null {
    if (this.failure() !== null) return null;
    if (time < this.last - MAX_STEP_BACK_MS) {
      this.fault = STEPPED_BACK;
      return null;
    }
    const now = Math.max(this.last, Math.round(time));
    const next = Math.floor(now / SEGMENT_MS);
    if (this.hasNewsSinceBase && (next > this.segment || this.isSegmentLong(now))) {
      const begin = minuteOf(next > this.segment ? next * SEGMENT_MS : now);
      this.writeChunk();
      this.minutes.write(this.deps.file, begin);
      this.writer = this.writeBase(begin - 1);
    }
    this.segment = next;
    this.last = now;
    return now;
  }

  private isSegmentLong(now: number): boolean {
    return this.segmentBytes + this.writer.size() > MAX_SEGMENT_BYTES && minuteOf(now) > minuteOf(this.last);
  }

  private isChunkOld(): boolean {
    return this.deps.stopwatch.monotonic() - this.chunkBegan > CHUNK_MS;
  }

  private added(): void {
    this.isEmpty = false;
    this.hasNewsSinceBase = true;
    if (this.writer.size() > MAX_CHUNK_BYTES || this.isChunkOld()) this.writeChunk();
  }
}

export const recorded = (stock: Stock, stated: number | null, takenAt: number | null): RecordedStock => ({
  stock,
  quoteTime: stated ?? Number.NaN,
  takenAt,
});

export type LiveNeeds = {
  source: MarketSource;
  market: Market;
  stopwatch: Stopwatch;
  /** Announcements of the session and of the trading day before; a correction is a new object. */
  releases(): Iterable<Release>;
  events(): ReadonlyMap<string, CalendarEvent>;
};

export function recordedDate(now: number): string {
  const { date } = sessionAt(now);
  return phaseAt(now).phase === 'closed' ? nextTradingDay(date) : date;
}

function changesOf<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): { changed: T[]; gone: string[] } {
  const changed = [...now].filter(([id, one]) => before.get(id) !== one).map(([, one]) => one);
  return { changed, gone: [...before.keys()].filter((id) => !now.has(id)) };
}

const releaseOf = ({
  id,
  code,
  headline,
  url,
  document,
  announcementTypes,
  isPriceSensitive,
  time,
}: Release): Release => ({
  id,
  code,
  headline,
  url,
  document,
  announcementTypes,
  isPriceSensitive,
  time,
});

const byId = (releases: Iterable<Release>): ReadonlyMap<string, Release> =>
  new Map([...releases].map((one) => [one.id, one]));

export class LiveRecording {
  private readonly recorder: Recorder;
  private releases: ReadonlyMap<string, Release>;
  private events: ReadonlyMap<string, CalendarEvent>;

  constructor(
    private readonly needs: LiveNeeds,
    private readonly file: FileWriter,
    private readonly head: RecordingHead,
  ) {
    const { market, stopwatch } = needs;
    this.releases = byId(needs.releases());
    this.events = new Map(needs.events());
    this.recorder = new Recorder(
      {
        file,
        stopwatch,
        stocks: () => [...market.all().keys()].flatMap((code) => this.recordOf(code)),
        releases: () => [...this.releases.values()].map(releaseOf),
        events: () => [...this.events.values()],
      },
      head.startedAt,
    );
  }

  get date(): string {
    return this.head.date;
  }

  get startedAt(): number {
    return this.head.startedAt;
  }

  onChanges(changes: ChangeSet | null): void {
    const { recorder } = this;
    if (recorder.failure() !== null) return;
    const now = Math.round(this.needs.source.clock.now());
    if (sessionAt(now).date > this.date) return;
    this.noteReleases(now);
    this.noteEvents(now);
    if (!changes) return recorder.idle(now);
    const changed = Object.keys(changes.upsert).flatMap((code) => this.recordOf(code));
    recorder.stocks(now, changed, changes.delete);
  }

  isOver(): boolean {
    return sessionAt(this.needs.source.clock.now()).date > this.date;
  }

  until(): number {
    return this.recorder.until();
  }

  size(): number {
    return this.file.size();
  }

  waiting(): number {
    return this.file.waiting();
  }

  failure(): string | null {
    return this.recorder.failure();
  }

  async end(): Promise<string | null> {
    await this.recorder.end();
    return this.failure();
  }

  private recordOf(code: string): RecordedStock[] {
    const { market } = this.needs;
    const stock = market.get(code);
    return stock ? [recorded(stock, market.statedQuoteTime(code), market.quoteTime(code))] : [];
  }

  private noteReleases(now: number): void {
    const before = this.releases;
    this.releases = byId(this.needs.releases());
    const { changed, gone } = changesOf(before, this.releases);
    if (changed.length > 0)
      this.recorder.other(now, { kind: 'announcements', releases: changed.map(releaseOf) });
    const shownSince = fromSydney(previousTradingDay(sessionAt(now).date), 0, 0);
    const ids = gone.filter((id) => (before.get(id)?.time ?? 0) >= shownSince);
    if (ids.length > 0) this.recorder.other(now, { kind: 'withdrawn', ids });
  }

  private noteEvents(now: number): void {
    const next = this.needs.events();
    const { changed, gone } = changesOf(this.events, next);
    if (changed.length === 0 && gone.length === 0) return;
    this.events = new Map(next);
    this.recorder.other(now, { kind: 'calendar', events: changed, removed: gone });
  }
}

/** Starts a recording. @throws RecordingError (a sentence) if the file exists or can't be created */
export async function startRecording(path: string, needs: LiveNeeds): Promise<LiveRecording> {
  const { source } = needs;
  const startedAt = Math.round(source.clock.now());
  const date = recordedDate(startedAt);
  const head: RecordingHead = {
    version: VERSION,
    source: {
      name: source.name,
      label: source.label(),
      days: source.days,
      delayMinutes: source.delayMinutes(),
    },
    date,
    utcOffsetMinutes: utcOffsetOf(date),
    startedAt,
  };
  const file = new FileWriter(await createRecordingFile(path), head);
  return new LiveRecording(needs, file, head);
}
