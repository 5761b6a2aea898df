import { and, eq, isNull, ne, notInArray, or } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { accountKey } from '../rules/accountRules.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { skeletonOf } from '../rules/lookalikes.ts';

export type UserRow = typeof users.$inferSelect;

export type NewAccount = {
  username: string;
  email: string | null;
  passwordHash: string;
  subscriptionType?: SubscriptionType;
  isAdmin?: boolean;
};

/** Replaces the hash in demo accounts; no password matches it. */
export const NO_PASSWORD = '!seeded';

/** Replaces the hash in deleted accounts; no password matches it. */
export const DELETED = '!deleted';

export const hasPassword = ({ passwordHash }: UserRow): boolean =>
  passwordHash !== NO_PASSWORD && passwordHash !== DELETED;

const NOT_DELETED = isNull(users.deletedAt);

/** Names per run. An older database gets the remaining ones with the next registrations. */
const MAX_NOTED = 2000;

function noteSkeletons(db: Db): void {
  const missing = db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(isNull(users.usernameSkeleton))
    .limit(MAX_NOTED)
    .all();
  if (missing.length === 0) return;
  const note = db.$client.query('UPDATE users SET username_skeleton = ? WHERE id = ?');
  db.transaction(() => {
    for (const { id, username } of missing) note.run(skeletonOf(username), id);
  });
}

const accountsByName = (db: Db) => ({
  /** Finds a username, then an email, in any spelling that `accountKey` equates. Ignores deleted accounts. */
  find: (identifier: string): UserRow | undefined => {
    const key = accountKey(identifier);
    return (
      db
        .select()
        .from(users)
        .where(and(eq(users.usernameKey, key), NOT_DELETED))
        .get() ?? db.select().from(users).where(eq(users.emailKey, key)).get()
    );
  },

  /** True if a name is a username or an email. Both can log in, so neither may be taken. */
  isTaken: (name: string): boolean => {
    const key = accountKey(name);
    const taken = or(eq(users.usernameKey, key), eq(users.emailKey, key));
    return db.select({ id: users.id }).from(users).where(taken).get() !== undefined;
  },

  /** True if a name is easily confused with another user's. */
  looksTaken: (name: string): boolean => {
    noteSkeletons(db);
    const checks = eq(users.usernameSkeleton, skeletonOf(name));
    return db.select({ id: users.id }).from(users).where(checks).get() !== undefined;
  },
});

const accountQueries = (db: Db) => ({
  /** Undefined for a deleted account. */
  byId: (id: number): UserRow | undefined =>
    db
      .select()
      .from(users)
      .where(and(eq(users.id, id), NOT_DELETED))
      .get(),

  list: (): UserRow[] => db.select().from(users).where(NOT_DELETED).orderBy(users.id).all(),

  /** Ignores demo administrators, which cannot log in outside test mode. @param otherThan an account to ignore */
  hasAdministrator: (otherThan = 0): boolean => {
    const real = and(
      eq(users.isAdmin, true),
      notInArray(users.passwordHash, [NO_PASSWORD, DELETED]),
      ne(users.id, otherThan),
    );
    return db.select({ id: users.id }).from(users).where(real).get() !== undefined;
  },

  demoAccounts: (): UserRow[] => db.select().from(users).where(eq(users.passwordHash, NO_PASSWORD)).all(),
});

const accountChanges = (db: Db) => ({
  /** The callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

  insert: (account: NewAccount, now: number): UserRow => {
    const usernameKey = accountKey(account.username);
    const usernameSkeleton = skeletonOf(account.username);
    const emailKey = account.email === null ? null : accountKey(account.email);
    const row = { ...account, usernameKey, usernameSkeleton, emailKey, createdAt: now };
    return db.insert(users).values(row).returning().get();
  },

  update: (
    id: number,
    change: Partial<Pick<UserRow, 'passwordHash' | 'subscriptionType' | 'isAdmin'>>,
  ): void => {
    db.update(users).set(change).where(eq(users.id, id)).run();
  },

  /** Deletes a user that no other row refers to. */
  drop: (id: number): void => {
    db.delete(users).where(eq(users.id, id)).run();
  },
});

export const accountStore = (db: Db) => ({
  ...accountsByName(db),
  ...accountQueries(db),
  ...accountChanges(db),
});

export type AccountStore = ReturnType<typeof accountStore>;
