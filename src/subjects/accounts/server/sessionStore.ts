import { and, desc, eq, gt, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { loginSessions, users } from '#platform/db/schema.ts';
import { NO_PASSWORD, type UserRow } from './store.ts';

export type SessionRow = typeof loginSessions.$inferSelect;

const SEEN_LAST = sql<number>`coalesce(${loginSessions.lastSeenAt}, ${loginSessions.createdAt})`;

/** A user's sessions that have neither ended nor expired. */
const goodSessions = (userId: number, now: number) =>
  and(eq(loginSessions.userId, userId), isNull(loginSessions.revokedAt), gt(loginSessions.expiresAt, now));

const openSessions = (db: Db) => ({
  open: (session: Pick<SessionRow, 'id' | 'userId' | 'createdAt' | 'expiresAt' | 'device'>): void => {
    db.insert(loginSessions)
      .values({ ...session, lastSeenAt: session.createdAt })
      .run();
  },

  goodOf: (userId: number, now: number): SessionRow[] =>
    db.select().from(loginSessions).where(goodSessions(userId, now)).orderBy(desc(sql`rowid`)).all(),

  writeLastSeen: (seen: ReadonlyMap<string, number>): void =>
    db.transaction((inside) => {
      for (const [id, lastSeenAt] of seen) {
        inside.update(loginSessions).set({ lastSeenAt }).where(eq(loginSessions.id, id)).run();
      }
    }),

  /** Drops all sessions of a user except the newest valid ones. @returns whether valid ones were dropped */
  keepNewest: (userId: number, most: number, now: number): boolean => {
    const newest = db
      .select({ id: loginSessions.id })
      .from(loginSessions)
      .where(goodSessions(userId, now))
      // In order of opening, independent of the clock.
      .orderBy(desc(sql`rowid`))
      .limit(most);
    const dropped = db
      .delete(loginSessions)
      .where(and(eq(loginSessions.userId, userId), notInArray(loginSessions.id, newest)))
      .returning({ revokedAt: loginSessions.revokedAt, expiresAt: loginSessions.expiresAt })
      .all();
    return dropped.some(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now);
  },
});

const endedSessions = (db: Db) => ({
  revoke: (id: string, now: number): void => {
    const open = and(eq(loginSessions.id, id), isNull(loginSessions.revokedAt));
    db.update(loginSessions).set({ revokedAt: now }).where(open).run();
  },

  revokeAllOf: (userId: number, now: number): void => {
    const open = and(eq(loginSessions.userId, userId), isNull(loginSessions.revokedAt));
    db.update(loginSessions).set({ revokedAt: now }).where(open).run();
  },

  revokeOthers: (userId: number, kept: string, now: number): void => {
    const others = and(
      eq(loginSessions.userId, userId),
      ne(loginSessions.id, kept),
      isNull(loginSessions.revokedAt),
    );
    db.update(loginSessions).set({ revokedAt: now }).where(others).run();
  },

  /**
   * Drops ended sessions. Those of demo accounts stay until they were last seen at `demoUntil`, because they show whether the
   * account is used.
   * @returns the number dropped
   */
  dropEnded: (now: number, demoUntil: number): number => {
    const ended = or(lte(loginSessions.expiresAt, now), isNotNull(loginSessions.revokedAt));
    const demo = db.select({ id: users.id }).from(users).where(eq(users.passwordHash, NO_PASSWORD));
    const isOver = or(lte(SEEN_LAST, demoUntil), notInArray(loginSessions.userId, demo));
    return db.delete(loginSessions).where(and(ended, isOver)).returning({ id: loginSessions.id }).all()
      .length;
  },
});

const demoSessions = (db: Db) => ({
  /** Demo accounts at least this old without a session seen since. */
  demoAccountsUnusedSince: (time: number): Pick<UserRow, 'id' | 'username'>[] => {
    const used = db.select({ id: loginSessions.userId }).from(loginSessions).where(gt(SEEN_LAST, time));
    const isOld = and(eq(users.passwordHash, NO_PASSWORD), lte(users.createdAt, time));
    return db
      .select({ id: users.id, username: users.username })
      .from(users)
      .where(and(isOld, notInArray(users.id, used)))
      .all();
  },
});

/** SQL of the login sessions. Times are epoch ms. */
export const sessionStore = (db: Db) => ({ ...openSessions(db), ...endedSessions(db), ...demoSessions(db) });
