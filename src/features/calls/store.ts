import { and, count, desc, eq, gte, inArray, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { calls, users } from '../../db/schema.ts';
import type { Tally } from '../../domain/calls/leaderboard.ts';

export type CallRow = typeof calls.$inferSelect;
export type NewCallRow = typeof calls.$inferInsert;
export type SubmittedCall = CallRow & { username: string };

/** What may change of a call after it was submitted. */
export type CallChange = Partial<
  Omit<
    CallRow,
    'id' | 'publicId' | 'userId' | 'symbol' | 'callType' | 'entryPrice' | 'targetPrice' | 'submittedAt'
  >
>;

/** How many calls an answer carries at most; live ones of an owner, and those in review for an administrator, beside. */
export const ANSWER_LIMIT = 500;

/** What the tracker writes of one call. */
export type TrackedColumns = Pick<
  CallRow,
  | 'filledAt'
  | 'fillPrice'
  | 'highest'
  | 'best'
  | 'worst'
  | 'targetReachedAt'
  | 'targetReachedPrice'
  | 'stopReachedAt'
  | 'stopReachedPrice'
  | 'stopReachedLevel'
> & { id: number; seen: Record<string, unknown> | null };

// Written for hundreds of calls in one tick, so it is prepared by hand. A fill opens the call.
const saveTrackSql = `UPDATE calls SET
  status = CASE WHEN status = 'pending' AND $filledAt IS NOT NULL THEN 'open' ELSE status END,
  filled_at = $filledAt, fill_price = $fillPrice, highest = $highest, best = $best, worst = $worst,
  target_reached_at = $targetReachedAt, target_reached_price = $targetReachedPrice,
  stop_reached_at = $stopReachedAt, stop_reached_price = $stopReachedPrice,
  stop_reached_level = $stopReachedLevel, seen = $seen
  WHERE id = $id`;

const LIVE_STATUSES = ['pending', 'open'] as const;
const total = (status: CallRow['status']) => sql<number>`sum(${calls.status} = ${status})`.mapWith(Number);

/** SQL of the calls' own table. */
export function callStore(db: Db) {
  const withName = () =>
    db
      .select({ call: calls, username: users.username })
      .from(calls)
      .innerJoin(users, eq(users.id, calls.userId));
  const flat = (rows: { call: CallRow; username: string }[]): SubmittedCall[] =>
    rows.map(({ call, username }) => ({ ...call, username }));

  const saveTrack = db.$client.query<null, Record<string, string | number | null>>(saveTrackSql);

  return {
    saveTrack: ({ seen, ...columns }: TrackedColumns): void => {
      saveTrack.run({ ...columns, seen: seen === null ? null : JSON.stringify(seen) });
    },

    /** All or nothing; the callback must not await. */
    together: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    insert: (row: NewCallRow): CallRow => db.insert(calls).values(row).returning().get(),

    update: (id: number, change: CallChange): CallRow =>
      db.update(calls).set(change).where(eq(calls.id, id)).returning().get(),

    /** Prices of this call are not followed any more; what is rejected stays rejected. */
    pause: (id: number, reason: string): void => {
      const adminStatus = sql`case when ${calls.adminStatus} = 'rejected' then 'rejected' else 'review' end`;
      const change = { trackingPaused: reason, reviewReason: reason, adminStatus };
      db.update(calls).set(change).where(eq(calls.id, id)).run();
    },

    byPublicId: (publicId: string): SubmittedCall | undefined =>
      flat(withName().where(eq(calls.publicId, publicId)).all())[0],

    /** Calls whose prices are followed. */
    tracked: (): CallRow[] => db.select().from(calls).where(inArray(calls.status, LIVE_STATUSES)).all(),

    countSince: (userId: number, since: number): number => {
      const recent = and(eq(calls.userId, userId), gte(calls.submittedAt, since));
      return db.select({ count: count() }).from(calls).where(recent).get()?.count ?? 0;
    },

    countLive: (userId: number, symbol: string): number => {
      const same = and(
        eq(calls.userId, userId),
        eq(calls.symbol, symbol),
        inArray(calls.status, LIVE_STATUSES),
      );
      return db.select({ count: count() }).from(calls).where(same).get()?.count ?? 0;
    },

    /** Newest first; rejected calls are left out. */
    recent: (): SubmittedCall[] =>
      flat(
        withName()
          .where(ne(calls.adminStatus, 'rejected'))
          .orderBy(desc(calls.submittedAt), desc(calls.id))
          .limit(ANSWER_LIMIT)
          .all(),
      ),

    /** Newest first, with the rejected ones, and every call that waits for review however old it is. */
    recentForAdmin: (): SubmittedCall[] => {
      const newest = db
        .select({ id: calls.id })
        .from(calls)
        .orderBy(desc(calls.submittedAt), desc(calls.id))
        .limit(ANSWER_LIMIT);
      return flat(
        withName()
          .where(or(eq(calls.adminStatus, 'review'), inArray(calls.id, newest)))
          .orderBy(desc(calls.submittedAt), desc(calls.id))
          .all(),
      );
    },

    /** An owner's calls: all live ones and the newest of the others, newest first. */
    ofUser: (userId: number): SubmittedCall[] => {
      const newest = db
        .select({ id: calls.id })
        .from(calls)
        .where(eq(calls.userId, userId))
        .orderBy(desc(calls.submittedAt), desc(calls.id))
        .limit(ANSWER_LIMIT);
      return flat(
        withName()
          .where(
            and(
              eq(calls.userId, userId),
              or(inArray(calls.status, LIVE_STATUSES), inArray(calls.id, newest)),
            ),
          )
          .orderBy(desc(calls.submittedAt), desc(calls.id))
          .all(),
      );
    },

    /** One tally a submitter, of all or of some; rejected calls do not count. */
    tallies: (userIds?: readonly number[]): (Tally & { userId: number })[] =>
      db
        .select({
          userId: calls.userId,
          display: users.username,
          pending: total('pending'),
          open: total('open'),
          closed: total('closed'),
          cancelled: total('cancelled'),
          pocketed: sql<number>`coalesce(sum(${calls.pocketedValue}), 0)`.mapWith(Number),
          pocketedCount: count(calls.pocketedValue),
          verified: count(calls.verifiedPercent),
          wins: sql<number>`coalesce(sum(${calls.verifiedPercent} > 0), 0)`.mapWith(Number),
          verifiedSum: sql<number>`coalesce(sum(${calls.verifiedPercent}), 0)`.mapWith(Number),
        })
        .from(calls)
        .innerJoin(users, eq(users.id, calls.userId))
        .where(and(ne(calls.adminStatus, 'rejected'), userIds && inArray(calls.userId, [...userIds])))
        .groupBy(calls.userId)
        .all(),
  };
}

export type CallStore = ReturnType<typeof callStore>;
