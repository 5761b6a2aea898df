import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { loginSessions, users } from '#platform/db/schema.ts';

const NEWEST = 200;

/** What an administrator may see of the login sessions that are good; not their ids, which their tokens carry. */
export const sessionReport = (db: Db) => ({
  counts(now: number): { accounts: number; open: number } {
    const accounts = db.select({ count: count() }).from(users).where(isNull(users.deletedAt)).get();
    const good = and(isNull(loginSessions.revokedAt), gt(loginSessions.expiresAt, now));
    const open = db.select({ count: count() }).from(loginSessions).where(good).get();
    return { accounts: accounts?.count ?? 0, open: open?.count ?? 0 };
  },

  newest: (now: number) =>
    db
      .select({
        username: users.username,
        device: loginSessions.device,
        createdAt: loginSessions.createdAt,
        lastSeenAt: loginSessions.lastSeenAt,
        expiresAt: loginSessions.expiresAt,
      })
      .from(loginSessions)
      .innerJoin(users, eq(users.id, loginSessions.userId))
      .where(and(isNull(loginSessions.revokedAt), gt(loginSessions.expiresAt, now)))
      .orderBy(desc(sql`${loginSessions}.rowid`))
      .limit(NEWEST)
      .all(),
});
