import { rankSubmitters, type Tally } from '../../domain/calls/leaderboard.ts';
import type { LeaderboardAnswer } from '../../domain/calls/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { toAdminCall, toCall } from './rows.ts';
import type { CallStore } from './store.ts';

export type Audience = 'public' | 'admin';

/** An answer as it goes on the wire. */
export type EncodedAnswer = { json: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

/** `fetchedAt` may lag this much, so that a crowd of visitors costs one compression a second. */
const STAMP_EVERY_MS = 1000;

type Cached = { calls: string; leaderboard: string; stampedAt: number; encoded: EncodedAnswer };

/**
 * The leaderboard answer. Calls are read from the database once per change, submitters counted again one by one,
 * and the answer is stamped and compressed at most once a
 * second for each audience.
 */
export function createBoard(deps: {
  store: Pick<CallStore, 'recent' | 'recentForAdmin' | 'tallies'>;
  clock: Clock;
}) {
  const cache = new Map<Audience, Cached>();

  const tallies = new Map<number, Tally>();
  let areTalliesRead = false;

  const tallyAgain = (userIds?: readonly number[]): void => {
    for (const id of userIds ?? [...tallies.keys()]) tallies.delete(id);
    for (const { userId, ...tally } of deps.store.tallies(userIds)) tallies.set(userId, tally);
    areTalliesRead = true;
  };

  const read = (audience: Audience): Pick<LeaderboardAnswer, 'calls' | 'leaderboard'> => {
    if (!areTalliesRead) tallyAgain();
    const { recent, recentForAdmin } = deps.store;
    return {
      calls: audience === 'admin' ? recentForAdmin().map(toAdminCall) : recent().map(toCall),
      leaderboard: rankSubmitters([...tallies.values()]),
    };
  };

  const encode = (calls: string, leaderboard: string, fetchedAt: number): EncodedAnswer => {
    const json = new TextEncoder().encode(
      `{"fetchedAt":${fetchedAt},"leaderboard":${leaderboard},"calls":${calls}}`,
    );
    return { json, gzip: Bun.gzipSync(json, { level: 4 }) };
  };

  return {
    /** Calls and leaderboard as bytes, plain and compressed. */
    answer(audience: Audience): EncodedAnswer {
      const now = deps.clock.now();
      const known = cache.get(audience);
      if (known && now - known.stampedAt < STAMP_EVERY_MS && now >= known.stampedAt) return known.encoded;
      const fresh = known ? null : read(audience);
      const calls = fresh ? JSON.stringify(fresh.calls) : (known?.calls ?? '[]');
      const leaderboard = fresh ? JSON.stringify(fresh.leaderboard) : (known?.leaderboard ?? '[]');
      const encoded = encode(calls, leaderboard, now);
      cache.set(audience, { calls, leaderboard, stampedAt: now, encoded });
      return encoded;
    },

    /** Calls of these users changed: counts them again, and only them; the next answer reads the calls again. */
    changed(userIds: Iterable<number>): void {
      cache.clear();
      if (areTalliesRead) tallyAgain([...userIds]);
    },

    /** Forgets everything that was read. */
    forget(): void {
      cache.clear();
      areTalliesRead = false;
    },
  };
}
