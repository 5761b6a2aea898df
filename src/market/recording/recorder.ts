import type { CalendarEvent } from '../../subjects/calendar/rules/calendarEvent.ts';
import type { Stock } from '../rules/stock.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Release } from '../../sources/announcements/source.ts';
import { bytesOfJson, createByteWriter } from './bytes.ts';
import { createEventWriter, type OtherEvent, type Quoted } from './eventWriter.ts';
import type { FileWriter } from './fileWriter.ts';
import {
  addTrade,
  MINUTE_MS,
  type Minutes,
  minuteOf,
  type NewFigures,
  tradeIn,
  writeMinutes,
} from './minutes.ts';
import { createStockTable } from './stockTable.ts';
import type { BaseRest } from './readJson.ts';

/** So much market time lies between two base states in which something happens. */
const SEGMENT_MS = 5 * MINUTE_MS;
/** Or less, from minute to minute, where so much happens that a jump would take long: about two minutes at the open. */
const MAX_SEGMENT_BYTES = 800_000;
/** For SD cards: what happens is written twice a minute, unless it is very much. */
const CHUNK_MS = 30_000;
const MAX_CHUNK_BYTES = 4_000_000;
/** The market's clock may be set back by so much: what comes until it has caught up counts as of the last moment. */
const MAX_STEP_BACK_MS = SEGMENT_MS;

const STEPPED_BACK =
  'The market’s clock was set back, so the recording was stopped; what is in the file can be played.';

/** What the Market holds of a stock as a recording needs it. */
export type RecordedStock = Quoted & {
  /** When the Market took its last quote, epoch ms; null before the first. */
  takenAt: number | null;
};

export type RecorderDeps = {
  file: Pick<FileWriter, 'add' | 'failure' | 'end'>;
  stopwatch: Stopwatch;
  /** All stocks at this moment. */
  stocks(): Iterable<RecordedStock>;
  /** What is known of announcements and of the calendar at this moment. */
  releases(): readonly Release[];
  events(): readonly CalendarEvent[];
};

/** Makes blocks of what the Market takes in. Times are the market's, epoch ms. */
export type Recorder = {
  /** Stocks that a tick has brought, and those that it took away. */
  stocks(time: number, changed: readonly RecordedStock[], removed: readonly string[]): void;
  other(time: number, event: Untimed): void;
  /** To be called now and then while nothing happens, so that what waits is written. */
  idle(time: number): void;
  /** The last moment. */
  until(): number;
  /** Why nothing more is recorded, a sentence; null while all is well. */
  failure(): string | null;
  /** Writes what waits and the end. Safe to call twice. */
  end(): Promise<void>;
};

type Untimed<T = Exclude<OtherEvent, { kind: 'remove' }>> = T extends OtherEvent ? Omit<T, 'time'> : never;

