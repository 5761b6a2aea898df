import { rankSubmitters } from '../../domain/calls/leaderboard.ts';
import type { LeaderboardAnswer } from '../../domain/calls/types.ts';
import type { Clock } from '../../sources/source.ts';
import { toAdminCall, toCall } from './rows.ts';
import type { CallStore } from './store.ts';

export type Audience = 'public' | 'admin';

/** An answer as it goes on the wire. */
export type EncodedAnswer = { json: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

/** `fetchedAt` may lag this much, so that a crowd of visitors costs one compression a second. */
const stampEveryMs = 1000;

type Cached = { calls: string; leaderboard: string; stampedAt: number; encoded: EncodedAnswer };

/**
 * The leaderboard answer. It is read from the database once per change, and stamped and compressed at most once a
 * second for each audience.
 */
export const createBoard = (deps: {
  store: Pick<CallStore, 'recent' | 'recentForAdmin' | 'tallies'>;
  clock: Clock;
}) => {
  const cache = new Map<Audience, Cached>();

  const read = (audience: Audience): Pick<LeaderboardAnswer, 'calls' | 'leaderboard'> => ({
    calls:
      audience === 'admin' ? deps.store.recentForAdmin().map(toAdminCall) : deps.store.recent().map(toCall),
    leaderboard: rankSubmitters(deps.store.tallies()),
  });

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
      if (known && now - known.stampedAt < stampEveryMs && now >= known.stampedAt) return known.encoded;
      const fresh = known ? null : read(audience);
      const calls = fresh ? JSON.stringify(fresh.calls) : (known?.calls ?? '[]');
      const leaderboard = fresh ? JSON.stringify(fresh.leaderboard) : (known?.leaderboard ?? '[]');
      const encoded = encode(calls, leaderboard, now);
      cache.set(audience, { calls, leaderboard, stampedAt: now, encoded });
      return encoded;
    },

    /** Forgets what was read; the next answer reads again. */
    forget(): void {
      cache.clear();
    },
  };
};

export type Board = ReturnType<typeof createBoard>;
