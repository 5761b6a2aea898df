import { DAY_MS } from '#lib/units.ts';
import type { App } from '#platform/app.ts';
import type { AdminStatus } from '../rules/types.ts';
import { endCallNow } from './close.ts';
import { Endings } from './endings.ts';
import { Following } from './following.ts';
import { Leaderboard } from './leaderboard.ts';
import { Ledger } from './ledger/ledger.ts';
import { MarketLevels, MarketTimes } from './marketLevels.ts';
import { PriceHistoryKeeper, PriceHistoryStore } from './priceHistories.ts';
import type { CallContext } from './rows.ts';
import { type CallRow, type CallStore, callStore } from './store.ts';
import { CallTracker } from './tracker/tracker.ts';
import { accountKey } from '#subjects/accounts/rules/accountRules.ts';
import { countingOf, countsResult } from '../rules/correction.ts';
import {
  type CallResult,
  groupOf,
  resultStats,
  type SourceRecord,
  type SubmitterRecord,
} from '../rules/trackRecord.ts';
import type { Db } from '#platform/db/open.ts';
import { AppError } from '#platform/http/errors.ts';
import { compareNames } from '#lib/unicode.ts';

type Stored = Pick<SourceRecord, 'source' | 'awaiting' | 'neverTraded' | 'rejected' | 'ended' | 'isCut'>;

const MAX_KEPT = 50;

const NOBODY =
  'No user with that name has posted a call. The name may have changed, or the account was deleted.';

/** Limit of a submitter's newest ended calls on one source. */
const MAX_ENDED = 10_000;

/** An ended call with a verified result. Times are epoch ms of the wall clock. */
type EndedRow = {
  publicId: string;
  symbol: string;
  isShort: number;
  adminStatus: AdminStatus;
  reviewReason: string | null;
  percent: number;
  filledAt: number | null;
  /** The trades between which the result was measured, as on the leaderboard. */
  from: number;
  until: number;
  /** When the call was closed or cancelled, or when its stop was reached if that was earlier. */
  endedAt: number;
};

type CountedRow = {
  source: string;
  awaiting: number;
  neverTraded: number;
  rejected: number;
};

function recordStore(db: Db) {
  const client = db.$client;
  const user = client.query<{ id: number; username: string }, [string]>(
    'SELECT id, username FROM users WHERE username_key = ?',
  );
  const ended = client.query<EndedRow, [number, string, number]>(
    `SELECT public_id AS publicId, symbol, is_short AS isShort, admin_status AS adminStatus, review_reason AS reviewReason,
       verified_percent AS percent, filled_at AS filledAt, coalesce(stop_reached_at, closed_at) AS endedAt,
       coalesce(entry_trade_at, filled_at, submitted_at) AS "from",
       coalesce(stop_reached_at, exit_trade_at, closed_at) AS until
     FROM calls
     WHERE user_id = ? AND source = ? AND verified_percent IS NOT NULL AND closed_at IS NOT NULL
     ORDER BY submitted_at DESC, id DESC LIMIT ?`,
  );
  const counted = client.query<CountedRow, [number]>(
    `SELECT source,
       sum(is_awaiting_exit AND admin_status <> 'rejected') AS awaiting,
       sum(status = 'cancelled' AND entry_trade_price IS NULL AND NOT is_awaiting_exit
         AND admin_status <> 'rejected') AS neverTraded,
       sum(admin_status = 'rejected') AS rejected
     FROM calls WHERE user_id = ? GROUP BY source`,
  );
  return {
    /** @param key the name's `accountKey` */
    submitter: (key: string): { id: number; username: string } | null => user.get(key),
    /** Newest ended calls with a verified result; one more than the limit if there are more. */
    ended: (userId: number, source: string): EndedRow[] => ended.all(userId, source, MAX_ENDED + 1),
    counted: (userId: number): CountedRow[] => counted.all(userId),
  };
}

class Records {
  readonly #store: ReturnType<typeof recordStore>;
  readonly #kept = new Map<number, readonly Stored[]>();

  constructor(private readonly parts: CallParts) {
    this.#store = recordStore(parts.app.db);
  }

  /**
   * The track record of a name, in any spelling that the login accepts.
   * @throws AppError 404 for a name without calls that count, whether or not the account exists
   */
  of(name: string): SubmitterRecord {
    const { user, records } = this.#find(name);
    const source = this.parts.app.source.name;
    const isElsewhere = (record: SourceRecord): number => (record.source === source ? 0 : 1);
    records.sort((a, b) => isElsewhere(a) - isElsewhere(b) || compareNames(a.source, b.source));
    return { submitter: { display: user.username }, source, records };
  }

  /** The user of a name. @throws AppError 404 as `of` does */
  submitter(name: string): Submitter {
    return this.#find(name).user;
  }

