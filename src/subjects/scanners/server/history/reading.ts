import type { HistoryDay } from '#subjects/scanners/answers/history.ts';
import { joinSpans, MAX_CHANGES, MAX_STEP } from '#subjects/scanners/rules/history.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { type HistoryTable, HISTORY_FIELDS, HISTORY_TABLES } from '#market/scanners/rules/historyTables.ts';
import type { Log } from '#lib/log.ts';
import { type HistoryRow, type PackedRows, readHistory } from './codec.ts';
import type { OpenSegment } from './recorder.ts';
import type { SegmentSpan, HistoryStore } from './store.ts';

type DecodedMinute = {
  minute: number;
  codes(table: HistoryTable): readonly string[];
  /** The row of the code at this position. */
  row(table: HistoryTable, index: number): HistoryRow;
};

/** Decoded minutes, oldest first. */
type DecodedMinutes = { minutes: readonly DecodedMinute[]; bytes: number };

/** Bytes of a reference to a code; the codes are shared by all minutes. */
const BYTES_A_CODE = 8;

const bytesOf = ({ codes, figures }: PackedRows): number => codes.length * BYTES_A_CODE + figures.byteLength;

function minuteOf(minute: number, tables: ReadonlyMap<HistoryTable, PackedRows>): DecodedMinute {
  return {
    minute,
    codes: (table) => tables.get(table)?.codes ?? [],
    row(table, index) {
      const { codes, figures } = tables.get(table) ?? { codes: [], figures: new Float64Array() };
      const width = HISTORY_FIELDS[table].length;
      const values = Array.from(figures.subarray(index * width, (index + 1) * width), (value) =>
        Number.isNaN(value) ? null : value,
      );
      return { code: codes[index] ?? '', values };
    },
  };
}

/** Decodes one minute per step. @returns the minutes before the first unreadable one, and the error */
function* decodeHistory(bytes: Uint8Array): Generator<undefined, DecodedMinutes & { error: unknown }> {
  const minutes: DecodedMinute[] = [];
  let size = 0;
  try {
    for (const { minute, rows } of readHistory(bytes)) {
      const tables = new Map(HISTORY_TABLES.map((table) => [table, rows(table)]));
      for (const table of tables.values()) size += bytesOf(table);
      minutes.push(minuteOf(minute, tables));
      yield;
    }
  } catch (error) {
    return { minutes, bytes: size, error };
  }
  return { minutes, bytes: size, error: null };
}

/** Limit of decoded bytes: two hours of all tables of 2,000 stocks, the longest range of the panel of changes. */
const MAX_BYTES = 16_000_000;

function* decode(
  parts: readonly Uint8Array[],
  isPacked: boolean,
): Generator<undefined, DecodedMinutes & { error: unknown }> {
  let bytes: Buffer;
  try {
    bytes = Buffer.concat(isPacked ? parts.map((part) => Bun.zstdDecompressSync(part)) : parts);
  } catch (error) {
    return { minutes: [], bytes: 0, error };
  }
  yield;
  return yield* decodeHistory(bytes);
}

/**
 * A cache of decoded minutes, which drops the least recently used. Keys are the encoded bytes, so that entries cannot
 * be outdated.
 */
export class DecodedSegments {
  // A Map iterates in insertion order; re-inserting on use keeps the least recently used first.
  private readonly kept = new Map<string, DecodedMinutes>();
  private held = 0;

  constructor(
    private readonly log: Log,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /**
   * @param parts bytes of a segment in order, or compressed by zstandard if `isPacked`
   * @returns its minutes before the first unreadable one, oldest first
   */
  *minutes(
    parts: readonly Uint8Array[],
    { isPacked, first }: { isPacked: boolean; first: number },
  ): Generator<undefined, readonly DecodedMinute[]> {
    const key = parts.map((part) => `${part.length} ${Bun.hash(part)}`).join(' ');
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.minutes;
    }
    const { error, ...decoded } = yield* decode(parts, isPacked);
    if (error !== null) this.log.warn('Skipped an unreadable part of the scanner history', { first, error });
    this.keep(key, decoded);
    return decoded.minutes;
  }

  size(): number {
    return this.held;
  }

  private keep(key: string, decoded: DecodedMinutes): void {
    const { kept } = this;
    // Two concurrent readers may decode the same bytes.
    this.held += decoded.bytes - (kept.get(key)?.bytes ?? 0);
    kept.delete(key);
    kept.set(key, decoded);
    for (const [oldest, { bytes }] of kept) {
      if (this.held <= this.maxBytes) return;
      kept.delete(oldest);
      this.held -= bytes;
    }
  }
}

/** The rows of a table at a minute since the epoch, unordered. */
type HistoryMinute = { minute: number; rows: HistoryRow[] };

type HistoryChange = { minute: number; isEntered: boolean; row: HistoryRow };

/** Steps are much shorter than a slice. */
type Steps<T> = Generator<undefined, T>;

type Held = SegmentSpan & { parts: readonly Uint8Array[]; isPacked: boolean };

const rowsOf = (minute: DecodedMinute, table: HistoryTable): HistoryRow[] =>
  minute.codes(table).map((_, index) => minute.row(table, index));

