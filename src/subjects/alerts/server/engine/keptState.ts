import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import { type FiringState, HOLDING, NEW, RELEASED, SILENT } from '#subjects/alerts/rules/firingState.ts';
import type { Program } from '#subjects/alerts/rules/program.ts';
import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import type { Entry } from './entries.ts';
import { parseJson } from '#lib/json.ts';
import { readMembers, readNumber, readText } from '#lib/read.ts';
import { twoDigits } from '#lib/text.ts';

const FIRING_STATES: readonly FiringState[] = [NEW, RELEASED, HOLDING, SILENT];

function crossingRows(program: Program, { first, count, hasCrossings }: Entry): number[] {
  const rows: number[] = [];
  const end = hasCrossings ? first + count : first;
  for (let row = first; row < end; row += 1) if (program.isCrossing(row)) rows.push(row);
  return rows;
}

const dayOf = (quote: Quote | null) => quote && [quote.date, quote.last, quote.close];

/**
 * What an alert remembers over a restart, as JSON: the firing state, the hash of symbol and logic, the last evaluation, the last
 * trigger, two sessions of its stock, and both previous sides of each crossing, null where they are not known.
 * @param lastTriggeredAt epoch ms by the wall clock
 */
export function keptState(program: Program, entry: Entry, lastTriggeredAt: number | null): string {
  const { firingState, logicHash, evaluatedAt } = entry;
  const { quote, prior } = entry.book.days;
  const before = crossingRows(program, entry).map((row) => [
    program.leftBeforeOf(row),
    program.rightBeforeOf(row),
  ]);
  // JSON has null for NaN.
  const days = [dayOf(quote), dayOf(prior)];
  return JSON.stringify([firingState, logicHash, evaluatedAt, lastTriggeredAt, ...days, before]);
}

/**
 * Earlier versions kept bytes: a format, the firing state and six more, then 64-bit floats in the same order, dates as YYYYMMDD.
 * @returns null for another format
 */
function earlierState(kept: Uint8Array): unknown {
  const [format, firingState] = kept;
  if (format !== 1 || kept.byteLength % 8 !== 0) return null;
  const [logicHash, evaluatedAt, lastTriggeredAt, ...rest] = new Float64Array(kept.slice(8).buffer);
  const day = ([date = Number.NaN, last, close]: number[]) => {
    const month = twoDigits(Math.floor(date / 100) % 100);
    return Number.isNaN(date)
      ? null
      : [`${Math.floor(date / 10_000)}-${month}-${twoDigits(date % 100)}`, last, close];
  };
  const days = [day(rest.slice(0, 3)), day(rest.slice(3, 6))];
  const before = rest.slice(6).flatMap((left, at) => (at % 2 === 0 ? [[left, rest[7 + at]]] : []));
  return [firingState, logicHash, evaluatedAt, lastTriggeredAt, ...days, before];
}

function readDay(value: unknown): Quote | null {
  const [date, last, close] = readMembers(value);
  const unknown = { open: null, high: null, low: null, volume: null };
  const text = readText(date);
  return text === null ? null : { date: text, ...unknown, last: readNumber(last), close: readNumber(close) };
}

/** Times are epoch ms. */
export type ReadState = {
  firingState: FiringState;
  evaluatedAt: number | null;
  lastTriggeredAt: number | null;
  days: DayMemory;
  /** Both previous sides of each crossing, in their order; NaN where they are not known. */
  before: readonly { left: number; right: number }[];
};

/** @returns null for a state of another logic, or one that can't be read */
export function readState(kept: Uint8Array | string, logicHash: number): ReadState | null {
  const parsed = typeof kept === 'string' ? parseJson(kept) : null;
  const state = parsed === null ? earlierState(kept as Uint8Array) : parsed.ok ? parsed.value : null;
  const [firing, hash, evaluatedAt, lastTriggeredAt, quote, prior, before] = readMembers(state);
  const firingState = FIRING_STATES[readNumber(firing) ?? -1];
  if (hash !== logicHash || firingState === undefined) return null;
  return {
    firingState,
    evaluatedAt: readNumber(evaluatedAt),
    lastTriggeredAt: readNumber(lastTriggeredAt),
    days: { quote: readDay(quote), prior: readDay(prior) },
    before: readMembers(before).map((sides) => {
      const [left, right] = readMembers(sides);
      return { left: readNumber(left) ?? Number.NaN, right: readNumber(right) ?? Number.NaN };
    }),
  };
}

/** Sets the previous values of an alert's crossings. */
export function restoreBefore(program: Program, entry: Entry, before: ReadState['before']): void {
  for (const [index, row] of crossingRows(program, entry).entries()) {
    const sides = before[index];
    if (sides) program.setBefore(row, sides.left, sides.right);
  }
}
