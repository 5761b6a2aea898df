import type { Quote } from '../../../domain/calls/pricePath.ts';
import type { TrackedCall, TrackState } from '../../../domain/calls/tracker.ts';
import { storedQuote, toState, toTracked } from '../rows.ts';
import type { CallRow } from '../store.ts';

/** A pending or open call in memory. */
export type FollowedCall = {
  readonly id: number;
  readonly userId: number;
  readonly symbol: string;
  readonly call: TrackedCall;
  state: TrackState;
  /** What its stock showed when it was last compared; null before the first time. */
  lastQuote: Quote | null;
  /** Prices are not followed any more; it still waits to be closed. */
  isPaused: boolean;
};

const toFollowed = (row: CallRow): FollowedCall => ({
  id: row.id,
  userId: row.userId,
  symbol: row.symbol,
  call: toTracked(row),
  state: toState(row),
  lastQuote: storedQuote(row.lastQuote),
  isPaused: row.trackingPaused !== null,
});

const NONE: ReadonlySet<FollowedCall> = new Set();

/** The followed calls by id and by symbol. */
export function createFollowedCalls() {
  const byId = new Map<number, FollowedCall>();
  const bySymbol = new Map<string, Set<FollowedCall>>();
  return {
    get: (id: number): FollowedCall | undefined => byId.get(id),

    on: (symbol: string): ReadonlySet<FollowedCall> => bySymbol.get(symbol) ?? NONE,

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

    counts: (): { followed: number; symbols: number } => ({ followed: byId.size, symbols: bySymbol.size }),
  };
}

export type FollowedCalls = ReturnType<typeof createFollowedCalls>;