/** Positions in each list whose codes the other one lacks. Similar lists, as of consecutive minutes, cost least. */
function differences(one: readonly string[], other: readonly string[]): [number[], number[]] {
  const onlyOne: number[] = [];
  let matched = 0;
  for (const [index, code] of one.entries()) {
    if (code === other[matched]) matched += 1;
    else onlyOne.push(index);
  }
  const onlyOther = Array.from({ length: other.length - matched }, (_, index) => matched + index);
  // A code in both lists at different positions does not count as a difference.
  const rest = new Set(onlyOne.map((index) => one[index]));
  const common = new Set(onlyOther.flatMap((index) => other[index] ?? []).filter((code) => rest.has(code)));
  const without = (list: readonly string[], places: readonly number[]): number[] =>
    places.filter((index) => !common.has(list[index] ?? ''));
  return [without(one, onlyOne), without(other, onlyOther)];
}

/** Rows that are in only one of the two minutes. */
function changesBetween(table: HistoryTable, before: DecodedMinute, after: DecodedMinute): HistoryChange[] {
  const { minute } = after;
  const [left, entered] = differences(before.codes(table), after.codes(table));
  return [
    ...entered.map((index) => ({ minute, isEntered: true, row: after.row(table, index) })),
    ...left.map((index) => ({ minute, isEntered: false, row: before.row(table, index) })),
  ];
}

export class HistoryReading {
  readonly #decoded: DecodedSegments;

  /** @param open returns the minutes that are not completely on disk */
  constructor(
    private readonly store: HistoryStore,
    private readonly open: () => readonly OpenSegment[],
    log: Log,
  ) {
    this.#decoded = new DecodedSegments(log);
  }

  /** The segment that contains a minute, or the last one before it. */
  #segmentAt(date: string, minute: number): Held | null {
    const held = this.open().findLast((segment) => segment.date === date && segment.first <= minute);
    const saved = this.store.at(date, minute);
    if (held && (!saved || held.first >= saved.first)) {
      // A copy, because the writer continues.
      return {
        first: held.first,
        until: held.until,
        parts: [held.writer.written().slice()],
        isPacked: false,
      };
    }
    return saved && { ...saved, isPacked: true };
  }

  /** Minutes of a segment in a range, both ends included, newest first. */
  *#minutesOf({ parts, ...segment }: Held, from: number, to: number): Steps<DecodedMinute[]> {
    // After a jump back, minutes from there on are not valid.
    const last = Math.min(to, segment.until - 1);
    const all = yield* this.#decoded.minutes(parts, segment);
    return all.filter(({ minute }) => minute >= from && minute <= last).reverse();
  }

  /** Passes the minutes of a range, both ends included, to `take`, newest first. @param take returns true to stop */
  *#takeBack(
    date: string,
    { from, to }: { from: number; to: number },
    take: (minute: DecodedMinute) => boolean,
  ): Steps<void> {
    for (let last = to; last >= from; ) {
      const segment = this.#segmentAt(date, last);
      if (!segment) return;
      for (const minute of yield* this.#minutesOf(segment, from, last)) {
        if (take(minute)) return;
        yield;
      }
      last = Math.min(segment.first, last) - 1;
    }
  }

  /** Recorded days, newest first. */
  days(): HistoryDay[] {
    const held = this.open();
    const dates = new Set([...held.map(({ date }) => date), ...this.store.dates()]);
    return [...dates]
      .sort((a, b) => (a < b ? 1 : -1))
      .map((date) => {
        const spans = [...this.store.spans(date), ...held.filter((segment) => segment.date === date)]
          .sort((a, b) => a.first - b.first)
          .map(({ first, until }) => ({ from: first * MINUTE_MS, to: (until - 1) * MINUTE_MS }));
        return { date, spans: joinSpans(spans) };
      });
  }

  /** A table at a minute, or shortly before it; null if there is none. */
  *at(date: string, table: HistoryTable, minute: number): Steps<HistoryMinute | null> {
    let found: HistoryMinute | null = null;
    yield* this.#takeBack(date, { from: minute - MAX_STEP + 1, to: minute }, (newest) => {
      found = { minute: newest.minute, rows: rowsOf(newest, table) };
      return true;
    });
    return found;
  }

  /** Rows that entered or left a table between two minutes, newest first; the first minute is excluded. */
  *changes(
    date: string,
    table: HistoryTable,
    after: number,
    to: number,
  ): Steps<{ changes: HistoryChange[]; isCut: boolean }> {
    const changes: HistoryChange[] = [];
    let next: DecodedMinute | null = null;
    // Starts earlier, because the changes of the first minute need the one before it.
    yield* this.#takeBack(date, { from: after - MAX_STEP + 1, to }, (before) => {
      if (next && next.minute > after && next.minute - before.minute <= MAX_STEP) {
        changes.push(...changesBetween(table, before, next));
      }
      next = before;
      return changes.length > MAX_CHANGES || before.minute <= after;
    });
    return { changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES };
  }

  held(): number {
    return this.#decoded.size();
  }
}
