import { and, eq, ne, or } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { users } from '../../db/schema.ts';
import { accountKey, type SubscriptionType } from '../../domain/accounts/accountRules.ts';

export type UserRow = typeof users.$inferSelect;

export type NewAccount = {
  username: string;
  email: string | null;
  passwordHash: string;
  subscriptionType?: SubscriptionType;
  isAdmin?: boolean;
};

/** Stands in place of a hash in demo accounts: no password fits it. */
export const NO_PASSWORD = '!seeded';

/** SQL of the accounts. */
export const accountStore = (db: Db) => ({
  /** Inside the callback nothing else writes; it must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

  /** By username, else by email, in any spelling that `accountKey` takes for the same. */
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

  insert: (account: NewAccount, now: number): UserRow => {
    const usernameKey = accountKey(account.username);
    const emailKey = account.email === null ? null : accountKey(account.email);
    const row = { ...account, usernameKey, emailKey, createdAt: now };
    return db.insert(users).values(row).returning().get();
  },

  update: (
    id: number,
    change: Partial<Pick<UserRow, 'passwordHash' | 'subscriptionType' | 'isAdmin'>>,
  ): void => {
    db.update(users).set(change).where(eq(users.id, id)).run();
  },

  list: (): UserRow[] => db.select().from(users).orderBy(users.id).all(),

  /** Demo administrators do not count: nobody can log in as one outside test mode. */
  hasAdministrator: (): boolean => {
    const real = and(eq(users.isAdmin, true), ne(users.passwordHash, NO_PASSWORD));
    return db.select({ id: users.id }).from(users).where(real).get() !== undefined;
  },

  demoAccounts: (): UserRow[] => db.select().from(users).where(eq(users.passwordHash, NO_PASSWORD)).all(),
});

export type AccountStore = ReturnType<typeof accountStore>;
