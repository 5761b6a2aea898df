import { MAX_DAY_BYTES, MAX_STEP, MINUTE_MS, stepOf, tapeHours } from '#subjects/scanners/rules/tape.ts';
import { TAPE_TABLES, tapeRows, tapeValues } from '#market/scanners/rules/tapeTables.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import { createMarketSession } from '#market/newSession.ts';
import { type TapeFrame, TapeWriter } from './pack/codec.ts';
import type { Market } from '#market/types.ts';
import type { SegmentSpan } from './pack/records.ts';
import type { TapeStore } from './store.ts';

/** How many minutes begin with whole tables once: more pack better, fewer are read sooner. */
const SEGMENT_MINUTES = 30;
/** What could not be written waits in memory, but not without end. */
const MAX_HELD = 6;

/** Minutes in memory that are not on disk, or not all of them. */
export type OpenSegment = SegmentSpan & {
  date: string;
  writer: TapeWriter;
  /** How many of the writer's bytes are on disk. */
  savedBytes: number;
  /** The first minute that is not on disk; null when all are. */
  unsavedFrom: number | null;
};

/** All tables as they stand. */
export function frameOf(market: Market, ignoreStatus: boolean, minute: number): TapeFrame {
  const stocks = market.all();
  return {
    minute,
    tables: new Map(
      TAPE_TABLES.map((table) => [
        table,
        tapeRows(table, stocks.values(), ignoreStatus).map((stock) => ({
          code: stock.code,
          values: tapeValues(table, stock),
        })),
      ]),
    ),
  };
}

/**
 * Writes the tape: at the first tick of each minute of the market's clock, while the exchange's day runs and prices come,
 * all tables as they stand, and again in a minute in which stocks were listed. When the market jumps back, what was
 * written of the minutes to come is dropped. What could not be saved is kept and tried again.
 */
export class TapeRecorder {
  readonly #readSession: ReturnType<typeof createMarketSession>;
  /** The one that is being written is the last. */
  readonly #open: OpenSegment[] = [];
  /** The day whose bytes and end are known. */
  #day = { date: '', bytes: 0, until: 0, largest: 0 };
  #seen = '';
  /** How many stocks there were then. */
  #listed = 0;
  #version = 0;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly store: TapeStore,
  ) {
    this.#log = app.log.child('tape');
    this.#readSession = createMarketSession(app.source.clock);
  }

  onTick(): void {
    const { market, source } = this.app;
    const { now, date } = this.#readSession();
    const minute = Math.floor(now / MINUTE_MS);
    const moment = `${date} ${minute}`;
    const { size } = market.all();
    // A market comes in many batches at its start: who comes with a later one did not enter a scanner by that.
    if (moment === this.#seen && size <= this.#listed) return;
    this.#seen = moment;
    this.#listed = size;
    if (size === 0 || !source.health().healthy) return;
    this.#takeDay(date);
    if (minute < this.#day.until) this.#cut(minute);
    if (!this.#isDue(minute)) return;
    const segment = this.#segmentFor(minute);
    segment.writer.add(frameOf(market, source.ignoreStatus(), minute));
    segment.until = minute + 1;
    segment.unsavedFrom ??= minute;
    this.#day.until = segment.until;
    this.#version += 1;
  }

  /** What is in memory, oldest first: it is newer than what is on disk of the same minutes. */
  open(): readonly OpenSegment[] {
    return this.#open;
  }

  /** Counts up with all that changes what can be read. */
  version(): number {
    return this.#version;
  }

  figures() {
    const { date, bytes } = this.#day;
    return { date, bytes, waiting: this.#open.filter(({ unsavedFrom }) => unsavedFrom !== null).length };
  }

  /** Writes what is new of a segment, and nothing again: cards wear out. */
  #saveSegment(segment: OpenSegment): void {
    const { date, first, until, writer, savedBytes, unsavedFrom } = segment;
    if (unsavedFrom === null) return;
    const bytes = writer.written();
    const minutes = Bun.zstdCompressSync(bytes.subarray(savedBytes), { level: 3 });
    const goesOnFrom = unsavedFrom === first ? null : first;
    this.store.save(date, { first: unsavedFrom, goesOnFrom, until, minutes });
    segment.savedBytes = bytes.length;
    segment.unsavedFrom = null;
    if (date === this.#day.date) {
      this.#day.bytes = this.store.sizeOf(date);
      this.#day.largest = Math.max(this.#day.largest, minutes.length);
    }
  }

  /** Writes what is this.#open; of the segments that are complete nothing stays in memory. */
  save(): void {
    try {
      for (const segment of this.#open) this.#saveSegment(segment);
      this.#open.splice(0, this.#open.length - 1);
    } catch (error) {
      this.#log.error('The tape could not be saved; trying again', { error });
      while (this.#open.length > MAX_HELD) {
        const lost = this.#open.shift();
        this.#log.error('Minutes of the tape were lost, as they could not be saved', {
          date: lost?.date,
        });
      }
    }
  }

  #finish(): void {
    this.save();
    this.#open.splice(0, this.#open.length, ...this.#open.filter(({ unsavedFrom }) => unsavedFrom !== null));
  }

  #takeDay(date: string): void {
    if (date === this.#day.date) return;
    this.#finish();
    this.#day = {
      date,
      bytes: this.store.sizeOf(date),
      until: this.store.spans(date).at(-1)?.until ?? 0,
      largest: 0,
    };
  }

  /** Drops what was written of a day from a minute on. */
  #cut(minute: number): void {
    const kept = this.#open.filter(({ date, first }) => date !== this.#day.date || first < minute);
    for (const segment of kept) {
      if (segment.date !== this.#day.date) continue;
      segment.until = Math.min(segment.until, minute);
      if (segment.unsavedFrom !== null && segment.unsavedFrom >= minute) segment.unsavedFrom = null;
    }
    this.#open.splice(0, this.#open.length, ...kept);
    this.#finish();
    this.store.cut(this.#day.date, minute);
    this.#day.bytes = this.store.sizeOf(this.#day.date);
    this.#day.until = minute;
    this.#version += 1;
  }

  /** The segment that goes on, or a new one. */
  #segmentFor(minute: number): OpenSegment {
    const last = this.#open.at(-1);
    const goesOn =
      last?.date === this.#day.date &&
      minute - last.until < MAX_STEP &&
      minute - last.first < SEGMENT_MINUTES &&
      this.#day.until === last.until;
    if (last && goesOn) return last;
    this.#finish();
    const segment: OpenSegment = {
      date: this.#day.date,
      first: minute,
      until: minute,
      writer: new TapeWriter(),
      savedBytes: 0,
      unsavedFrom: null,
    };
    this.#open.push(segment);
    return segment;
  }

  #isDue(minute: number): boolean {
    const hours = tapeHours(this.#day.date);
    const now = minute * MINUTE_MS;
    if (!hours || now < hours.from || now > hours.to) return false;
    if (this.#day.bytes + this.#day.largest > MAX_DAY_BYTES) return false;
    return minute % stepOf(this.#day.bytes, hours, now) === 0;
  }
}
