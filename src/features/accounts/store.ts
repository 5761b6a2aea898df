import { and, eq, isNull, lt, ne, or } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { facts, loginSessions, users } from '../../db/schema.ts';
import { accountKey, type SubscriptionType } from '../../domain/accounts/accountRules.ts';

export type UserRow = typeof users.$inferSelect;

export type NewAccount = {
  username: string;
  email: string | null;
  passwordHash: string;
  subscriptionType?: SubscriptionType;
  isAdmin?: boolean;
};

/** Stands in the place of a hash in accounts that seeding made: no password fits it. */
export const NO_PASSWORD = '!seeded';

const SETUP_KEY = 'setup_token_hash';

/** SQL of the accounts' own tables. */
export const accountStore = (db: Db) => ({
  /** Inside the callback nothing else writes; it must not await. */
  immediately: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

  /** By username, else by email, whatever the case. */
  find: (identifier: string): UserRow | undefined => {
    const key = accountKey(identifier);
    return (
      db.select().from(users).where(eq(users.usernameKey, key)).get() ??
      db.select().from(users).where(eq(users.emailKey, key)).get()
    );
  },

  byId: (id: number): UserRow | undefined => db.select().from(users).where(eq(users.id, id)).get(),

  /** True when a name is somebody's username or email: both log in, so neither may be another's. */
  isTaken: (name: string): boolean => {
    const key = accountKey(name);
    const taken = or(eq(users.usernameKey, key), eq(users.emailKey, key));
    return db.select({ id: users.id }).from(users).where(taken).get() !== undefined;
  },

  insert: (account: NewAccount, now: number): UserRow =>
    db
      .insert(users)
      .values({
        ...account,
        usernameKey: accountKey(account.username),
        emailKey: account.email === null ? null : accountKey(account.email),
        createdAt: now,
      })
      .returning()
      .get(),

  update: (
    id: number,
    change: Partial<Pick<UserRow, 'passwordHash' | 'subscriptionType' | 'isAdmin'>>,
  ): void => {
    db.update(users).set(change).where(eq(users.id, id)).run();
  },

  list: (): UserRow[] => db.select().from(users).orderBy(users.id).all(),

  /** Seeded administrators do not count: nobody can log in as one outside test mode. */
  hasAdministrator: (): boolean => {
    const real = and(eq(users.isAdmin, true), ne(users.passwordHash, NO_PASSWORD));
    return db.select({ id: users.id }).from(users).where(real).get() !== undefined;
  },

  seeded: (): UserRow[] => db.select().from(users).where(eq(users.passwordHash, NO_PASSWORD)).all(),

  openSession: (session: { id: string; userId: number; createdAt: number; expiresAt: number }): void => {
    db.insert(loginSessions).values(session).run();
  },

  revokeSession: (id: string, now: number): void => {
    db.update(loginSessions)
      .set({ revokedAt: now })
      .where(and(eq(loginSessions.id, id), isNull(loginSessions.revokedAt)))
      .run();
  },

  /** Ends every session of a user, but for one when it is named. */
  revokeSessions: (userId: number, now: number, except = ''): void => {
    const open = and(
      eq(loginSessions.userId, userId),
      isNull(loginSessions.revokedAt),
      ne(loginSessions.id, except),
    );
    db.update(loginSessions).set({ revokedAt: now }).where(open).run();
  },

  /** Sessions that ended long ago are of no use to anybody. */
  dropSessionsBefore: (time: number): void => {
    db.delete(loginSessions).where(lt(loginSessions.expiresAt, time)).run();
  },

  setupHash: (): string | null =>
    db.select().from(facts).where(eq(facts.key, SETUP_KEY)).get()?.value ?? null,

  setSetupHash: (value: string): void => {
    db.insert(facts)
      .values({ key: SETUP_KEY, value })
      .onConflictDoUpdate({ target: facts.key, set: { value } })
      .run();
  },

  dropSetupHash: (): void => {
    db.delete(facts).where(eq(facts.key, SETUP_KEY)).run();
  },
});
