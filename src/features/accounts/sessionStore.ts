import { and, eq, isNull, lt } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { loginSessions } from '../../db/schema.ts';

/** SQL of the login sessions. Times are epoch ms. */
export const sessionStore = (db: Db) => ({
  open: (session: { id: string; userId: number; createdAt: number; expiresAt: number }): void => {
    db.insert(loginSessions).values(session).run();
  },

  revoke: (id: string, now: number): void => {
    const open = and(eq(loginSessions.id, id), isNull(loginSessions.revokedAt));
    db.update(loginSessions).set({ revokedAt: now }).where(open).run();
  },

  revokeAllOf: (userId: number, now: number): void => {
    const open = and(eq(loginSessions.userId, userId), isNull(loginSessions.revokedAt));
    db.update(loginSessions).set({ revokedAt: now }).where(open).run();
  },

  dropExpiredBefore: (time: number): void => {
    db.delete(loginSessions).where(lt(loginSessions.expiresAt, time)).run();
  },
});
