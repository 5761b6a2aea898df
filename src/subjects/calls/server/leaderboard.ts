import type { LeaderboardEntry, OtherLeaderboard } from '../rules/types.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import { compareNames } from '../../../lib/unicode.ts';
import type { MarketSource } from '../../../sources/quotes/source.ts';
import { type CallContext, toAdminCall, toCall } from './rows.ts';
import type { CallRow, CallStore } from './store.ts';
import { createTallies, type TallyStore } from './tallies.ts';
import type { RunningResult } from './tracker/running.ts';

export type Audience = 'public' | 'admin';

/** An answer as it goes on the wire. */
export type EncodedAnswer = { json: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

/** `fetchedAt` may lag this much, so that many visitors cost one compression a second. */
const STAMP_EVERY_MS = 1000;

type LeaderboardDeps = {
  store: Pick<CallStore, 'recent' | 'recentForAdmin'> & TallyStore;
  clock: SystemClock;
  source: Pick<MarketSource, 'name'>;
  /** Results of filled calls without an exit, at the last price. */
  running(): readonly RunningResult[];
  contextOf(rows: readonly CallRow[]): CallContext;
};

/** The calls of an answer as a JSON text, and the answer last made with them; `stampedAt` by the stopwatch. */
type CachedAnswer = { calls: string; stampedAt: number; encoded: EncodedAnswer };

function encode(calls: string, ranks: string, fetchedAt: number): EncodedAnswer {
  const text = `{"fetchedAt":${fetchedAt},${ranks},"calls":${calls}}`;
  const json = new TextEncoder().encode(text);
  return { json, gzip: Bun.gzipSync(json, { level: 4 }) };
}

/**
 * The leaderboard answer. Calls are read from the database once per change, submitters are counted again one by one,
 * and the answer is ranked, stamped and compressed at most once a second for each audience.
 */
export function createLeaderboard({ store, clock, source, running, contextOf }: LeaderboardDeps) {
  const cache = new Map<Audience, CachedAnswer>();
  const tallies = createTallies(store);
  let ranked: { at: number; bySource: ReadonlyMap<string, LeaderboardEntry[]> } | null = null;

  function rankedNow(): ReadonlyMap<string, LeaderboardEntry[]> {
    const now = clock.monotonic();
    if (!ranked || now - ranked.at >= STAMP_EVERY_MS)
      ranked = { at: now, bySource: tallies.ranked(running()) };
    return ranked.bySource;
  }

  function readCalls(audience: Audience): string {
    const rows = audience === 'admin' ? store.recentForAdmin() : store.recent();
    const context = contextOf(rows);
    const show = audience === 'admin' ? toAdminCall : toCall;
    return JSON.stringify(rows.map((row) => show(row, context)));
  }

  /** The members of the answer that rank submitters: first those of the source that runs, then the others. */
  function readRanks(): string {
    const bySource = tallies.ranked(running());
    const leaderboard = bySource.get(source.name) ?? [];
    const others: OtherLeaderboard[] = [...bySource]
      .filter(([name]) => name !== source.name)
      .sort(([a], [b]) => compareNames(a, b))
      .map(([name, entries]) => ({ source: name, leaderboard: entries }));
    return (
      `"source":${JSON.stringify(source.name)},"leaderboard":${JSON.stringify(leaderboard)},` +
      `"otherLeaderboards":${JSON.stringify(others)}`
    );
  }

  return {
    /** The submitters of calls on the source that runs, best first; at most a second old. */
    ranks: (): readonly LeaderboardEntry[] => rankedNow().get(source.name) ?? [],

    /** The submitters by the source of their calls; at most a second old. */
    ranked: rankedNow,

    /** Calls and leaderboard as bytes, plain and compressed. */
    answer(audience: Audience): EncodedAnswer {
      const stampedAt = clock.monotonic();
      const cached = cache.get(audience);
      if (cached && stampedAt - cached.stampedAt < STAMP_EVERY_MS) return cached.encoded;
      const calls = cached?.calls ?? readCalls(audience);
      const encoded = encode(calls, readRanks(), clock.now());
      cache.set(audience, { calls, stampedAt, encoded });
      return encoded;
    },

    /** Calls of these users changed: counts them again, and only them; the next answer reads the calls again. */
    changed(userIds: Iterable<number>): void {
      cache.clear();
      ranked = null;
      tallies.countAgain([...userIds]);
    },

    /** Forgets everything that was read. */
    forget(): void {
      cache.clear();
      ranked = null;
      tallies.forget();
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
