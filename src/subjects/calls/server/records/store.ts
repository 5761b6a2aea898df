import type { Db } from '../../../../platform/db/open.ts';
import type { AdminStatus } from '../../rules/types.ts';

/** So many ended calls of a submitter on one source are looked at, the newest. */
export const MAX_ENDED = 10_000;

/** An ended call with its verified result; times are epoch ms by the wall clock. */
export type EndedRow = {
  publicId: string;
  symbol: string;
  adminStatus: AdminStatus;
  reviewReason: string | null;
  percent: number;
  filledAt: number | null;
  /** When it was closed or cancelled, or its stop was reached before. */
  endedAt: number;
};

/** What else is counted of a submitter's calls on a source. */
export type CountedRow = { source: string; awaiting: number; neverTraded: number; rejected: number };

/** SQL of a submitter's record. */
export function recordStore(db: Db) {
  const client = db.$client;
  const user = client.query<{ id: number; username: string }, [string]>(
    'SELECT id, username FROM users WHERE username_key = ?',
  );
  const ended = client.query<EndedRow, [number, string, number]>(
    `SELECT public_id AS publicId, symbol, admin_status AS adminStatus, review_reason AS reviewReason,
       verified_percent AS percent, filled_at AS filledAt, coalesce(stop_reached_at, closed_at) AS endedAt
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
    /** The newest ended calls with a verified result; one more than are looked at, where there are more. */
    ended: (userId: number, source: string): EndedRow[] => ended.all(userId, source, MAX_ENDED + 1),
    counted: (userId: number): CountedRow[] => counted.all(userId),
  };
}

export type RecordStore = ReturnType<typeof recordStore>;
