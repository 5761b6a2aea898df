import { and, count, desc, eq, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { lazy } from '#lib/lazy.ts';
import type { Db } from '#platform/db/open.ts';
import { callCorrections } from '#src/tables/callSchema.ts';
import { calls, users } from '#platform/db/schema.ts';
import type { RankedResult, Tally } from '../rules/leaderboardRank.ts';
import type { Correction } from '../rules/types.ts';

export type CallRow = typeof calls.$inferSelect;
export type NewCallRow = typeof calls.$inferInsert;
export type SubmittedCall = CallRow & { username: string };

export type CallChange = Partial<
  Omit<
    CallRow,
    | 'id'
    | 'publicId'
    | 'userId'
    | 'symbol'
    | 'callType'
    | 'isShort'
    | 'entryPrice'
    | 'targetPrice'
    | 'submittedAt'
  >
>;

export type OwnedResult = Omit<RankedResult, 'market'> & { userId: number; source: string };

export type StoredTally = Omit<Tally, 'days' | 'running'> & {
  userId: number;
  source: string;
  results: readonly OwnedResult[];
};

/** Limit of calls in one answer. Owners also get all live ones; administrators those in review and rejected ones. */
const MAX_ANSWERED = 500;

export type TrackedColumns = Pick<
  CallRow,
  | 'filledAt'
  | 'fillPrice'
  | 'entryTradeAt'
  | 'entryTradePrice'
  | 'highest'
  | 'best'
  | 'worst'
  | 'targetReachedAt'
  | 'targetReachedPrice'
  | 'stopReachedAt'
  | 'stopReachedPrice'
  | 'stopReachedLevel'
> & { id: number; watch: Record<string, unknown> | null };

// Raw SQL, because one tick writes hundreds. Naming `status` would rewrite its index, one more page each.
const SAVE_TRACK = `UPDATE calls SET
  filled_at = $filledAt, fill_price = $fillPrice, entry_trade_at = $entryTradeAt,
  entry_trade_price = $entryTradePrice, highest = $highest, best = $best, worst = $worst,
  target_reached_at = $targetReachedAt, target_reached_price = $targetReachedPrice,
  stop_reached_at = $stopReachedAt, stop_reached_price = $stopReachedPrice,
  stop_reached_level = $stopReachedLevel, seen = $watch
  WHERE id = $id`;

const OPEN_FILLED = `UPDATE calls SET status = 'open' WHERE id = $id AND status = 'pending'`;

const LIVE_STATUSES = ['pending', 'open'] as const;
const IS_LIVE = inArray(calls.status, LIVE_STATUSES);
const NEWEST_FIRST = [desc(calls.submittedAt), desc(calls.id)];

const withUsername = (db: Db) =>
  db
    .select({ call: calls, username: users.username })
    .from(calls)
    .innerJoin(users, eq(users.id, calls.userId));

const flat = (rows: { call: CallRow; username: string }[]): SubmittedCall[] =>
  rows.map(({ call, username }) => ({ ...call, username }));

function rowQueries(db: Db) {
  const byPublicId = lazy(() =>
    withUsername(db)
      .where(eq(calls.publicId, sql.placeholder('publicId')))
      .prepare(),
  );
  return {
    insert: (row: NewCallRow): CallRow => db.insert(calls).values(row).returning().get(),

    update: (id: number, change: CallChange): CallRow =>
      db.update(calls).set(change).where(eq(calls.id, id)).returning().get(),

    removeRationales: (userId: number): void => {
      const nothing = { rationale: null, rationaleSalt: null };
      db.update(calls).set(nothing).where(eq(calls.userId, userId)).run();
    },

    find: (id: number): CallRow | undefined => db.select().from(calls).where(eq(calls.id, id)).get(),

    byId: (id: number): CallRow => {
      const row = db.select().from(calls).where(eq(calls.id, id)).get();
      if (!row) throw new Error(`Call ${id} does not exist.`);
      return row;
    },

    byPublicId: (publicId: string): SubmittedCall | undefined => flat(byPublicId().all({ publicId }))[0],
  };
}

const countQueries = (db: Db) => ({
  countSince: (userId: number, since: number): number => {
    const recent = and(eq(calls.userId, userId), gte(calls.submittedAt, since));
    return db.select({ count: count() }).from(calls).where(recent).get()?.count ?? 0;
  },

  countLive: (userId: number, symbol: string): number => {
    const same = and(eq(calls.userId, userId), eq(calls.symbol, symbol), IS_LIVE);
    return db.select({ count: count() }).from(calls).where(same).get()?.count ?? 0;
  },
});

function trackQueries(db: Db) {
  const saveTrack = db.$client.query<null, Record<string, string | number | null>>(SAVE_TRACK);
  const openFilled = db.$client.query<null, { id: number }>(OPEN_FILLED);
  return {
    /** Live calls, and ended ones that wait for the settling trade. */
    unsettled: (): CallRow[] =>
      db
        .select()
        .from(calls)
        .where(or(IS_LIVE, eq(calls.isAwaitingExit, true)))
        .all(),

    saveTrack: ({ watch, ...columns }: TrackedColumns): void => {
      saveTrack.run({ ...columns, watch: watch === null ? null : JSON.stringify(watch) });
      if (columns.filledAt !== null) openFilled.run({ id: columns.id });
    },

    /** Writes the settlement of a call that waits for its exit; others stay unchanged. */
    settle: (id: number, change: CallChange): void => {
      const isAwaiting = and(eq(calls.id, id), eq(calls.isAwaitingExit, true));
      db.update(calls).set(change).where(isAwaiting).run();
    },

    /** Stops following a call; a rejected one stays rejected. */
    pause: (id: number, reason: string): void => {
      const adminStatus = sql`case when ${calls.adminStatus} = 'rejected' then 'rejected' else 'review' end`;
      const change = { trackingPaused: reason, reviewReason: reason, adminStatus };
      db.update(calls).set(change).where(eq(calls.id, id)).run();
    },
  };
}

const newestIds = (db: Db, of?: SQL) =>
  db
    .select({ id: calls.id })
    .from(calls)
    .where(of)
    .orderBy(...NEWEST_FIRST)
    .limit(MAX_ANSWERED);

function listQueries(db: Db) {
  const list = (which: SQL | undefined) =>
    withUsername(db)
      .where(which)
      .orderBy(...NEWEST_FIRST);
  return {
    /** Recent calls without rejected ones. */
    recent: (): SubmittedCall[] => flat(list(ne(calls.adminStatus, 'rejected')).limit(MAX_ANSWERED).all()),

    /** Recent calls for moderation, with every call in review and the newest rejected ones. */
    recentForAdmin: (): SubmittedCall[] => {
      const rejected = inArray(calls.id, newestIds(db, eq(calls.adminStatus, 'rejected')));
      const recent = inArray(calls.id, newestIds(db));
      return flat(list(or(eq(calls.adminStatus, 'review'), rejected, recent)).all());
    },

    /** Calls on a source submitted or ended since a time, including rejected ones. @param wall epoch ms */
    since: (source: string, wall: number): SubmittedCall[] => {
      const isNew = or(gte(calls.submittedAt, wall), gte(calls.closedAt, wall));
      return flat(list(and(eq(calls.source, source), isNew)).all());
    },

    /** All live calls of a user, and the newest others. */
    ofUser: (userId: number): SubmittedCall[] => {
      const own = eq(calls.userId, userId);
      return flat(list(and(own, or(IS_LIVE, inArray(calls.id, newestIds(db, own))))).all());
    },
  };
}

const IS_COUNTED = eq(calls.adminStatus, 'normal');
/** The SQL form of `countsResult`. */
const COUNTED_RESULT = sql`case when ${calls.adminStatus} = 'normal'
  or ((${calls.adminStatus} = 'review' or ${calls.reviewReason} is not null) and ${calls.verifiedPercent} <= 0)
  then ${calls.verifiedPercent} end`;
const COUNTED_POCKETED = sql`case when ${IS_COUNTED} then ${calls.pocketedValue} end`;

const totalOf = (status: CallRow['status']) =>
  sql<number>`sum(${calls.status} = ${status} and ${IS_COUNTED})`.mapWith(Number);
const sumOf = (value: SQL) => sql<number>`coalesce(sum(${value}), 0)`.mapWith(Number);

/** Times of the posting, epoch ms; the end is exclusive. */
export type PostedSpan = { from: number; until: number };

/** The calls of all or some users, posted at any time or in a span. */
const callsOf = (userIds?: readonly number[], span: PostedSpan | null = null) =>
  and(
    userIds && inArray(calls.userId, [...userIds]),
    span ? and(gte(calls.submittedAt, span.from), lt(calls.submittedAt, span.until)) : undefined,
  );

const tallyKey = ({ userId, source }: { userId: number; source: string }): string => `${userId} ${source}`;

/** Results that count, ordered by their entry. */
const countedResults = (db: Db, which: SQL | undefined): OwnedResult[] =>
  db
    .select({
      userId: calls.userId,
      source: calls.source,
      percent: sql<number>`${COUNTED_RESULT}`,
      symbol: calls.symbol,
      isShort: calls.isShort,
      from: sql<number>`coalesce(${calls.entryTradeAt}, ${calls.filledAt}, ${calls.submittedAt})`,
      until: sql<number | null>`coalesce(${calls.stopReachedAt}, ${calls.exitTradeAt}, ${calls.closedAt})`,
    })
    .from(calls)
    .where(and(which, sql`(${COUNTED_RESULT}) is not null`))
    .orderBy(calls.id)
    .all();

const tallyQueries = (db: Db) => ({
  /** When the first call was posted, epoch ms; null without calls. */
  firstPosted: (): number | null =>
    db
      .select({ at: sql<number | null>`min(${calls.submittedAt})` })
      .from(calls)
      .get()?.at ?? null,

  /** One tally per submitter and source, for all or some users and times. Includes only what counts. */
  tallies: (userIds?: readonly number[], span: PostedSpan | null = null): StoredTally[] => {
    const which = callsOf(userIds, span);
    const results = Map.groupBy(countedResults(db, which), tallyKey);
    return db
      .select({
        userId: calls.userId,
        source: calls.source,
        display: users.username,
        pending: totalOf('pending'),
        open: totalOf('open'),
        closed: totalOf('closed'),
        cancelled: totalOf('cancelled'),
        pocketed: sumOf(COUNTED_POCKETED),
        pocketedCount: sql<number>`count(${COUNTED_POCKETED})`.mapWith(Number),
      })
      .from(calls)
      .innerJoin(users, eq(users.id, calls.userId))
      .where(which)
      .groupBy(calls.userId, calls.source)
      .all()
      .map((tally) => ({ ...tally, results: results.get(tallyKey(tally)) ?? [] }));
  },
});

const correctionQueries = (db: Db) => ({
  addCorrection: (row: typeof callCorrections.$inferInsert): void => {
    db.insert(callCorrections).values(row).run();
  },

  /** Corrections by call id, oldest first. */
  correctionsOf: (callIds: readonly number[]): ReadonlyMap<number, Correction[]> => {
    const rows = db
      .select({ correction: callCorrections, username: users.username })
      .from(callCorrections)
      .innerJoin(users, eq(users.id, callCorrections.userId))
      .where(inArray(callCorrections.callId, [...callIds]))
      .orderBy(callCorrections.id)
      .all();
    const byCall = Map.groupBy(rows, ({ correction }) => correction.callId);
    return new Map([...byCall].map(([id, list]) => [id, list.map(toCorrection)]));
  },
});

const toCorrection = ({
  correction,
  username,
}: {
  correction: typeof callCorrections.$inferSelect;
  username: string;
}): Correction => ({
  at: new Date(correction.correctedAt).toISOString(),
  by: { display: username },
  reason: correction.reason,
  changes: correction.changes,
});

export const callStore = (db: Db) => ({
  /** All or nothing; the callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),
  ...rowQueries(db),
  ...countQueries(db),
  ...trackQueries(db),
  ...listQueries(db),
  ...tallyQueries(db),
  ...correctionQueries(db),
});

export type CallStore = ReturnType<typeof callStore>;
