import { rankSubmitters, type Tally } from '../../domain/calls/leaderboard.ts';
import type { LeaderboardEntry } from '../../domain/calls/types.ts';
import type { SystemClock } from '../../lib/clock.ts';
import { toAdminCall, toCall } from './rows.ts';
import type { CallStore } from './store.ts';

export type Audience = 'public' | 'admin';

/** An answer as it goes on the wire. */
export type EncodedAnswer = { json: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

/** `fetchedAt` may lag this much, so that many visitors cost one compression a second. */
const STAMP_EVERY_MS = 1000;

type LeaderboardDeps = {
  store: Pick<CallStore, 'recent' | 'recentForAdmin' | 'tallies'>;
  clock: SystemClock;
};

/** The two lists of an answer as JSON texts, and the answer last made of them; `stampedAt` by the stopwatch. */
type CachedAnswer = { calls: string; leaderboard: string; stampedAt: number; encoded: EncodedAnswer };

/** Keeps one tally a submitter, so that a change makes the database count one submitter's calls and not all. */
function createTallies(store: LeaderboardDeps['store']) {
  const byUser = new Map<number, Tally>();
  let isComplete = false;
  const count = (userIds?: readonly number[]): void => {
    for (const { userId, ...tally } of store.tallies(userIds)) byUser.set(userId, tally);
  };
  return {
    ranked(): LeaderboardEntry[] {
      if (!isComplete) {
        byUser.clear();
        count();
        isComplete = true;
      }
      return rankSubmitters([...byUser.values()]);
    },
    countAgain(userIds: readonly number[]): void {
      if (!isComplete) return;
      for (const id of userIds) byUser.delete(id);
      count(userIds);
    },
    forget(): void {
      isComplete = false;
    },
  };
}

function encode({ calls, leaderboard }: Pick<CachedAnswer, 'calls' | 'leaderboard'>, fetchedAt: number) {
  const text = `{"fetchedAt":${fetchedAt},"leaderboard":${leaderboard},"calls":${calls}}`;
  const json = new TextEncoder().encode(text);
  return { json, gzip: Bun.gzipSync(json, { level: 4 }) };
}

/**
 * The leaderboard answer. Calls are read from the database once per change, submitters are counted again one by one,
 * and the answer is stamped and compressed at most once a second for each audience.
 */
export function createLeaderboard({ store, clock }: LeaderboardDeps) {
  const cache = new Map<Audience, CachedAnswer>();
  const tallies = createTallies(store);

  const read = (audience: Audience) => ({
    calls: JSON.stringify(
      audience === 'admin' ? store.recentForAdmin().map(toAdminCall) : store.recent().map(toCall),
    ),
    leaderboard: JSON.stringify(tallies.ranked()),
  });

  return {
    /** Calls and leaderboard as bytes, plain and compressed. */
    answer(audience: Audience): EncodedAnswer {
      const stampedAt = clock.monotonic();
      const cached = cache.get(audience);
      if (cached && stampedAt - cached.stampedAt < STAMP_EVERY_MS) return cached.encoded;
      const { calls, leaderboard } = cached ?? read(audience);
      const encoded = encode({ calls, leaderboard }, clock.now());
      cache.set(audience, { calls, leaderboard, stampedAt, encoded });
      return encoded;
    },

    /** Calls of these users changed: counts them again, and only them; the next answer reads the calls again. */
    changed(userIds: Iterable<number>): void {
      cache.clear();
      tallies.countAgain([...userIds]);
    },

    /** Forgets everything that was read. */
    forget(): void {
      cache.clear();
      tallies.forget();
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
