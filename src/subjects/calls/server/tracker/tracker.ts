import type { Counting } from '../../rules/counting.ts';
import type { Ending } from '../../rules/follow.ts';
import type { TrackState } from '../../rules/tracker.ts';
import { trustedPrice, type Watch } from '../../rules/watch.ts';
import { isActive } from '../../../../market/rules/halted.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { ChangeSet } from '../../../../market/types.ts';
import type { MarketSource } from '../../../../sources/quotes/source.ts';
import type { CallRow, CallStore } from '../store.ts';
import { createFollowedCalls, type FollowedCall, type FollowedCalls } from './followedCalls.ts';
import { observe } from './observe.ts';
import { runningResults } from './running.ts';
import { createSaver, type Saver, type SaverDeps } from './saver.ts';
import { type QuoteDeps, quoteNow } from './watchStore.ts';

export type TrackerDeps = Pick<SaverDeps, 'changed'> &
  QuoteDeps & {
    /** Called with the id of a call that was settled. */
    settled(id: number): void;
    clock: SystemClock;
    source: Pick<MarketSource, 'name' | 'days' | 'delayMinutes' | 'clock'>;
    store: SaverDeps['store'] & Pick<CallStore, 'unsettled'>;
  };

type CompareDeps = TrackerDeps & { calls: FollowedCalls; saver: Saver };

const isFollowable = ({ isPaused, exit, source }: FollowedCall, running: string): boolean =>
  !isPaused && exit === null && source === running;

/** Compares the calls on these stocks with the market. */
function compare({ market, source, calls, saver, clock }: CompareDeps, codes: Iterable<string>): void {
  const feed = { days: source.days, delayMs: source.delayMinutes() * 60_000 };
  const date = market.date();
  for (const code of codes) {
    const same = calls.on(code);
    const stock = same.size > 0 ? market.get(code) : undefined;
    // Nothing trades before the open or in a halt, and prices may still be those of another day.
    if (!stock || !isActive(stock)) continue;
    const seen = quoteNow({ market, source, clock }, stock, date);
    for (const followed of same) {
      if (followed.stock === stock || !isFollowable(followed, source.name)) continue;
      followed.stock = stock;
      const urgency = observe(followed, seen, feed);
      if (urgency !== 'none') saver.add(followed, urgency);
    }
  }
}

/** What people do to a call that is followed. */
function createCallActions(calls: FollowedCalls, saver: Saver) {
  return {
    /** Its owner ended a call; until the first trade after that it is followed on, or forgotten at once. */
    end(id: number, end: Ending, isAwaitingExit: boolean): void {
      const followed = calls.get(id);
      if (!followed) return;
      saver.drop(followed);
      if (isAwaitingExit) followed.end = end;
      else calls.remove(followed);
    },

    /** An administrator decided on a call, or it waits for one: what of it counts from now on. */
    moderated(id: number, counting: Counting): void {
      const followed = calls.get(id);
      if (followed) followed.counting = counting;
    },

    /** Takes a call as it is stored now: it was corrected. */
    replace(row: CallRow): void {
      const before = calls.get(row.id);
      if (before) {
        saver.drop(before);
        calls.remove(before);
      }
      if (row.closedAt === null || row.isAwaitingExit) calls.add(row);
    },
  };
}

/**
 * Follows every call that is live or awaits its exit. Fills, levels, the high that a trailing stop follows and settlements
 * are on disk before anybody can see them. The best and the worst price follow within ten seconds, or within a minute where
 * they are ends of the session's range: a restart in the same session finds those there.
 */
export function createCallTracker(deps: TrackerDeps) {
  const calls = createFollowedCalls();
  const saver = createSaver({
    ...deps,
    settled(followed) {
      calls.remove(followed);
      deps.settled(followed.id);
    },
  });
  const compareDeps: CompareDeps = { ...deps, calls, saver };

  /** Brings one call up to this moment's prices; what trades from now on is traded after this moment. */
  function settle(followed: FollowedCall): void {
    compare(compareDeps, [followed.symbol]);
    saver.saveUrgent();
    if (followed.watch) followed.watch = { ...followed.watch, takenAt: deps.clock.now() };
  }

  return {
    /** Takes up the calls of an earlier run. */
    resume(): void {
      for (const row of deps.store.unsettled()) if (!calls.get(row.id)) calls.add(row);
    },

    add: (row: CallRow): void => calls.add(row),

    /**
     * Looks at stocks that a source has just sent, so that no trade hides behind a later one of the same tick. What
     * visitors can see is on disk when it returns.
     */
    look(codes: Iterable<string>): void {
      if (calls.counts().followed === 0) return;
      compare(compareDeps, codes);
      saver.saveUrgent();
    },

    /** The market was taken to another moment: nothing of what its stocks show now was traded since they were compared. */
    jump(): void {
      for (const followed of calls.all()) {
        if (followed.source !== deps.source.name) continue;
        followed.watch = null;
        followed.stock = null;
      }
      compare(compareDeps, new Set(calls.all().map(({ symbol }) => symbol)));
    },

    /** One tick: compares every changed stock that a call is on, and writes what visitors can see. */
    track(changes: ChangeSet | null): void {
      if (changes !== null && calls.counts().followed > 0) compare(compareDeps, Object.keys(changes.upsert));
      saver.saveUrgent();
      saver.saveDue();
    },

    /**
     * Brings one call up to this moment's prices, which the next tick would bring.
     *
     * @returns how it stands, and the last price of its stock that is not in doubt; null when it is not followed
     */
    settle(id: number): { state: TrackState; watch: Watch | null; lastPrice: number | null } | null {
      const followed = calls.get(id);
      if (!followed) return null;
      settle(followed);
      const { state, watch } = followed;
      return { state, watch, lastPrice: watch && trustedPrice(watch) };
    },

    ...createCallActions(calls, saver),

    /** How a followed call stands now, which may be newer than what is on disk; null when it is not followed. */
    stateOf: (id: number): TrackState | null => calls.get(id)?.state ?? null,

    /** Results of filled calls without an exit, at the last price. */
    running: () => runningResults(calls.all()),

    /** Writes whatever is not on disk yet. */
    flush: (): void => saver.saveAll(),

    counts: () => ({ ...calls.counts(), unsaved: saver.count() }),

    held: calls.held,
  };
}

export type CallTracker = ReturnType<typeof createCallTracker>;
