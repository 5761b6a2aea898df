import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import { type FiringState, HOLDING, NEW, RELEASED, SILENT } from '#subjects/alerts/rules/firingState.ts';
import type { Program } from '#subjects/alerts/rules/program.ts';
import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import { type Entry, type Entries, isWritable } from './entries.ts';
import { parseJson } from '#lib/json.ts';
import { readMembers, readNumber, readText } from '#lib/read.ts';
import { twoDigits } from '#lib/text.ts';
import { FirstFailure } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import type { AlertEngineStore } from './store.ts';

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
function keptState(program: Program, entry: Entry, lastTriggeredAt: number | null): string {
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

/**
 * How long a change waits for others. Ticks come every second, so with the next tick it is on disk two seconds after it
 * was made, unless thousands change at once.
 */
const SAVE_AFTER_MS = 1000;
/**
 * Alerts whose ids differ only in these bits lie on the same page of the database or two. What a tick costs is the pages
 * that it writes, so whole neighbourhoods are written together.
 */
const NEIGHBOURS_BITS = 5;
/** In one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_NEIGHBOURHOODS = 64;
const MAX_DROPPED = 500;

/** Alerts by neighbourhood, in the order of the oldest of each. */
class Neighbourhoods {
  private readonly parts = new Map<number, Set<Entry>>();

  add(entry: Entry): void {
    const part = entry.id >> NEIGHBOURS_BITS;
    const same = this.parts.get(part);
    if (same) same.add(entry);
    else this.parts.set(part, new Set([entry]));
  }

  remove(entry: Entry): void {
    const part = entry.id >> NEIGHBOURS_BITS;
    const same = this.parts.get(part);
    if (same?.delete(entry) && same.size === 0) this.parts.delete(part);
  }

  /** As many as one tick writes. */
  oldest(): number[] {
    return [...this.parts.keys().take(MAX_NEIGHBOURHOODS)];
  }

  /** What can be written of these. */
  writable(parts: readonly number[]): Entry[] {
    return parts.flatMap((part) => [...(this.parts.get(part) ?? [])].filter(isWritable));
  }

  drop(parts: readonly number[]): void {
    for (const part of parts) this.parts.delete(part);
  }

  clear(): void {
    this.parts.clear();
  }

  get isEmpty(): boolean {
    return this.parts.size === 0;
  }

  get count(): number {
    return this.parts.values().reduce((sum, part) => sum + part.size, 0);
  }
}

/**
 * Writes what alerts remember, apart from what a trigger changes: conditions that began or ceased to hold without one,
 * crossings that came to stand where they cross to, or left that place. The last values of a crossing alone are no such
 * change; they follow once a session.
 */
export class StateSaver {
  private readonly failure: FirstFailure;
  private readonly dirty = new Neighbourhoods();
  /** What is written only when there is time. */
  private readonly later = new Neighbourhoods();
  private readonly dropped = new Set<number>();
  /** When the oldest change that is not on disk was made, by the stopwatch. */
  private since: number | null = null;

  constructor(
    private readonly app: App,
    private readonly store: AlertEngineStore,
    private readonly entries: Entries,
  ) {
    const log = app.log.child('alerts');
    this.failure = new FirstFailure(log, 'What alerts remember could not be saved; trying again');
  }

  /**
   * Writes a state as it stands. To be called within a transaction.
   * @param lastTriggeredAt epoch ms by the wall clock
   */
  writeState(entry: Entry, lastTriggeredAt: number | null): void {
    const { app, entries, store } = this;
    store.saveState(entry.id, app.source.name, keptState(entries.program, entry, lastTriggeredAt));
  }

  /** Marks an alert's state as changed. */
  add(entry: Entry): void {
    this.dirty.add(entry);
    this.note();
  }

  /** The state of this alert was written by somebody else, or is gone with it. */
  settle(entry: Entry): void {
    this.dirty.remove(entry);
    this.dropped.delete(entry.id);
  }

  /** What is on disk of this alert counts no more. */
  drop(entry: Entry): void {
    this.dirty.remove(entry);
    this.dropped.add(entry.id);
    this.note();
  }

  /** Writes everything when there is time: the session is over. */
  addAllLater(): void {
    this.later.clear();
    for (const entry of this.entries.all()) if (entry.evaluatedAt !== null) this.later.add(entry);
  }

  /**
   * Writes what is due along with the caller's own rows, so that both cost one write to the disk. To be called within
   * the caller's transaction.
   * @returns to be called when that was committed
   */
  writeDue(): () => void {
    const changed = this.due();
    if (changed === null) return () => {};
    this.writeAll(changed);
    return () => this.done(changed);
  }

  /** Writes a piece when it is time; to be called at every tick. */
  saveDue(): void {
    const changed = this.due();
    if (changed !== null) this.writeSafely(changed);
    else if (this.since === null && !this.later.isEmpty) this.saveLater();
  }

  /** Writes the state of every alert that was evaluated. @throws what the database throws */
  saveAll(): void {
    const { entries, store } = this;
    const changed = [...entries.all()].filter((one) => isWritable(one) && one.evaluatedAt !== null);
    store.inTransaction(() => this.writeAll(changed));
    this.done(changed);
  }

  count(): number {
    return this.dirty.count + this.dropped.size;
  }

  private note(): void {
    this.since ??= this.app.clock.monotonic();
  }

  /** What has waited long enough, as much of it as one tick writes; null when nothing has. */
  private due(): Entry[] | null {
    if (this.since === null || this.app.clock.monotonic() - this.since < SAVE_AFTER_MS) return null;
    return this.dirty.writable(this.dirty.oldest());
  }

  private saveLater(): void {
    const parts = this.later.oldest();
    if (this.writeSafely(this.later.writable(parts))) this.later.drop(parts);
  }

  private writeSafely(changed: readonly Entry[]): boolean {
    if (changed.length === 0 && this.dropped.size === 0) return true;
    try {
      this.store.inTransaction(() => this.writeAll(changed));
      this.done(changed);
      this.failure.ended();
      return true;
    } catch (error) {
      this.failure.failed(error);
      return false;
    }
  }

  /** Writes these, and what counts no more. To be called within a transaction. */
  private writeAll(changed: readonly Entry[]): void {
    for (const id of this.dropped.values().take(MAX_DROPPED)) this.store.dropState(id);
    for (const entry of changed) this.writeState(entry, entry.lastTriggeredAt);
  }

  /** What was written is on disk. */
  private done(changed: readonly Entry[]): void {
    for (const id of [...this.dropped.values().take(MAX_DROPPED)]) this.dropped.delete(id);
    // What is to be dropped was written over.
    for (const entry of changed) this.settle(entry);
    this.since = this.dirty.isEmpty && this.dropped.size === 0 ? null : this.since;
  }
}
