import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import { type FiringState, HOLDING, NEW, RELEASED, SILENT } from '#subjects/alerts/rules/firingState.ts';
import type { Program } from '#subjects/alerts/rules/program.ts';
import type { Quote } from '#subjects/calls/rules/pricePath.ts';
import { type ActiveAlert, type ActiveAlerts, isWritable } from './activeAlerts.ts';
import { parseJson } from '#lib/json.ts';
import { readMembers, readNumber, readText } from '#lib/read.ts';
import { FirstFailure } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import type { AlertEngineStore } from './store.ts';

const FIRING_STATES: readonly FiringState[] = [NEW, RELEASED, HOLDING, SILENT];

function crossingRows(program: Program, { first, count, hasCrossings }: ActiveAlert): number[] {
  const rows: number[] = [];
  const end = hasCrossings ? first + count : first;
  for (let row = first; row < end; row += 1) if (program.isCrossing(row)) rows.push(row);
  return rows;
}

const dayOf = (quote: Quote | null) => quote && [quote.date, quote.last, quote.close];

/**
 * The stored state of an alert as JSON: firing state, hash of symbol and logic, time of the last evaluation and of the
 * last trigger, two sessions of its stock, and both previous sides of each crossing, null if unknown.
 * @param lastTriggeredAt epoch ms by the wall clock
 */
function keptState(program: Program, entry: ActiveAlert, lastTriggeredAt: number | null): string {
  const { firingState, logicHash, evaluatedAt } = entry;
  const { quote, prior } = entry.symbolAlerts.days;
  const before = crossingRows(program, entry).map((row) => [
    program.leftBeforeOf(row),
    program.rightBeforeOf(row),
  ]);
  // JSON turns NaN into null.
  const days = [dayOf(quote), dayOf(prior)];
  return JSON.stringify([firingState, logicHash, evaluatedAt, lastTriggeredAt, ...days, before]);
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
  /** Both previous sides of each crossing; NaN if unknown. */
  before: readonly { left: number; right: number }[];
};

/** @returns null for other conditions or an unreadable state */
export function readState(kept: unknown, logicHash: number): ReadState | null {
  const parsed = typeof kept === 'string' ? parseJson(kept) : null;
  const state = parsed?.ok ? parsed.value : null;
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

export function restoreBefore(program: Program, entry: ActiveAlert, before: ReadState['before']): void {
  for (const [index, row] of crossingRows(program, entry).entries()) {
    const sides = before[index];
    if (sides) program.setBefore(row, sides.left, sides.right);
  }
}

/** How long a change waits for others, ms. It is on disk within two seconds unless thousands change at once. */
const SAVE_AFTER_MS = 1000;
/** Ids that differ only in these low bits share one or two database pages, which are the cost of a tick. */
const NEIGHBOURS_BITS = 5;
/** Limits per tick, so that no tick takes long. */
const MAX_NEIGHBOURHOODS = 64;
const MAX_DROPPED = 500;

class Neighbourhoods {
  private readonly parts = new Map<number, Set<ActiveAlert>>();

  add(entry: ActiveAlert): void {
    const part = entry.id >> NEIGHBOURS_BITS;
    const same = this.parts.get(part);
    if (same) same.add(entry);
    else this.parts.set(part, new Set([entry]));
  }

  remove(entry: ActiveAlert): void {
    const part = entry.id >> NEIGHBOURS_BITS;
    const same = this.parts.get(part);
    if (same?.delete(entry) && same.size === 0) this.parts.delete(part);
  }

  oldest(): number[] {
    return [...this.parts.keys().take(MAX_NEIGHBOURHOODS)];
  }

  writable(parts: readonly number[]): ActiveAlert[] {
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
 * Writes states that changed without a trigger: conditions that began or ceased to hold, and crossings whose sides
 * changed order. The last values of crossings are written once per session.
 */
export class StateSaver {
  private readonly failure: FirstFailure;
  private readonly dirty = new Neighbourhoods();
  /** States to write when there is time. */
  private readonly later = new Neighbourhoods();
  private readonly dropped = new Set<number>();
  /** Time of the oldest unwritten change, ms of the monotonic clock; null for none. */
  private since: number | null = null;

  constructor(
    private readonly app: App,
    private readonly store: AlertEngineStore,
    private readonly entries: ActiveAlerts,
  ) {
    const log = app.log.child('alerts');
    this.failure = new FirstFailure(log, 'Could not save the state of alerts; trying again');
  }

  /** Call it in a transaction. @param lastTriggeredAt epoch ms by the wall clock */
  writeState(entry: ActiveAlert, lastTriggeredAt: number | null): void {
    const { app, entries, store } = this;
    store.saveState(entry.id, app.source.name, keptState(entries.program, entry, lastTriggeredAt));
  }

  add(entry: ActiveAlert): void {
    this.dirty.add(entry);
    this.note();
  }

  /** Call it when the state was written elsewhere, or was deleted with the alert. */
  settle(entry: ActiveAlert): void {
    this.dirty.remove(entry);
    this.dropped.delete(entry.id);
  }

  /** Call it when the stored state is no longer valid. */
  drop(entry: ActiveAlert): void {
    this.dirty.remove(entry);
    this.dropped.add(entry.id);
    this.note();
  }

  /** Writes every state when there is time; call it after a session. */
  addAllLater(): void {
    this.later.clear();
    for (const entry of this.entries.all()) if (entry.evaluatedAt !== null) this.later.add(entry);
  }

  /**
   * Writes due states together with the caller's rows, so that both cost one write. Call it in the caller's
   * transaction.
   * @returns a function to call after the commit
   */
  writeDue(): () => void {
    const changed = this.due();
    if (changed === null) return () => {};
    this.writeAll(changed);
    return () => this.done(changed);
  }

  /** Writes some due states; call it at every tick. */
  saveDue(): void {
    const changed = this.due();
    if (changed !== null) this.writeSafely(changed);
    else if (this.since === null && !this.later.isEmpty) this.saveLater();
  }

  /** Writes the state of every evaluated alert. @throws database errors */
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

  /** Due changes, limited to one tick; null for none. */
  private due(): ActiveAlert[] | null {
    if (this.since === null || this.app.clock.monotonic() - this.since < SAVE_AFTER_MS) return null;
    return this.dirty.writable(this.dirty.oldest());
  }

  private saveLater(): void {
    const parts = this.later.oldest();
    if (this.writeSafely(this.later.writable(parts))) this.later.drop(parts);
  }

  private writeSafely(changed: readonly ActiveAlert[]): boolean {
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

  /** Writes these states and deletes invalid ones. Call it in a transaction. */
  private writeAll(changed: readonly ActiveAlert[]): void {
    for (const id of this.dropped.values().take(MAX_DROPPED)) this.store.dropState(id);
    for (const entry of changed) this.writeState(entry, entry.lastTriggeredAt);
  }

  private done(changed: readonly ActiveAlert[]): void {
    for (const id of [...this.dropped.values().take(MAX_DROPPED)]) this.dropped.delete(id);
    // The new row replaced the one to delete.
    for (const entry of changed) this.settle(entry);
    this.since = this.dirty.isEmpty && this.dropped.size === 0 ? null : this.since;
  }
}
