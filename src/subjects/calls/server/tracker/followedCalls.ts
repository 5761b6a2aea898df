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

/** A call in memory that is live or waits for the settling trade. */
export type FollowedCall = {
  readonly id: number;
  readonly publicId: string;
  readonly userId: number;
  readonly symbol: string;
  /** Name of its source. */
  readonly source: string;
  readonly call: TrackedCall;
  state: TrackState;
  /** The state on disk, which the ledger compares with. */
  saved: TrackState;
  /** Null while it is live. */
  end: Ending | null;
  /** The first trade after the end; null if awaited. */
  exit: ExitTrade | null;
  /** Unwritten steps of its trailing stop. */
  newStops: readonly StopStep[];
  /** The last quote of its stock; null before the first. */
  watch: Watch | null;
  /** The record that was compared last. */
  stock: Stock | null;
  /** Its prices are no longer followed, but it is not closed. */
  isPaused: boolean;
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

/** Without the record of its stock. */
const shownCall = ({ stock: _stock, ...followed }: FollowedCall): unknown => followed;

const NONE: ReadonlySet<FollowedCall> = new Set();

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

  /** Followed calls for the state inspector. */
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
 * Counting results of filled calls without an exit, at the last price or at their reached stop. Calls that are not followed
 * have none.
 */
export function runningResults(calls: Iterable<FollowedCall>): OwnedResult[] {
  const results: OwnedResult[] = [];
  for (const followed of calls) {
    // A reached stop stays valid whatever happens to the stock.
    if (followed.isPaused && followed.state.stopAt === null) continue;
    const percent = percentOf(followed);
    if (percent === null || !countsResult(followed.counting, percent)) continue;
    const { userId, source, symbol, call, state, end } = followed;
    const from = state.entryTradeAt ?? state.filledAt ?? call.submittedAt;
    results.push({ userId, source, symbol, percent, from, until: state.stopAt ?? end?.time ?? null });
  }
  return results;
}
