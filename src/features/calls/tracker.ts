import { looksAdjusted, type Quote, tradedBetween } from '../../domain/calls/pricePath.ts';
import { advance, eventsBetween, type TrackedCall, type TrackState } from '../../domain/calls/tracker.ts';
import { isActive } from '../../domain/market/halted.ts';
import type { ChangeSet, Market } from '../../market/types.ts';
import type { MarketSource } from '../../sources/quotes/source.ts';
import type { Clock } from '../../lib/clock.ts';
import { fromState, storedQuote, toQuote, toState, toTracked } from './rows.ts';
import type { CallRow, CallStore, TrackedColumns } from './store.ts';

export type TrackerDeps = {
  clock: Clock;
  market: Pick<Market, 'get' | 'date'>;
  source: Pick<MarketSource, 'days' | 'delayMinutes'>;
  store: Pick<CallStore, 'tracked' | 'together' | 'saveTrack' | 'pause'>;
  /** Called after something that visitors can see was written: a fill, a level reached, a pause. */
  changed(userIds: Iterable<number>): void;
};

/** One followed call, in memory. */
type Followed = {
  readonly id: number;
  readonly userId: number;
  readonly symbol: string;
  readonly call: TrackedCall;
  state: TrackState;
  seen: Quote | null;
  paused: boolean;
};

/** What is not urgent is written at most this often; a restart works it out again from the session's range. */
const SAVE_EVERY_MS = 10_000;
/** So many in one tick; more than that goes on in the next, so that no tick becomes long. */
const MAX_SAVED_AT_ONCE = 200;

const ADJUSTED_TEXT =
  'The previous close no longer fits the prices seen before: probably a split or consolidation. Prices are not followed any more.';

/**
 * Follows every pending and open call on the Market's change sets. Fills and reached levels are on disk before the
 * tick is over; the highest price since the fill and the like follow within ten seconds.
 */
export function createCallTracker(deps: TrackerDeps) {
  const byId = new Map<number, Followed>();
  const bySymbol = new Map<string, Set<Followed>>();
  const unsaved = new Set<Followed>();
  let savedAt = Number.NEGATIVE_INFINITY;
  const news = new Set<number>();

  const add = (row: CallRow): void => {
    const followed: Followed = {
      id: row.id,
      userId: row.userId,
      symbol: row.symbol,
      call: toTracked(row),
      state: toState(row),
      seen: storedQuote(row.seen),
      paused: row.trackingPaused !== null,
    };
    byId.set(row.id, followed);
    const same = bySymbol.get(row.symbol) ?? new Set();
    bySymbol.set(row.symbol, same.add(followed));
  };

  const remove = (id: number): void => {
    const followed = byId.get(id);
    if (!followed) return;
    byId.delete(id);
    unsaved.delete(followed);
    const same = bySymbol.get(followed.symbol);
    same?.delete(followed);
    if (same?.size === 0) bySymbol.delete(followed.symbol);
  };

  const columnsOf = ({ id, state, seen }: Followed): TrackedColumns => ({ id, ...fromState(state), seen });

  const save = (some: Iterable<Followed>): void => {
    const list = [...some];
    if (list.length === 0) return;
    deps.store.together(() => {
      for (const followed of list) {
        deps.store.saveTrack(columnsOf(followed));
        if (followed.paused) deps.store.pause(followed.id, ADJUSTED_TEXT);
      }
    });
    for (const followed of list) unsaved.delete(followed);
    if (news.size === 0) return;
    deps.changed(news);
    news.clear();
  };

  /** @returns true when something happened that must be written at once */
  const observe = (followed: Followed, quote: Quote, time: number): boolean => {
    const before = followed.seen;
    followed.seen = quote;
    if (
      before === null ||
      quote.date !== before.date ||
      quote.high !== before.high ||
      quote.low !== before.low
    ) {
      unsaved.add(followed);
    }
    if (before === null || time < followed.call.submittedAt) return false;
    // A day that does not follow the day before it proves nothing.
    if (deps.source.days === 'consecutive' && looksAdjusted(before, quote)) {
      followed.paused = true;
      unsaved.add(followed);
      return true;
    }
    const traded = tradedBetween(before, quote);
    if (traded === null) return false;
    const next = advance(followed.call, followed.state, { ...traded, time });
    if (next === followed.state) return false;
    const events = eventsBetween(followed.state, next);
    followed.state = next;
    unsaved.add(followed);
    return events.length > 0;
  };

  const look = (code: string, time: number, date: string, urgent: Set<Followed>): void => {
    const same = bySymbol.get(code);
    const stock = same && deps.market.get(code);
    // Nothing trades before the open or in a halt, and prices may still be those of another day.
    if (!stock || !isActive(stock)) return;
    const quote = toQuote(stock, date);
    for (const followed of same) {
      if (!followed.paused && observe(followed, quote, time)) urgent.add(followed);
    }
  };

  /** When the trades of this moment's prices happened: a delayed feed tells of an earlier time. */
  const tradeTime = (): number => deps.clock.now() - deps.source.delayMinutes() * 60_000;

  const writeUrgent = (urgent: Set<Followed>): void => {
    if (urgent.size === 0) return;
    // Should the disk refuse, it stays unsaved and is tried again, and visitors hear of it then.
    for (const { userId } of urgent) news.add(userId);
    save(urgent);
  };

  return {
    /** Takes up the calls of an earlier run. */
    resume(): void {
      for (const row of deps.store.tracked()) if (!byId.has(row.id)) add(row);
    },

    add,
    remove,

    /** One tick: looks at every changed stock that somebody has a call on. */
    track(changes: ChangeSet | null): void {
      if (changes !== null && byId.size > 0) {
        const urgent = new Set<Followed>();
        const time = tradeTime();
        const date = deps.market.date();
        for (const code in changes.upsert) look(code, time, date, urgent);
        writeUrgent(urgent);
      }
      if (unsaved.size > 0 && deps.clock.now() - savedAt >= SAVE_EVERY_MS) {
        if (unsaved.size <= MAX_SAVED_AT_ONCE) savedAt = deps.clock.now();
        save(unsaved.values().take(MAX_SAVED_AT_ONCE));
      }
    },

    /** Brings one call up to this moment's prices, which the next tick would bring, and tells how it stands. */
    settle(id: number): TrackState | null {
      const followed = byId.get(id);
      if (!followed) return null;
      const urgent = new Set<Followed>();
      look(followed.symbol, tradeTime(), deps.market.date(), urgent);
      writeUrgent(urgent);
      return followed.state;
    },

    /** How a followed call stands now, which may be newer than what is on disk; null when it is not followed. */
    stateOf: (id: number): TrackState | null => byId.get(id)?.state ?? null,

    /** Writes whatever is not on disk yet. */
    flush(): void {
      save(unsaved);
    },

    counts: (): { followed: number; symbols: number; unsaved: number } => ({
      followed: byId.size,
      symbols: bySymbol.size,
      unsaved: unsaved.size,
    }),
  };
}
