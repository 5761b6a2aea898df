import type { Audit } from '#admin/audit/server/service.ts';
import type { Adjustments } from '#market/adjustments/index.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { Market } from '#market/types.ts';
import type { Core } from '#src/part.ts';
import type { CallsNotifier } from '../rules/types.ts';
import { endCallNow } from './close.ts';
import { Endings } from './endings.ts';
import { Leaderboard } from './leaderboard.ts';
import { Ledger } from './ledger/ledger.ts';
import { MarketLevels } from './marketLevels.ts';
import { MarketTimes } from './marketTimes.ts';
import { PathKeeper } from './paths/keeper.ts';
import { CallPathStore } from './paths/store.ts';
import { Records } from './records.ts';
import type { CallContext } from './rows.ts';
import { type CallRow, type CallStore, callStore } from './store.ts';
import { CallTracker } from './tracker/tracker.ts';

/** What calls use of the core. */
export type CallsCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  source: Pick<Core['source'], 'name' | 'days' | 'delayMinutes' | 'clock'>;
};

export type CallsNeeds = {
  market: Pick<Market, 'get' | 'all' | 'date' | 'statedQuoteTime'>;
  audit: Pick<Audit, 'record'>;
  randomToken(): string;
  /** What is known of stocks' past. */
  past: PastBars;
  adjustments: Adjustments;
  /** Tells submitters; asked for when there is something to tell. */
  notifier(): CallsNotifier;
};

/** The caller, as far as calls need to know. */
export type Submitter = { id: number; username: string };

/** What the use cases of calls share. One of these per process: it keeps the followed calls and the leaderboard's bytes. */
export class CallParts {
  readonly store: CallStore;
  readonly paths: CallPathStore;
  readonly times: MarketTimes;
  readonly levels: MarketLevels;
  readonly keeper: PathKeeper;
  readonly ledger: Ledger;
  readonly tracker: CallTracker;
  readonly leaderboard: Leaderboard;
  readonly records: Records;
  readonly endings: Endings;

  constructor(
    readonly core: CallsCore,
    readonly needs: CallsNeeds,
  ) {
    const { db, clock, log, source } = core;
    const { market, past, adjustments, randomToken } = needs;
    const store = callStore(db);
    const paths = new CallPathStore(db);
    const times = new MarketTimes(core);
    const levels = new MarketLevels({ db, clock, source, market, times });
    const keeper = new PathKeeper({ clock, source, past, market, times, store: paths, adjustments });
    const ledger = new Ledger({ db, clock, randomToken });
    const tracker = new CallTracker({
      clock,
      source,
      market,
      adjustments,
      store,
      paths,
      ledger,
      changed: (userIds) => this.changed([...userIds]),
      settled: (id) => keeper.settled(id),
    });
    const leaderboard = new Leaderboard({
      store,
      levels,
      clock,
      source,
      tracker,
      contextOf: this.contextOf,
      ledger,
    });
    this.store = store;
    this.ledger = ledger;
    this.paths = paths;
    this.times = times;
    this.levels = levels;
    this.keeper = keeper;
    this.tracker = tracker;
    this.leaderboard = leaderboard;
    this.records = new Records({ db, source, times, tracker, leaderboard });
    this.endings = new Endings({
      db,
      clock,
      log: log.child('calls'),
      end: (user, publicId, asked) => endCallNow(this, user, publicId, asked),
    });
  }

  /** What else is shown with these calls. */
  readonly contextOf = (rows: readonly CallRow[]): CallContext => ({
    source: this.core.source.name,
    corrections: this.store.correctionsOf(rows.map(({ id }) => id)),
    marketTime: (source, wall) => this.times.shown(source, wall),
    marketMove: (...asked) => this.levels.moveBetween(...asked),
    endingOf: (callId) => this.endings.of(callId),
  });

  /** Calls of these users changed. */
  changed(userIds: readonly number[]): void {
    this.leaderboard.changed(userIds);
    this.records.changed(userIds);
    for (const id of userIds) this.tell(id);
  }

  /** Tells the windows of a user that own calls changed. */
  tell(userId: number): void {
    this.needs.notifier().callsChanged(userId);
  }
}
