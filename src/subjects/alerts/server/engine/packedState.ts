import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import { type FiringState, HOLDING, NEW, RELEASED, SILENT } from '#subjects/alerts/rules/firingState.ts';
import { MAX_CONDITIONS } from '#subjects/conditions/rules/condition.ts';
import type { Program } from '#subjects/alerts/rules/program.ts';
import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import type { Entry } from './entries.ts';
import { twoDigits } from '#lib/twoDigits.ts';

/*
 * What an alert remembers over a restart, packed, little-endian: eight bytes of which the first are the format, the firing
 * state and the number of crossings, then 64-bit floats: the hash of symbol and logic, the last evaluation, the last trigger, two
 * sessions of its stock (date as YYYYMMDD, last trade, previous close), and both previous sides of each crossing. NaN
 * stands for nothing.
 */
const FORMAT = 1;
const HEAD_BYTES = 8;
const FLOATS = 9;

const FIRING_STATES: readonly FiringState[] = [NEW, RELEASED, HOLDING, SILENT];

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

const dayText = (day: number): string =>
  `${Math.floor(day / 10_000)}-${twoDigits(Math.floor(day / 100) % 100)}-${twoDigits(day % 100)}`;

function unpackDay(day: number, last: number, close: number): Quote | null {
  if (Number.isNaN(day)) return null;
  const unknown = { open: null, high: null, low: null, volume: null };
  return { date: dayText(day), ...unknown, last: orNull(last), close: orNull(close) };
}

/** Packs states. What `pack` gives holds until it is called again: thousands are packed in one tick. */
export class StatePacker {
  private readonly memory = new ArrayBuffer(HEAD_BYTES + (FLOATS + MAX_CONDITIONS * 2) * 8);
  private readonly bytes = new Uint8Array(this.memory);
  private readonly floats = new Float64Array(this.memory, HEAD_BYTES);
  /** Nearly all states are of the same two days. */
  private readonly days = new Map<string, number>();

  constructor(private readonly program: Program) {}

  /** @param lastTriggeredAt epoch ms by the wall clock */
  pack(entry: Entry, lastTriggeredAt: number | null): Uint8Array {
    const { floats, bytes } = this;
    const { quote, prior } = entry.book.days;
    floats[0] = entry.logicHash;
    floats[1] = entry.evaluatedAt ?? Number.NaN;
    floats[2] = lastTriggeredAt ?? Number.NaN;
    this.packDay(3, quote);
    this.packDay(6, prior);
    const end = this.packCrossings(entry);
    bytes[0] = FORMAT;
    bytes[1] = entry.firingState;
    bytes[2] = (end - FLOATS) / 2;
    return bytes.subarray(0, HEAD_BYTES + end * 8);
  }

  /** @returns where the floats end */
  private packCrossings({ first, count, hasCrossings }: Entry): number {
    const { program, floats } = this;
    let at = FLOATS;
    const end = hasCrossings ? first + count : first;
    for (let row = first; row < end; row += 1) {
      if (!program.isCrossing(row)) continue;
      floats[at] = program.leftBeforeOf(row);
      floats[at + 1] = program.rightBeforeOf(row);
      at += 2;
    }
    return at;
  }

  private packDay(at: number, quote: Quote | null): void {
    this.floats[at] = quote ? this.dayNumber(quote.date) : Number.NaN;
    this.floats[at + 1] = quote?.last ?? Number.NaN;
    this.floats[at + 2] = quote?.close ?? Number.NaN;
  }

  private dayNumber(date: string): number {
    const known = this.days.get(date);
    if (known !== undefined) return known;
    if (this.days.size > 100) this.days.clear();
    const day = Number(date.replaceAll('-', ''));
    this.days.set(date, day);
    return day;
  }
}

function crossingRows(program: Program, { first, count }: Entry): number[] {
  const rows: number[] = [];
  for (let row = first; row < first + count; row += 1) if (program.isCrossing(row)) rows.push(row);
  return rows;
}

/** What was packed. Times are epoch ms. */
export type UnpackedState = {
  firingState: FiringState;
  evaluatedAt: number | null;
  lastTriggeredAt: number | null;
  days: DayMemory;
  /** Both previous sides of each crossing, in their order. */
  before: readonly { left: number; right: number }[];
};

/** @returns null for a state of another logic, or one that can't be read */
export function unpackState(packed: Uint8Array, logicHash: number): UnpackedState | null {
  if (packed.byteLength < HEAD_BYTES + FLOATS * 8) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const crossings = view.getUint8(2);
  if (view.getUint8(0) !== FORMAT || packed.byteLength !== HEAD_BYTES + (FLOATS + crossings * 2) * 8)
    return null;
  const number = (index: number): number => view.getFloat64(HEAD_BYTES + index * 8, true);
  const firingState = FIRING_STATES[view.getUint8(1)];
  if (number(0) !== logicHash || firingState === undefined) return null;
  return {
    firingState,
    evaluatedAt: orNull(number(1)),
    lastTriggeredAt: orNull(number(2)),
    days: {
      quote: unpackDay(number(3), number(4), number(5)),
      prior: unpackDay(number(6), number(7), number(8)),
    },
    before: Array.from({ length: crossings }, (_, index) => ({
      left: number(FLOATS + index * 2),
      right: number(FLOATS + index * 2 + 1),
    })),
  };
}

/** Sets the previous values of an alert's crossings. */
export function restoreBefore(program: Program, entry: Entry, before: UnpackedState['before']): void {
  for (const [index, row] of crossingRows(program, entry).entries()) {
    const sides = before[index];
    if (sides) program.setBefore(row, sides.left, sides.right);
  }
}
