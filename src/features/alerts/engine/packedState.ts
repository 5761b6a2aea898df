import type { DayMemory } from '../../../domain/alerts/dayMemory.ts';
import { HOLDING, type Latch, NEW, RELEASED, SILENT } from '../../../domain/alerts/latch.ts';
import type { Program } from '../../../domain/alerts/program.ts';
import type { Quote } from '../../../domain/calls/pricePath.ts';
import type { Entry } from './entries.ts';

/*
 * What an alert remembers over a restart, packed, little-endian: format and latch (a byte each), how many crossings (two
 * bytes), then as 64-bit floats the hash of the logic, the last evaluation, the last trigger, two sessions of its stock
 * (date as YYYYMMDD, last trade, previous close), and both previous sides of each crossing. NaN stands for nothing.
 */
const FORMAT = 1;
const HEAD_BYTES = 4;
const FLOATS = 9;

const LATCHES: readonly Latch[] = [NEW, RELEASED, HOLDING, SILENT];

const orNaN = (value: number | null | undefined): number => value ?? Number.NaN;
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

const dayNumber = (date: string): number => Number(date.replaceAll('-', ''));
const dayText = (day: number): string =>
  `${Math.floor(day / 10_000)}-${String(Math.floor(day / 100) % 100).padStart(2, '0')}-${String(day % 100).padStart(2, '0')}`;

const packDay = (quote: Quote | null): number[] =>
  quote
    ? [dayNumber(quote.date), orNaN(quote.last), orNaN(quote.close)]
    : [Number.NaN, Number.NaN, Number.NaN];

function unpackDay(day: number, last: number, close: number): Quote | null {
  if (Number.isNaN(day)) return null;
  const unknown = { open: null, high: null, low: null, volume: null };
  return { date: dayText(day), ...unknown, last: orNull(last), close: orNull(close) };
}

function crossingRows(program: Program, { first, count }: Entry): number[] {
  const rows: number[] = [];
  for (let row = first; row < first + count; row += 1) if (program.isCrossing(row)) rows.push(row);
  return rows;
}

/** @param lastTriggeredAt epoch ms by the wall clock */
export function packState(program: Program, entry: Entry, lastTriggeredAt: number | null): Uint8Array {
  const { quote, prior } = entry.book.days;
  const crossings = entry.hasCrossings ? crossingRows(program, entry) : [];
  const numbers = [
    entry.logicHash,
    orNaN(entry.evaluatedAt),
    orNaN(lastTriggeredAt),
    ...packDay(quote),
    ...packDay(prior),
  ];
  for (const row of crossings) numbers.push(program.leftBeforeOf(row), program.rightBeforeOf(row));
  const packed = new Uint8Array(HEAD_BYTES + numbers.length * 8);
  const view = new DataView(packed.buffer);
  view.setUint8(0, FORMAT);
  view.setUint8(1, entry.latch);
  view.setUint16(2, crossings.length, true);
  for (const [index, number] of numbers.entries()) view.setFloat64(HEAD_BYTES + index * 8, number, true);
  return packed;
}

/** What was packed. Times are epoch ms. */
export type UnpackedState = {
  latch: Latch;
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
  const crossings = view.getUint16(2, true);
  if (view.getUint8(0) !== FORMAT || packed.byteLength !== HEAD_BYTES + (FLOATS + crossings * 2) * 8)
    return null;
  const number = (index: number): number => view.getFloat64(HEAD_BYTES + index * 8, true);
  const latch = LATCHES[view.getUint8(1)];
  if (number(0) !== logicHash || latch === undefined) return null;
  return {
    latch,
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
