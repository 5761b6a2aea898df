import type { TrackState } from '../../../domain/calls/tracker.ts';
import { isActive } from '../../../domain/market/halted.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { ChangeSet, Market } from '../../../market/types.ts';
import type { MarketSource } from '../../../sources/quotes/source.ts';
import { toQuote } from '../rows.ts';
import type { CallRow, CallStore } from '../store.ts';
import { createFollowedCalls, type FollowedCall, type FollowedCalls } from './followedCalls.ts';
import { observe } from './observe.ts';
import { createSaver, type Saver, type SaverDeps } from './saver.ts';

export type TrackerDeps = Omit<SaverDeps, 'store' | 'clock'> & {
  clock: SystemClock;
  market: Pick<Market, 'get' | 'date'>;
  source: Pick<MarketSource, 'days' | 'delayMinutes'>;
  store: SaverDeps['store'] & Pick<CallStore, 'live'>;
};

type CompareDeps = Pick<TrackerDeps, 'clock' | 'market' | 'source'> & { calls: FollowedCalls; saver: Saver };

/** Compares the calls on these stocks with the market, and writes at once what visitors can see. */
function compare({ clock, market, source, calls, saver }: CompareDeps, codes: Iterable<string>): void {
  const urgent = new Set<FollowedCall>();
  // A delayed feed shows the prices of an earlier time.
  const time = clock.now() - source.delayMinutes() * 60_000;
  const observation = { time, days: source.days };
  const date = market.date();
  for (const code of codes) {
    const same = calls.on(code);
    const stock = same.size > 0 ? market.get(code) : undefined;
    // Nothing trades before the open or in a halt, and prices may still be those of another day.
    if (!stock || !isActive(stock)) continue;
    const quote = toQuote(stock, date);
    for (const followed of same) {
      const urgency = followed.isPaused ? 'none' : observe(followed, quote, observation);
      if (urgency !== 'none') saver.add(followed);
      if (urgency === 'atOnce') urgent.add(followed);
    }
  }
  if (urgent.size > 0) saver.saveAtOnce(urgent);
}

/**
 * Follows every pending and open call on the Market's change sets. Fills and reached levels are on disk before the
 * tick is over; the highest price since the fill and the like follow within ten seconds.
 */
export function createCallTracker(deps: TrackerDeps) {
  const { clock, market, source, store } = deps;
  const calls = createFollowedCalls();
  const saver = createSaver(deps);
  const compareDeps: CompareDeps = { clock, market, source, calls, saver };
  return {
    /** Takes up the calls of an earlier run. */
    resume(): void {
      for (const row of store.live()) if (!calls.get(row.id)) calls.add(row);
    },

    add: (row: CallRow): void => calls.add(row),

    remove(id: number): void {
      const followed = calls.get(id);
      if (!followed) return;
      calls.remove(followed);
      saver.drop(followed);
    },

    /** One tick: compares every changed stock that a followed call is on. */
    track(changes: ChangeSet | null): void {
      if (changes !== null && calls.counts().followed > 0) compare(compareDeps, Object.keys(changes.upsert));
      saver.saveDue();
    },

    /** Brings one call up to this moment's prices, which the next tick would bring. @returns how it stands */
    settle(id: number): TrackState | null {
      const followed = calls.get(id);
      if (!followed) return null;
      compare(compareDeps, [followed.symbol]);
      return followed.state;
    },

    /** How a followed call stands now, which may be newer than what is on disk; null when it is not followed. */
    stateOf: (id: number): TrackState | null => calls.get(id)?.state ?? null,

    /** Writes whatever is not on disk yet. */
    flush: (): void => saver.saveAll(),

    counts: () => ({ ...calls.counts(), unsaved: saver.count() }),
  };
}

export type CallTracker = ReturnType<typeof createCallTracker>;