/** @param startedAt the market's time, epoch ms */
export function createRecorder(deps: RecorderDeps, startedAt: number): Recorder {
  const { file, stopwatch } = deps;
  let table = createStockTable();
  /** The records as they were written last; they have what the table does not hold. */
  const written = new Map<string, RecordedStock>();
  let minutes: Minutes = new Map();
  let minutesFrom = minuteOf(startedAt);
  let segment = Math.floor(startedAt / SEGMENT_MS);
  let segmentBytes = 0;
  let last = startedAt;
  let chunkFrom = startedAt;
  let chunkBegan = stopwatch.monotonic();
  let isEmpty = true;
  let hasNewsSinceBase = false;
  let stepped: string | null = null;

  function note(figures: NewFigures): void {
    const trade = tradeIn(table, figures);
    if (trade) addTrade(minutes, trade);
  }
  let writer = createEventWriter(table, startedAt, note);

  /** The state as it was recorded until `time`. A table of its own begins with it. */
  function writeBase(time: number): void {
    table = createStockTable();
    const all = [...written.values()].sort((a, b) => (a.stock.code < b.stock.code ? -1 : 1));
    const base = createEventWriter(table, time);
    base.stocks(time, all);
    const taken: Record<string, number> = {};
    for (const { stock, quoteTime, takenAt } of all) {
      if (Number.isNaN(quoteTime) && takenAt !== null) taken[stock.code] = takenAt;
    }
    const rest: BaseRest = { taken, releases: [...deps.releases()], events: [...deps.events()] };
    const out = createByteWriter();
    for (const part of [base.take(), bytesOfJson(rest)]) {
      out.varint(part.length);
      out.bytes(part);
    }
    file.add('base', time, time, out.written());
    hasNewsSinceBase = false;
    segmentBytes = 0;
    chunkFrom = time;
    writer = createEventWriter(table, time, note);
  }

  function writeChunk(): void {
    chunkBegan = stopwatch.monotonic();
    if (isEmpty) return;
    segmentBytes += writer.size();
    file.add('events', chunkFrom, last, writer.take());
    isEmpty = true;
    chunkFrom = last;
    writer = createEventWriter(table, last, note);
  }

  /** Writes the minutes that are over. @param until the end of the last of them */
  function writeMinuteBlock(until: number): void {
    const over: Minutes = new Map();
    const rest: Minutes = new Map();
    for (const [code, bars] of minutes) {
      const done = bars.filter(({ time }) => time < until);
      const open = bars.filter(({ time }) => time >= until);
      if (done.length > 0) over.set(code, done);
      if (open.length > 0) rest.set(code, open);
    }
    if (over.size > 0) file.add('minutes', minutesFrom, until, writeMinutes(over, minutesFrom));
    minutes = rest;
    minutesFrom = until;
  }

  /** Brings the recording to a moment. @returns the moment to record; null once nothing is recorded any more */
  function advance(time: number): number | null {
    if (stepped !== null || file.failure() !== null) return null;
    if (time < last - MAX_STEP_BACK_MS) {
      stepped = STEPPED_BACK;
      return null;
    }
    const now = Math.max(last, Math.round(time));
    const next = Math.floor(now / SEGMENT_MS);
    const isLong = segmentBytes + writer.size() > MAX_SEGMENT_BYTES && minuteOf(now) > minuteOf(last);
    if (hasNewsSinceBase && (next > segment || isLong)) {
      const begin = minuteOf(next > segment ? next * SEGMENT_MS : now);
      writeChunk();
      writeMinuteBlock(begin);
      writeBase(begin - 1);
    }
    segment = next;
    last = now;
    return now;
  }

  function added(): void {
    isEmpty = false;
    hasNewsSinceBase = true;
    if (writer.size() > MAX_CHUNK_BYTES || stopwatch.monotonic() - chunkBegan > CHUNK_MS) writeChunk();
  }

  for (const one of deps.stocks()) written.set(one.stock.code, one);
  writeBase(startedAt);

  return {
    stocks(time, changed, removed) {
      const now = advance(time);
      if (now === null) return;
      if (removed.length > 0) {
        for (const code of removed) written.delete(code);
        writer.other({ time: now, kind: 'remove', codes: removed });
      }
      for (const one of changed) written.set(one.stock.code, one);
      if (writer.stocks(now, changed) || removed.length > 0) added();
    },
    other(time, event) {
      const now = advance(time);
      if (now === null) return;
      writer.other({ ...event, time: now } as OtherEvent);
      added();
    },
    idle(time) {
      if (advance(time) !== null && stopwatch.monotonic() - chunkBegan > CHUNK_MS) writeChunk();
    },
    until: () => last,
    failure: () => stepped ?? file.failure(),
    async end() {
      writeChunk();
      if (minutes.size > 0) writeMinuteBlock(minuteOf(last) + MINUTE_MS);
      await file.end(last);
    },
  };
}

/** A stock's record as the recorder takes it. @param stated see `Market.statedQuoteTime` */
export const recorded = (stock: Stock, stated: number | null, takenAt: number | null): RecordedStock => ({
  stock,
  quoteTime: stated ?? Number.NaN,
  takenAt,
});
