import { joinSpans, MAX_CHANGES, MAX_STEP, MINUTE_MS, type TapeDay } from '../../domain/tape/tape.ts';
import type { TapeTable } from '../../domain/tape/tapeTables.ts';
import type { Log } from '../../lib/log.ts';
import { readTape, type TapeRow } from '../../market/tape/codec.ts';
import type { OpenSegment } from './recorder.ts';
import type { SegmentSpan, TapeStore } from './store.ts';

/** A table at one minute since the epoch, rows in no order. */
export type TapeMinute = { minute: number; rows: TapeRow[] };

/** A row that came into a table or went out of it. */
export type TapeChange = { minute: number; isEntered: boolean; row: TapeRow };

export type TapeReadingDeps = { store: TapeStore; open(): readonly OpenSegment[]; log: Log };

/** Some minutes, and their bytes, unpacked when they are asked for. */
type Held = SegmentSpan & { bytes(): Uint8Array };

/** Who is in the one and not in the other. */
function changesBetween(before: TapeMinute, after: TapeMinute): TapeChange[] {
  const had = new Set(before.rows.map(({ code }) => code));
  const has = new Set(after.rows.map(({ code }) => code));
  const { minute } = after;
  return [
    ...after.rows.filter(({ code }) => !had.has(code)).map((row) => ({ minute, isEntered: true, row })),
    ...before.rows.filter(({ code }) => !has.has(code)).map((row) => ({ minute, isEntered: false, row })),
  ];
}

/** Reads the tape, from memory and from disk. */
export function createTapeReading({ store, open, log }: TapeReadingDeps) {
  /** The bytes of the segment in which a minute is, or of the last before it. */
  function segmentAt(date: string, minute: number): Held | null {
    const held = open().findLast((segment) => segment.date === date && segment.first <= minute);
    const saved = store.at(date, minute);
    if (held && (!saved || held.first >= saved.first)) return { ...held, bytes: () => held.writer.written() };
    return (
      saved && {
        ...saved,
        bytes: () => Buffer.concat(saved.parts.map((part) => Bun.zstdDecompressSync(part))),
      }
    );
  }

  /** The minutes of a table from one to another, both included, that one segment has; oldest first. */
  function minutesOf(
    { first, until, bytes }: Held,
    table: TapeTable,
    from: number,
    to: number,
  ): TapeMinute[] {
    // A jump back has left minutes behind that do not count any more.
    const last = Math.min(to, until - 1);
    const found: TapeMinute[] = [];
    try {
      for (const { minute, rows } of readTape(bytes())) {
        if (minute > last) break;
        if (minute >= from) found.push({ minute, rows: rows(table) });
      }
    } catch (error) {
      log.warn('A piece of the tape is unreadable and was left out', { first, error });
    }
    return found;
  }

  /** The minutes of a table from one to another, both included, newest first. */
  function* minutesBack(date: string, table: TapeTable, from: number, to: number): Generator<TapeMinute> {
    for (let last = to; last >= from; ) {
      const segment = segmentAt(date, last);
      if (!segment) return;
      yield* minutesOf(segment, table, from, last).reverse();
      last = Math.min(segment.first, last) - 1;
    }
  }

  return {
    /** The days that are kept, newest first. */
    days(): TapeDay[] {
      const held = open();
      const dates = new Set([...held.map(({ date }) => date), ...store.dates()]);
      return [...dates]
        .sort((a, b) => (a < b ? 1 : -1))
        .map((date) => {
          const spans = [...store.spans(date), ...held.filter((segment) => segment.date === date)]
            .sort((a, b) => a.first - b.first)
            .map(({ first, until }) => ({ from: first * MINUTE_MS, to: (until - 1) * MINUTE_MS }));
          return { date, spans: joinSpans(spans) };
        });
    },

    /** A table as it stood at a minute, or not much before it; null where nothing was recorded. */
    at: (date: string, table: TapeTable, minute: number): TapeMinute | null =>
      minutesBack(date, table, minute - MAX_STEP + 1, minute).next().value ?? null,

    /** Who entered and left a table after one minute, up to and including another; newest first. */
    changes(
      date: string,
      table: TapeTable,
      after: number,
      to: number,
    ): { changes: TapeChange[]; isCut: boolean } {
      const changes: TapeChange[] = [];
      let next: TapeMinute | null = null;
      // What the first minute changed shows against the one before it.
      for (const before of minutesBack(date, table, after - MAX_STEP + 1, to)) {
        if (next && next.minute > after && next.minute - before.minute <= MAX_STEP) {
          changes.push(...changesBetween(before, next));
        }
        next = before;
        if (changes.length > MAX_CHANGES || before.minute <= after) break;
      }
      return { changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES };
    },
  };
}

export type TapeReading = ReturnType<typeof createTapeReading>;
