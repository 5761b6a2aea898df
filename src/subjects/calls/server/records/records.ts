import { accountKey } from '../../../accounts/rules/accountRules.ts';
import { countingOf, countsResult } from '../../rules/counting.ts';
import {
  type CallResult,
  groupOf,
  resultStats,
  type SourceRecord,
  type SubmitterRecord,
} from '../../rules/record.ts';
import type { LeaderboardEntry } from '../../rules/types.ts';
import { AppError } from '../../../../platform/http/errors.ts';
import { compareNames } from '../../../../lib/unicode.ts';
import type { RunningResult } from '../tracker/running.ts';
import type { MarketTimes } from '../marketTimes.ts';
import { type EndedRow, MAX_ENDED, type RecordStore } from './store.ts';

export type RecordsDeps = {
  store: RecordStore;
  /** The name of the source that runs. */
  source: string;
  times: Pick<MarketTimes, 'shown'>;
  /** Results of filled calls without an exit, at the last price. */
  running(): readonly RunningResult[];
  /** The submitters by source, those of each source ranked. */
  ranked(): ReadonlyMap<string, readonly LeaderboardEntry[]>;
};

type Stored = Pick<SourceRecord, 'source' | 'awaiting' | 'neverTraded' | 'rejected' | 'ended' | 'isCut'>;

const DAY_MS = 86_400_000;
/** What was counted of so many submitters is kept until their calls change. */
const MAX_KEPT = 50;

const NOBODY =
  'Nobody of that name has posted a call. The name may have changed, or the account was deleted.';

/** Counts what the record of a submitter shows. */
export function createRecords({ store, source, times, running, ranked }: RecordsDeps) {
  const kept = new Map<number, readonly Stored[]>();

  function resultOf(of: string, row: EndedRow): CallResult {
    const isHidden = row.adminStatus === 'rejected';
    const endedAt = times.shown(of, row.endedAt);
    const filledAt = times.shown(of, row.filledAt ?? row.endedAt);
    return {
      publicId: isHidden ? null : row.publicId,
      symbol: isHidden ? null : row.symbol,
      percent: row.percent,
      endedAt,
      days: Math.max(0, (endedAt - filledAt) / DAY_MS),
    };
  }

  function count(userId: number): readonly Stored[] {
    return store.counted(userId).map(({ source: of, ...counts }) => {
      const rows = store.ended(userId, of);
      const counting = rows.slice(0, MAX_ENDED).filter((row) => countsResult(countingOf(row), row.percent));
      const ended = resultStats(counting.map((row) => resultOf(of, row)));
      return { source: of, ...counts, ended, isCut: rows.length > MAX_ENDED };
    });
  }

  function countedOf(userId: number): readonly Stored[] {
    const known = kept.get(userId) ?? count(userId);
    kept.delete(userId);
    kept.set(userId, known);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return known;
  }

  return {
    /**
     * The record of a submitter, by name; how it is written counts as little as at the login.
     *
     * @throws AppError 404 for a name of which no call counts, whether there is an account or not
     */
    of(name: string): SubmitterRecord {
      const user = store.submitter(accountKey(name));
      const bySource = ranked();
      const results = running();
      const records = (user === null ? [] : countedOf(user.id)).flatMap((stored): SourceRecord[] => {
        const entries = bySource.get(stored.source);
        const entry = entries?.find(({ submitter }) => submitter.display === user?.username);
        if (!entry) return [];
        const own = results.filter((one) => one.userId === user?.id && one.source === stored.source);
        return [{ ...stored, metrics: entry.metrics, running: groupOf(own.map(({ percent }) => percent)) }];
      });
      if (user === null || records.length === 0) throw new AppError(404, NOBODY);
      const isElsewhere = (record: SourceRecord): number => (record.source === source ? 0 : 1);
      records.sort((a, b) => isElsewhere(a) - isElsewhere(b) || compareNames(a.source, b.source));
      return { submitter: { display: user.username }, source, records };
    },

    /** Calls of these users changed. */
    changed(userIds: Iterable<number>): void {
      for (const id of userIds) kept.delete(id);
    },

    forget: (): void => kept.clear(),
  };
}
