import { type Counting, countingOf, countsResult } from '#subjects/calls/rules/correction.ts';
import { verifiedExit, verifiedResult } from '#subjects/calls/rules/verifiedResult.ts';
import { type Ending, type ExitTrade, trustedPrice, type Watch } from '#subjects/calls/rules/watch.ts';
import type { StopStep } from '#subjects/calls/rules/trailingStop.ts';
import type { TrackedCall, TrackState } from '#subjects/calls/rules/tracker.ts';
import type { Stock } from '#market/rules/stock.ts';
import { LongList } from '#lib/inspection.ts';
import { toEnding, toState, toTracked } from '../rows.ts';
import type { CallRow, OwnedResult } from '../store.ts';
import { storedWatch } from './watchStore.ts';

/** A call in memory that is live, or that awaits the trade with which it is settled. */
export type FollowedCall = {
  readonly id: number;
  readonly publicId: string;
  readonly userId: number;
  readonly symbol: string;
  /** The name of the source that it was made on. */
  readonly source: string;
  readonly call: TrackedCall;
  state: TrackState;
  /** The state that is on disk: the ledger tells what is new beside it. */
  saved: TrackState;
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
  publicId: row.publicId,
  userId: row.userId,
  symbol: row.symbol,
  source: row.source,
  call: toTracked(row),
  state: toState(row),
  saved: toState(row),
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
export class FollowedCalls {
  readonly #byId = new Map<number, FollowedCall>();
  readonly #bySymbol = new Map<string, Set<FollowedCall>>();

  get(id: number): FollowedCall | undefined {
    return this.#byId.get(id);
  }

  on(symbol: string): ReadonlySet<FollowedCall> {
    return this.#bySymbol.get(symbol) ?? NONE;
  }

  all(): IteratorObject<FollowedCall> {
    return this.#byId.values();
  }

  add(row: CallRow): void {
    const followed = toFollowed(row);
    this.#byId.set(row.id, followed);
    const same = this.#bySymbol.get(row.symbol) ?? new Set();
    this.#bySymbol.set(row.symbol, same.add(followed));
  }

  remove(followed: FollowedCall): void {
    this.#byId.delete(followed.id);
    const same = this.#bySymbol.get(followed.symbol);
    same?.delete(followed);
    if (same?.size === 0) this.#bySymbol.delete(followed.symbol);
  }

  /** What is followed of each, for who looks into the running server. */
  held(): LongList {
    return new LongList(this.#byId.size, () => this.all().map(shownCall));
  }

  counts(): { followed: number; symbols: number } {
    return { followed: this.#byId.size, symbols: this.#bySymbol.size };
  }
}

function percentOf({ call, state, end, watch }: FollowedCall): number | null {
  const last = watch && trustedPrice(watch);
  const price = verifiedExit(end?.price ?? null, last);
  return verifiedResult(call, state, { time: 0, price })?.percent ?? null;
}

/**
 * Results of filled calls without an exit that count in the ranks: what they made at the last price, or where their stop
 * was reached. Calls whose prices are not followed have none.
 */
export function runningResults(calls: Iterable<FollowedCall>): OwnedResult[] {
  const results: OwnedResult[] = [];
  for (const followed of calls) {
    // What a reached stop ended stands, whatever becomes of the stock.
    if (followed.isPaused && followed.state.stopAt === null) continue;
    const percent = percentOf(followed);
    if (percent === null || !countsResult(followed.counting, percent)) continue;
    const { userId, source, symbol, call, state, end } = followed;
    const from = state.entryTradeAt ?? state.filledAt ?? call.submittedAt;
    results.push({ userId, source, symbol, percent, from, until: state.stopAt ?? end?.time ?? null });
  }
  return results;
}
