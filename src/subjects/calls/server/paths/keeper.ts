import { type CallPath, NO_PATH } from '../../rules/life.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { MarketTimes } from '../marketTimes.ts';
import type { CallRow } from '../store.ts';
import { findPath, type FoundPath, type PathDeps } from './past.ts';
import type { CallPathStore } from './store.ts';

export type KeeperDeps = {
  /** The wall clock. */
  clock: SystemClock;
  /** The name of the source that runs. */
  source: string;
  prices: PathDeps;
  times: Pick<MarketTimes, 'shown' | 'wentBack'>;
  store: CallPathStore;
};

/** Minutes are kept so long; what ended before can't be made up for. */
const MINUTES_KEPT_MS = 9 * 86_400_000;
/** Paths are written together, so often at most and so many at once: each costs some milliseconds. */
const EVERY_MS = 30_000;
const AT_ONCE = 10;
const AT_STOP = 50;
/** A path that goes on is found again after this; of so many calls at most it is remembered. */
const FOUND_FOR_MS = 10_000;
const MAX_FOUND = 100;
/** The minute of a call's end is whole, and told, after this; ms of the market's clock. */
const WHOLE_AFTER_MS = 120_000;

/**
 * Finds the prices of a call from its posting to its end, or to now, and keeps those of settled calls: once, for the bars
 * they are made of are dropped after some days.
 */
export function createPathKeeper({ clock, source, prices, times, store }: KeeperDeps) {
  const due = new Set<number>();
  let dueAt = 0;
  /** Paths that were found lately, by the call's id, oldest first; `at` by the stopwatch. */
  const lately = new Map<number, { at: number; found: FoundPath }>();

  /** When a call is over, by the wall clock. */
  const endOf = (row: CallRow): number =>
    row.closedAt === null || row.isAwaitingExit ? clock.now() : Math.max(row.closedAt, row.exitTradeAt ?? 0);

  /** @param row of a call on the source that runs */
  function pathOf(row: CallRow): FoundPath {
    const end = endOf(row);
    if (times.wentBack(row.source, row.submittedAt, end)) {
      return { path: null, whyNoPath: NO_PATH.brokenClock };
    }
    const from = times.shown(row.source, row.submittedAt);
    return findPath(prices, { symbol: row.symbol, from, until: times.shown(row.source, end) });
  }

  /** As `pathOf`, but at most every few seconds: many may look at the same call. */
  function latelyFound(row: CallRow): FoundPath {
    const at = clock.monotonic();
    const known = lately.get(row.id);
    if (known && at - known.at < FOUND_FOR_MS) return known.found;
    const found = pathOf(row);
    lately.delete(row.id);
    lately.set(row.id, { at, found });
    const [oldest] = lately.keys();
    if (lately.size > MAX_FOUND && oldest !== undefined) lately.delete(oldest);
    return found;
  }

  /** @param isLast whether there will be no later time for it: a simulated market begins its day anew */
  function keep(ids: readonly number[], isLast: boolean): void {
    const found: { id: number; path: CallPath | null }[] = [];
    const now = prices.clock.now();
    for (const id of ids) {
      const row = store.byId(id);
      if (!row || row.source !== source || row.closedAt === null || row.isAwaitingExit) {
        due.delete(id);
        continue;
      }
      const age = now - times.shown(source, endOf(row));
      if (isLast || age >= WHOLE_AFTER_MS || age < 0) found.push({ id, path: pathOf(row).path });
    }
    if (found.length === 0) return;
    store.inTransaction(() => {
      for (const { id, path } of found) store.keepPath(id, { path });
    });
    for (const { id } of found) due.delete(id);
  }

  return {
    /** A call was settled: its path is to be kept. */
    settled(id: number): void {
      due.add(id);
    },

    /** Calls that an earlier run settled without keeping their paths. */
    resume(): void {
      const now = clock.now();
      for (const id of store.withoutPath(source, now - MINUTES_KEPT_MS)) due.add(id);
    },

    /** Keeps some of the paths that are due; to be called at every tick. */
    tick(): void {
      if (due.size === 0 || clock.monotonic() < dueAt) return;
      dueAt = clock.monotonic() + EVERY_MS;
      keep([...due].slice(0, AT_ONCE), false);
    },

    /** Keeps what is due; to be called before the database closes. */
    flush: (): void => keep([...due].slice(0, AT_STOP), true),

    /** The kept path of a call, else what the running source knows of it now. */
    find(row: CallRow): FoundPath {
      const kept = store.pathOf(row.id)?.path ?? null;
      if (kept !== null) return { path: kept, whyNoPath: null };
      return row.source === source ? latelyFound(row) : { path: null, whyNoPath: NO_PATH.otherSource };
    },

    count: (): number => due.size,
  };
}

export type PathKeeper = ReturnType<typeof createPathKeeper>;
