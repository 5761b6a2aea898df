import { type Counting, countingOf } from '../../rules/counting.ts';
import type { Ending, ExitTrade } from '../../rules/follow.ts';
import type { StopStep } from '../../rules/trailingStop.ts';
import type { TrackedCall, TrackState } from '../../rules/tracker.ts';
import type { Watch } from '../../rules/watch.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { LongList } from '../../../../lib/inspection.ts';
import { toEnding, toState, toTracked } from '../rows.ts';
import type { CallRow } from '../store.ts';
import { storedWatch } from './watchStore.ts';

/** A call in memory that is live, or that awaits the trade with which it is settled. */
export type FollowedCall = {
  readonly id: number;
  readonly userId: number;
  readonly symbol: string;
  /** The name of the source that it was made on. */
  readonly source: string;
  readonly call: TrackedCall;
  state: TrackState;
  /** How its owner ended it; null while it is live. */
  end: Ending | null;
  /** The first trade after the end; null while it is awaited. */
  exit: ExitTrade | null;
  /** Where its trailing stop moved to since that was written last. */
  newStops: readonly StopStep[];
  /** What is remembered of its stock; null before the first quote. */
  watch: Watch | null;
  /** The record of its stock that was compared last. */
  stock: Stock | null;
  /** Prices are not followed any more; it still waits to be closed. */
  isPaused: boolean;
  /** What of it counts in the ranks. */
  counting: Counting;
};

const toFollowed = (row: CallRow): FollowedCall => ({
  id: row.id,
  userId: row.userId,
  symbol: row.symbol,
  source: row.source,
  call: toTracked(row),
  state: toState(row),
  end: toEnding(row),
  exit: null,
  newStops: [],
  watch: storedWatch(row.watch),
  stock: null,
  isPaused: row.trackingPaused !== null,
  counting: countingOf(row),
});

/** A followed call without the record of its stock. */
const shownCall = ({ stock: _stock, ...followed }: FollowedCall): unknown => followed;

const NONE: ReadonlySet<FollowedCall> = new Set();

/** The calls in memory, by id and by symbol. */
export function createFollowedCalls() {
  const byId = new Map<number, FollowedCall>();
  const bySymbol = new Map<string, Set<FollowedCall>>();
  return {
    get: (id: number): FollowedCall | undefined => byId.get(id),

    on: (symbol: string): ReadonlySet<FollowedCall> => bySymbol.get(symbol) ?? NONE,

    all: (): IteratorObject<FollowedCall> => byId.values(),

    add(row: CallRow): void {
      const followed = toFollowed(row);
      byId.set(row.id, followed);
      const same = bySymbol.get(row.symbol) ?? new Set();
      bySymbol.set(row.symbol, same.add(followed));
    },

    remove(followed: FollowedCall): void {
      byId.delete(followed.id);
      const same = bySymbol.get(followed.symbol);
      same?.delete(followed);
      if (same?.size === 0) bySymbol.delete(followed.symbol);
    },

    /** What is followed of each, for whoever looks into the running server. */
    held: (): LongList => new LongList(byId.size, () => byId.values().map(shownCall)),

    counts: (): { followed: number; symbols: number } => ({ followed: byId.size, symbols: bySymbol.size }),
  };
}

export type FollowedCalls = ReturnType<typeof createFollowedCalls>;
