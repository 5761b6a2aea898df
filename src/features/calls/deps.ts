import type { Clock } from '../../lib/clock.ts';
import type { Market } from '../../market/types.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { CallStore } from './store.ts';
import type { CallTracker } from './tracker/tracker.ts';

/** What submitting, closing and moderating share. */
export type CallsDeps = {
  clock: Clock;
  market: Pick<Market, 'get' | 'all' | 'date'>;
  store: CallStore;
  tracker: CallTracker;
  leaderboard: Leaderboard;
  randomToken(): string;
};

/** The caller, as far as calls need to know. */
export type Submitter = { id: number; username: string };