  #find(name: string): { user: Submitter; records: SourceRecord[] } {
    const user = this.#store.submitter(accountKey(name));
    const records = user === null ? [] : this.#recordsOf(user);
    if (user === null || records.length === 0) throw new AppError(404, NOBODY);
    return { user, records };
  }

  changed(userIds: readonly number[]): void {
    for (const id of userIds) this.#kept.delete(id);
  }

  forget(): void {
    this.#kept.clear();
  }

  #recordsOf({ id, username }: { id: number; username: string }): SourceRecord[] {
    const ranked = this.parts.leaderboard.ranked();
    const running = this.parts.tracker.running().filter(({ userId }) => userId === id);
    return this.#countedOf(id).flatMap((stored): SourceRecord[] => {
      const entry = ranked.get(stored.source)?.find(({ submitter }) => submitter.display === username);
      if (!entry) return [];
      const own = running.filter(({ source }) => source === stored.source);
      return [
        {
          ...stored,
          metrics: entry.metrics,
          quarters: this.#quartersOf(username, stored.source),
          running: groupOf(own.map(({ percent }) => percent)),
        },
      ];
    });
  }

  #quartersOf(username: string, source: string): SourceRecord['quarters'] {
    const { leaderboard } = this.parts;
    return leaderboard.quarters().flatMap((quarter) => {
      const entries = leaderboard.rankedIn(quarter)?.get(source) ?? [];
      const entry = entries.find(({ submitter }) => submitter.display === username);
      return entry ? [{ quarter, metrics: entry.metrics }] : [];
    });
  }

  #countedOf(userId: number): readonly Stored[] {
    const known = this.#kept.get(userId) ?? this.#count(userId);
    this.#kept.delete(userId);
    this.#kept.set(userId, known);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return known;
  }

  #count(userId: number): readonly Stored[] {
    return this.#store.counted(userId).map(({ source, ...counts }) => {
      const rows = this.#store.ended(userId, source);
      const counting = rows.slice(0, MAX_ENDED).filter((row) => countsResult(countingOf(row), row.percent));
      const ended = resultStats(counting.map((row) => this.#resultOf(source, row)));
      return { source, ...counts, ended, isCut: rows.length > MAX_ENDED };
    });
  }

  #resultOf(source: string, row: EndedRow): CallResult {
    const { times, levels } = this.parts;
    const isHidden = row.adminStatus === 'rejected';
    const endedAt = times.shown(source, row.endedAt);
    const filledAt = times.shown(source, row.filledAt ?? row.endedAt);
    return {
      publicId: isHidden ? null : row.publicId,
      symbol: isHidden ? null : row.symbol,
      isShort: row.isShort === 1,
      percent: row.percent,
      market: levels.moveBetween(source, row.from, row.until),
      endedAt,
      days: Math.max(0, (endedAt - filledAt) / DAY_MS),
    };
  }
}

export type Submitter = { id: number; username: string };

/** Objects shared by the modules of the calls service, once per process. */
export class CallParts {
  readonly store: CallStore;
  readonly paths: PriceHistoryStore;
  readonly times: MarketTimes;
  readonly levels: MarketLevels;
  readonly keeper: PriceHistoryKeeper;
  readonly ledger: Ledger;
  readonly tracker: CallTracker;
  readonly leaderboard: Leaderboard;
  readonly records: Records;
  readonly endings: Endings;
  readonly following: Following;

  constructor(readonly app: App) {
    this.store = callStore(app.db);
    this.paths = new PriceHistoryStore(app.db);
    this.times = new MarketTimes(app);
    this.levels = new MarketLevels(app, this.times);
    this.keeper = new PriceHistoryKeeper(app, this.paths, this.times);
    this.ledger = new Ledger(app);
    this.tracker = new CallTracker(this);
    this.leaderboard = new Leaderboard(this);
    this.records = new Records(this);
    this.following = new Following(this);
    this.endings = new Endings(app, (user, publicId, asked) => endCallNow(this, user, publicId, asked));
  }

  readonly contextOf = (rows: readonly CallRow[]): CallContext => ({
    source: this.app.source.name,
    corrections: this.store.correctionsOf(rows.map(({ id }) => id)),
    marketTime: (source, wall) => this.times.shown(source, wall),
    marketMove: (...asked) => this.levels.moveBetween(...asked),
    endingOf: (callId) => this.endings.of(callId),
  });

  changed(userIds: readonly number[]): void {
    this.leaderboard.changed(userIds);
    this.records.changed(userIds);
    for (const id of userIds) this.notify(id);
  }

  notify(userId: number): void {
    this.app.alerts.notifier.callsChanged(userId);
  }
}
