import { MAX_DAY_BYTES, MAX_STEP, MINUTE_MS, stepOf, tapeHours } from '../../rules/tape/tape.ts';
import { TAPE_TABLES, tapeRows, tapeValues } from '../../rules/tape/tapeTables.ts';
import type { Clock } from '../../../../lib/clock.ts';
import type { Log } from '../../../../lib/log.ts';
import { createMarketSession } from '../../../../market/marketSession.ts';
import { type TapeFrame, TapeWriter } from './pack/codec.ts';
import type { Market } from '../../../../market/types.ts';
import type { SegmentSpan, TapeStore } from './store.ts';

/** How many minutes begin with whole tables once: more pack better, fewer are read sooner. */
const SEGMENT_MINUTES = 20;
/** What could not be written waits in memory, but not without end. */
const MAX_HELD = 6;

export type TapeRecorderDeps = {
  market: Pick<Market, 'all'>;
  source: { clock: Clock; ignoreStatus(): boolean; health(): { healthy: boolean } };
  store: TapeStore;
  log: Log;
};

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
export function frameOf(market: Pick<Market, 'all'>, ignoreStatus: boolean, minute: number): TapeFrame {
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
export function createTapeRecorder({ market, source, store, log }: TapeRecorderDeps) {
  const readSession = createMarketSession(source.clock);
  /** The one that is being written is the last. */
  const open: OpenSegment[] = [];
  /** The day whose bytes and end are known. */
  let day = { date: '', bytes: 0, until: 0, largest: 0 };
  let seen = '';
  /** How many stocks there were then. */
  let listed = 0;
  /** Counts up with all that changes what can be read. */
  let version = 0;

  /** Writes what is new of a segment, and nothing anew: cards wear out. */
  function save(segment: OpenSegment): void {
    const { date, first, until, writer, savedBytes, unsavedFrom } = segment;
    if (unsavedFrom === null) return;
    const bytes = writer.written();
    const minutes = Bun.zstdCompressSync(bytes.subarray(savedBytes), { level: 3 });
    const goesOnFrom = unsavedFrom === first ? null : first;
    store.save(date, { first: unsavedFrom, goesOnFrom, until, minutes });
    segment.savedBytes = bytes.length;
    segment.unsavedFrom = null;
    if (date === day.date) {
      day.bytes = store.sizeOf(date);
      day.largest = Math.max(day.largest, minutes.length);
    }
  }

  /** Writes what is open; of the segments that are complete nothing stays in memory. */
  function saveAll(): void {
    try {
      for (const segment of open) save(segment);
      open.splice(0, open.length - 1);
    } catch (error) {
      log.error('The tape could not be saved; trying again', { error });
      while (open.length > MAX_HELD) {
        const lost = open.shift();
        log.error('Minutes of the tape were lost, as they could not be saved', { date: lost?.date });
      }
    }
  }

  function finish(): void {
    saveAll();
    open.splice(0, open.length, ...open.filter(({ unsavedFrom }) => unsavedFrom !== null));
  }

  function takeDay(date: string): void {
    if (date === day.date) return;
    finish();
    day = { date, bytes: store.sizeOf(date), until: store.spans(date).at(-1)?.until ?? 0, largest: 0 };
  }

  /** Drops what was written of a day from a minute on. */
  function cut(minute: number): void {
    const kept = open.filter(({ date, first }) => date !== day.date || first < minute);
    for (const segment of kept) {
      if (segment.date !== day.date) continue;
      segment.until = Math.min(segment.until, minute);
      if (segment.unsavedFrom !== null && segment.unsavedFrom >= minute) segment.unsavedFrom = null;
    }
    open.splice(0, open.length, ...kept);
    finish();
    store.cut(day.date, minute);
    day.bytes = store.sizeOf(day.date);
    day.until = minute;
    version += 1;
  }

  /** The segment that goes on, or a new one. */
  function segmentFor(minute: number): OpenSegment {
    const last = open.at(-1);
    const goesOn =
      last?.date === day.date &&
      minute - last.until < MAX_STEP &&
      minute - last.first < SEGMENT_MINUTES &&
      day.until === last.until;
    if (last && goesOn) return last;
    finish();
    const segment: OpenSegment = {
      ...{ date: day.date, first: minute, until: minute },
      ...{ writer: new TapeWriter(), savedBytes: 0, unsavedFrom: null },
    };
    open.push(segment);
    return segment;
  }

  function isDue(minute: number): boolean {
    const hours = tapeHours(day.date);
    const now = minute * MINUTE_MS;
    if (!hours || now < hours.from || now > hours.to) return false;
    if (day.bytes + day.largest > MAX_DAY_BYTES) return false;
    return minute % stepOf(day.bytes, hours, now) === 0;
  }

  return {
    onTick(): void {
      const { now, date } = readSession();
      const minute = Math.floor(now / MINUTE_MS);
      const moment = `${date} ${minute}`;
      const { size } = market.all();
      // A market comes in many batches at its start: who comes with a later one did not enter a scanner by that.
      if (moment === seen && size <= listed) return;
      seen = moment;
      listed = size;
      if (size === 0 || !source.health().healthy) return;
      takeDay(date);
      if (minute < day.until) cut(minute);
      if (!isDue(minute)) return;
      const segment = segmentFor(minute);
      segment.writer.add(frameOf(market, source.ignoreStatus(), minute));
      segment.until = minute + 1;
      segment.unsavedFrom ??= minute;
      day.until = segment.until;
      version += 1;
    },
    /** Writes what is not on disk yet. */
    save: saveAll,
    /** What is in memory, oldest first: it is newer than what is on disk of the same minutes. */
    open: (): readonly OpenSegment[] => open,
    version: () => version,
    figures: () => ({
      date: day.date,
      bytes: day.bytes,
      waiting: open.filter(({ unsavedFrom }) => unsavedFrom !== null).length,
    }),
  };
}
