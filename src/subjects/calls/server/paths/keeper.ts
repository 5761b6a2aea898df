import type { Adjustments } from '#market/adjustments/index.ts';
import { type CallPath, NO_PATH } from '#subjects/calls/rules/life.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { MarketTimes } from '../marketTimes.ts';
import type { CallRow } from '../store.ts';
import { findPath, type FoundPath, type PathDeps } from './past.ts';
import type { CallPathStore } from './store.ts';

type KeeperDeps = PathDeps & {
  /** The wall clock. */
  clock: SystemClock;
  times: MarketTimes;
  store: CallPathStore;
  adjustments: Pick<Adjustments, 'of'>;
};

/** Minutes are kept so long; what ended before can't be made up for. */
const MINUTES_KEPT_MS = 9 * 86_400_000;
/** Paths are written together, so often at most and this many at once: each costs some milliseconds. */
const EVERY_MS = 30_000;
const AT_ONCE = 10;
const AT_STOP = 50;
/** A path that goes on is found again after this; of this many calls at most it is remembered. */
const FOUND_FOR_MS = 10_000;
const MAX_FOUND = 100;
/** The minute of a call's end is whole, and told, after this; ms of the market's clock. */
const WHOLE_AFTER_MS = 120_000;

/**
 * Finds the prices of a call from its posting to its end, or to now, and keeps those of settled calls: once, for the bars
 * they are made of are dropped after some days.
 */
export class PathKeeper {
  readonly #due = new Set<number>();
  #dueAt = 0;
  /** Paths that were found lately, by the call's id, oldest first; `at` by the stopwatch. */
  readonly #lately = new Map<number, { at: number; found: FoundPath }>();

  constructor(private readonly deps: KeeperDeps) {}

  /** A call was settled: its path is to be kept. */
  settled(id: number): void {
    this.#due.add(id);
  }

  /** Calls that an earlier run settled without keeping their paths. */
  resume(): void {
    const { clock, store, source } = this.deps;
    const now = clock.now();
    for (const id of store.withoutPath(source.name, now - MINUTES_KEPT_MS)) this.#due.add(id);
  }

  /** Keeps some of the paths that are due; to be called at every tick. */
  tick(): void {
    const now = this.deps.clock.monotonic();
    if (this.#due.size === 0 || now < this.#dueAt) return;
    this.#dueAt = now + EVERY_MS;
    this.#keep([...this.#due].slice(0, AT_ONCE), false);
  }

  /** Keeps what is due; to be called before the database closes. */
  flush(): void {
    this.#keep([...this.#due].slice(0, AT_STOP), true);
  }

  /** The kept path of a call, else what the running source knows of it now. */
  find(row: CallRow): FoundPath {
    const kept = this.deps.store.pathOf(row.id)?.path ?? null;
    if (kept !== null) return { path: { adjustments: [], ...kept }, whyNoPath: null };
    const isOurs = row.source === this.deps.source.name;
    return isOurs ? this.#latelyFound(row) : { path: null, whyNoPath: NO_PATH.otherSource };
  }

  /** @param isLast whether there will be no later time for it: a simulated market begins its day again */
  #keep(ids: readonly number[], isLast: boolean): void {
    const { store, source, times } = this.deps;
    const found: { id: number; path: CallPath | null }[] = [];
    const now = source.clock.now();
    for (const id of ids) {
      const row = store.byId(id);
      if (!row || row.source !== source.name || row.closedAt === null || row.isAwaitingExit) {
        this.#due.delete(id);
        continue;
      }
      const age = now - times.shown(source.name, this.#endOf(row));
      if (isLast || age >= WHOLE_AFTER_MS || age < 0) found.push({ id, path: this.#pathOf(row).path });
    }
    if (found.length === 0) return;
    store.inTransaction(() => {
      for (const { id, path } of found) store.keepPath(id, { path });
    });
    for (const { id } of found) this.#due.delete(id);
  }

  /** As `#pathOf`, but at most every few seconds: many may look at the same call. */
  #latelyFound(row: CallRow): FoundPath {
    const at = this.deps.clock.monotonic();
    const known = this.#lately.get(row.id);
    if (known && at - known.at < FOUND_FOR_MS) return known.found;
    const found = this.#pathOf(row);
    this.#lately.delete(row.id);
    this.#lately.set(row.id, { at, found });
    const [oldest] = this.#lately.keys();
    if (this.#lately.size > MAX_FOUND && oldest !== undefined) this.#lately.delete(oldest);
    return found;
  }

  /** @param row of a call on the source that runs */
  #pathOf(row: CallRow): FoundPath {
    const { times } = this.deps;
    const end = this.#endOf(row);
    if (times.wentBack(row.source, row.submittedAt, end)) {
      return { path: null, whyNoPath: NO_PATH.brokenClock };
    }
    const from = times.shown(row.source, row.submittedAt);
    const found = findPath(this.deps, { symbol: row.symbol, from, until: times.shown(row.source, end) });
    if (found.path === null) return found;
    const adjustments = this.deps.adjustments.of(row.symbol).filter(({ at }) => at >= row.submittedAt);
    return { ...found, path: { ...found.path, adjustments } };
  }

  /** When a call is over, by the wall clock. */
  #endOf(row: CallRow): number {
    if (row.closedAt === null || row.isAwaitingExit) return this.deps.clock.now();
    return Math.max(row.closedAt, row.exitTradeAt ?? 0);
  }
}
