import { and, desc, eq, gt, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { loginSessions, users, loginAddresses } from '#platform/db/schema.ts';
import { NO_PASSWORD, type UserRow, accountStore } from './store.ts';
import { keyedHash } from '#lib/secrets.ts';
import { type AccessLevel, accessLevel } from '#platform/http/rules/accessLevel.ts';
import type { AccountNotifier } from '../rules/accountRules.ts';
import { MESSAGES } from '#texts/messages.ts';
import { AppError } from '#platform/http/errors.ts';
import { createTokens } from '#platform/http/auth.ts';
import type { App } from '#platform/app.ts';

export type SessionRow = typeof loginSessions.$inferSelect;

const SEEN_LAST = sql<number>`coalesce(${loginSessions.lastSeenAt}, ${loginSessions.createdAt})`;

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
      // Ordered by row id, because the clock may have been set.
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
   * Drops ended sessions. Those of demo accounts stay until they were last seen at `demoUntil`, because they show
   * whether the account is in use.
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
  /** Demo accounts that are at least this old and had no session since. */
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

type Key = { userId: number; addressHash: string };

const is = ({ userId, addressHash }: Key) =>
  and(eq(loginAddresses.userId, userId), eq(loginAddresses.addressHash, addressHash));

/** SQL of the addresses that accounts logged in from. Times are epoch ms. */
const knownAddressStore = (db: Db) => ({
  lastLogin: (key: Key): number | undefined =>
    db.select({ at: loginAddresses.lastLoginAt }).from(loginAddresses).where(is(key)).get()?.at,

  remember: (key: Key, now: number, most: number): void => {
    const set = { lastLoginAt: now };
    db.insert(loginAddresses)
      .values({ ...key, ...set })
      .onConflictDoUpdate({ target: [loginAddresses.userId, loginAddresses.addressHash], set })
      .run();
    const ofUser = eq(loginAddresses.userId, key.userId);
    const newest = db
      .select({ hash: loginAddresses.addressHash })
      .from(loginAddresses)
      .where(ofUser)
      .orderBy(desc(loginAddresses.lastLoginAt))
      .limit(most);
    db.delete(loginAddresses)
      .where(and(ofUser, notInArray(loginAddresses.addressHash, newest)))
      .run();
  },

  dropUntil: (time: number): number =>
    db
      .delete(loginAddresses)
      .where(lte(loginAddresses.lastLoginAt, time))
      .returning({ userId: loginAddresses.userId })
      .all().length,
});

const KEEP_MS = 90 * 24 * 60 * 60 * 1000;
const MAX_AN_ACCOUNT = 20;
const NOBODY = 0;

type KnownAddresses = {
  /** True if the account logged in from the address in the last 90 days. Takes the same time for an unknown account (null). */
  isKnown(userId: number | null, address: string): boolean;
  remember(userId: number, address: string): void;
  /** Drops entries older than 90 days. @returns the number dropped */
  dropExpired(): number;
};

/**
 * The addresses that accounts logged in from, at most 20 per account. Each is stored as a keyed hash with the account, so
 * that the database does not reveal where people live or who lives together.
 */
export function createKnownAddresses({ clock, db, jwtSecret }: App): KnownAddresses {
  const store = knownAddressStore(db);
  const keyOf = (userId: number, address: string) => ({
    userId,
    addressHash: keyedHash(jwtSecret, `login address\n${userId}\n${address}`, 'base64url'),
  });
  const expired = (): number => clock.now() - KEEP_MS;
  return {
    isKnown(userId, address) {
      const lastLogin = store.lastLogin(keyOf(userId ?? NOBODY, address));
      return address !== '' && lastLogin !== undefined && lastLogin > expired();
    },
    remember(userId, address) {
      if (address !== '') store.remember(keyOf(userId, address), clock.now(), MAX_AN_ACCOUNT);
    },
    dropExpired: () => store.dropUntil(expired()),
  };
}

const SESSION_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 20;

export type OpenedSession = { accessToken: string; accessLevel: AccessLevel };

export type LoginPlace = {
  /** As returned by `addressKey`; null if there was no login. */
  address: string | null;
  /** As returned by `deviceOf`. */
  device: string | null;
};

const NOWHERE: LoginPlace = { address: null, device: null };

/**
 * Opens a session of 30 days for an authenticated user. Ends the oldest if there are more than 20.
 * @param user as of the authentication
 * @param prove a further check in the transaction that opens the session; it throws on failure
 * @throws AppError 401 if the password changed or the account was deleted during the login
 */
export async function openSession(
  app: App,
  notifier: AccountNotifier,
  user: UserRow,
  { address, device }: LoginPlace = NOWHERE,
  prove: () => void = () => undefined,
): Promise<OpenedSession> {
  const now = app.clock.now();
  const id = app.randomToken();
  const session = { id, userId: user.id, device, createdAt: now, expiresAt: now + SESSION_MS };
  const claims = { userId: user.id, sessionId: session.id };
  const accessToken = await createTokens(app).sign(claims, session.expiresAt);
  const accounts = accountStore(app.db);
  const sessions = sessionStore(app.db);
  // Checked in the transaction that adds the session, so that a new password ends every older session.
  let isOneEnded = false;
  const opened = accounts.inTransaction(() => {
    const current = accounts.byId(user.id);
    if (current?.passwordHash !== user.passwordHash) throw new AppError(401, MESSAGES.login.invalid);
    prove();
    sessions.open(session);
    isOneEnded = sessions.keepNewest(user.id, MAX_SESSIONS, now);
    if (address !== null) createKnownAddresses(app).remember(user.id, address);
    return { accessToken, accessLevel: accessLevel(current) };
  });
  if (isOneEnded) notifier.sessionsEnded(user.id);
  return opened;
}

export const logout = ({ clock, db }: App, sessionId: string): void =>
  sessionStore(db).revoke(sessionId, clock.now());
