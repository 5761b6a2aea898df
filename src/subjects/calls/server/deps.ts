import type { Clock } from '../../../lib/clock.ts';
import type { Market } from '../../../market/types.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { Audit } from '../../../admin/audit/server/service.ts';
import type { MarketSource } from '../../../sources/quotes/source.ts';
import type { PathKeeper } from './paths/keeper.ts';
import type { CallPathStore } from './paths/store.ts';
import type { Endings } from './endings.ts';
import type { CallContext } from './rows.ts';
import type { CallRow, CallStore } from './store.ts';
import type { CallTracker } from './tracker/tracker.ts';

/** What submitting, closing and moderating share. */
export type CallsDeps = {
  clock: Clock;
  market: Pick<Market, 'get' | 'all' | 'date' | 'statedQuoteTime'>;
  source: Pick<MarketSource, 'name' | 'days' | 'delayMinutes' | 'clock'>;
  store: CallStore;
  tracker: CallTracker;
  leaderboard: Leaderboard;
  endings: Pick<Endings, 'hold' | 'drop'>;
  keeper: Pick<PathKeeper, 'settled'>;
  paths: Pick<CallPathStore, 'addStops'>;
  audit: Pick<Audit, 'record'>;
  randomToken(): string;
  /** What is shown with these calls. */
  contextOf(rows: readonly CallRow[]): CallContext;
};

/** The caller, as far as calls need to know. */
export type Submitter = { id: number; username: string };
