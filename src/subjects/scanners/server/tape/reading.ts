import type { TapeDay } from '#subjects/scanners/answers/tape.ts';
import { joinSpans, MAX_CHANGES, MAX_STEP, MINUTE_MS } from '#subjects/scanners/rules/tape/tape.ts';
import type { TapeTable } from '#subjects/scanners/rules/tape/tapeTables.ts';
import type { Log } from '#lib/log.ts';
import type { TapeRow } from './pack/codec.ts';
import { type DecodedMinute, DecodedSegments } from './decodedSegments.ts';
import type { OpenSegment } from './recorder.ts';
import type { SegmentSpan } from './pack/records.ts';
import type { TapeStore } from './store.ts';

/** A table at one minute since the epoch, rows in no order. */
export type TapeMinute = { minute: number; rows: TapeRow[] };

/** A row that came into a table or went out of it. */
export type TapeChange = { minute: number; isEntered: boolean; row: TapeRow };

export type TapeReadingDeps = { store: TapeStore; open(): readonly OpenSegment[]; log: Log };

/** Work in steps much shorter than a slice. */
type Steps<T> = Generator<undefined, T>;

/** Some minutes, and their bytes. */
type Held = SegmentSpan & { parts: readonly Uint8Array[]; isPacked: boolean };

const rowsOf = (minute: DecodedMinute, table: TapeTable): TapeRow[] =>
  minute.codes(table).map((_, index) => minute.row(table, index));

/** Which places of each list hold what the other has not. Lists that are alike, as those of a minute and the next, cost least. */
function differences(one: readonly string[], other: readonly string[]): [number[], number[]] {
  const onlyOne: number[] = [];
  let matched = 0;
  for (const [index, code] of one.entries()) {
    if (code === other[matched]) matched += 1;
    else onlyOne.push(index);
  }
  const onlyOther = Array.from({ length: other.length - matched }, (_, index) => matched + index);
  // What stands at another place is in both.
  const rest = new Set(onlyOne.map((index) => one[index]));
  const common = new Set(onlyOther.flatMap((index) => other[index] ?? []).filter((code) => rest.has(code)));
  const without = (list: readonly string[], places: readonly number[]): number[] =>
    places.filter((index) => !common.has(list[index] ?? ''));
  return [without(one, onlyOne), without(other, onlyOther)];
}

/** Who is in the one and not in the other. */
function changesBetween(table: TapeTable, before: DecodedMinute, after: DecodedMinute): TapeChange[] {
  const { minute } = after;
  const [left, entered] = differences(before.codes(table), after.codes(table));
  return [
    ...entered.map((index) => ({ minute, isEntered: true, row: after.row(table, index) })),
    ...left.map((index) => ({ minute, isEntered: false, row: before.row(table, index) })),
  ];
}

/** Reads the tape, from memory and from disk, in steps. */
export class TapeReading {
  readonly #decoded: DecodedSegments;

  constructor(private readonly deps: TapeReadingDeps) {
    this.#decoded = new DecodedSegments(deps.log);
  }

  /** The bytes of the segment in which a minute is, or of the last before it. */
  #segmentAt(date: string, minute: number): Held | null {
    const held = this.deps.open().findLast((segment) => segment.date === date && segment.first <= minute);
    const saved = this.deps.store.at(date, minute);
    if (held && (!saved || held.first >= saved.first)) {
      // The writer goes on while this is read.
      return {
        first: held.first,
        until: held.until,
        parts: [held.writer.written().slice()],
        isPacked: false,
      };
    }
    return saved && { ...saved, isPacked: true };
  }

  /** The minutes of a segment from one to another, both included, newest first. */
  *#minutesOf({ parts, ...segment }: Held, from: number, to: number): Steps<DecodedMinute[]> {
    // A jump back has left minutes behind that do not count any more.
    const last = Math.min(to, segment.until - 1);
    const all = yield* this.#decoded.minutes(parts, segment);
    return all.filter(({ minute }) => minute >= from && minute <= last).reverse();
  }

  /**
   * Takes the minutes from one to another, both included, newest first, until `take` says that it is enough.
   * @param take whether it wants no more
   */
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

  /** The days that are kept, newest first. */
  days(): TapeDay[] {
    const held = this.deps.open();
    const dates = new Set([...held.map(({ date }) => date), ...this.deps.store.dates()]);
    return [...dates]
      .sort((a, b) => (a < b ? 1 : -1))
      .map((date) => {
        const spans = [...this.deps.store.spans(date), ...held.filter((segment) => segment.date === date)]
          .sort((a, b) => a.first - b.first)
          .map(({ first, until }) => ({ from: first * MINUTE_MS, to: (until - 1) * MINUTE_MS }));
        return { date, spans: joinSpans(spans) };
      });
  }

  /** A table as it stood at a minute, or not much before it; null where nothing was recorded. */
  *at(date: string, table: TapeTable, minute: number): Steps<TapeMinute | null> {
    let found: TapeMinute | null = null;
    yield* this.#takeBack(date, { from: minute - MAX_STEP + 1, to: minute }, (newest) => {
      found = { minute: newest.minute, rows: rowsOf(newest, table) };
      return true;
    });
    return found;
  }

  /** Who entered and left a table after one minute, up to and including another; newest first. */
  *changes(
    date: string,
    table: TapeTable,
    after: number,
    to: number,
  ): Steps<{ changes: TapeChange[]; isCut: boolean }> {
    const changes: TapeChange[] = [];
    let next: DecodedMinute | null = null;
    // What the first minute changed shows against the one before it.
    yield* this.#takeBack(date, { from: after - MAX_STEP + 1, to }, (before) => {
      if (next && next.minute > after && next.minute - before.minute <= MAX_STEP) {
        changes.push(...changesBetween(table, before, next));
      }
      next = before;
      return changes.length > MAX_CHANGES || before.minute <= after;
    });
    return { changes: changes.slice(0, MAX_CHANGES), isCut: changes.length > MAX_CHANGES };
  }

  /** Bytes of decoded minutes that are held. */
  held(): number {
    return this.#decoded.size();
  }
}
