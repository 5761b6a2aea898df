import { MAX_DAY_BYTES, MAX_STEP, stepOf, historyHours } from '#subjects/scanners/rules/history.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { HISTORY_TABLES, historyRows, historyValues } from '#market/scanners/rules/historyTables.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import { createMarketSession } from '#market/newSession.ts';
import { type HistoryFrame, HistoryWriter } from './codec.ts';
import type { Market } from '#market/types.ts';
import type { SegmentSpan, HistoryStore } from './store.ts';

/** Minutes that start from one complete record. More of them compress better, fewer are read faster. */
const SEGMENT_MINUTES = 30;
/** Limit of unwritten segments in memory. */
const MAX_HELD = 6;

/** Minutes in memory that are not completely on disk. */
export type OpenSegment = SegmentSpan & {
  date: string;
  writer: HistoryWriter;
  savedBytes: number;
  /** First unsaved minute; null if all are on disk. */
  unsavedFrom: number | null;
};

export function frameOf(market: Market, ignoreStatus: boolean, minute: number): HistoryFrame {
  const stocks = market.all();
  return {
    minute,
    tables: new Map(
      HISTORY_TABLES.map((table) => [
        table,
        historyRows(table, stocks.values(), ignoreStatus).map((stock) => ({
          code: stock.code,
          values: historyValues(table, stock),
        })),
      ]),
    ),
  };
}

/**
 * Records all tables at the first tick of each minute of the market's clock, during the exchange's day and while prices
 * arrive. Records again if stocks were added to the list. A jump back drops later minutes. Failed writes are retried.
 */
export class HistoryRecorder {
  readonly #readSession: ReturnType<typeof createMarketSession>;
  /** Open segments; the last one is being filled. */
  readonly #open: OpenSegment[] = [];
  #day = { date: '', bytes: 0, until: 0, largest: 0 };
  #seen = '';
  /** Number of stocks at the last recording. */
  #listed = 0;
  #version = 0;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly store: HistoryStore,
  ) {
    this.#log = app.log.child('scannerHistory');
    this.#readSession = createMarketSession(app.source.clock);
  }

  onTick(): void {
    const { market, source } = this.app;
    const { now, date } = this.#readSession();
    const minute = Math.floor(now / MINUTE_MS);
    const moment = `${date} ${minute}`;
    const { size } = market.all();
    // A starting market arrives in batches, and stocks of a later batch did not enter a scanner.
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

  /** Open segments, oldest first. They are newer than the same minutes on disk. */
  open(): readonly OpenSegment[] {
    return this.#open;
  }

  /** Increases with every change that readers can see. */
  version(): number {
    return this.#version;
  }

  figures() {
    const { date, bytes } = this.#day;
    return { date, bytes, waiting: this.#open.filter(({ unsavedFrom }) => unsavedFrom !== null).length };
  }

  /** Writes only new minutes, to save SD cards. */
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

  /** Writes the open segments and drops complete ones. */
  save(): void {
    try {
      for (const segment of this.#open) this.#saveSegment(segment);
      this.#open.splice(0, this.#open.length - 1);
    } catch (error) {
      this.#log.error('Could not save the scanner history; trying again', { error });
      while (this.#open.length > MAX_HELD) {
        const lost = this.#open.shift();
        this.#log.error('Minutes of scanner history were lost because they could not be saved', {
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
      writer: new HistoryWriter(),
      savedBytes: 0,
      unsavedFrom: null,
    };
    this.#open.push(segment);
    return segment;
  }

  #isDue(minute: number): boolean {
    const hours = historyHours(this.#day.date);
    const now = minute * MINUTE_MS;
    if (!hours || now < hours.from || now > hours.to) return false;
    if (this.#day.bytes + this.#day.largest > MAX_DAY_BYTES) return false;
    return minute % stepOf(this.#day.bytes, hours, now) === 0;
  }
}
