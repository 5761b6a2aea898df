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

/** Stands in place of a hash in demo accounts: no password fits it. */
export const NO_PASSWORD = '!seeded';

/** Stands in place of a hash in accounts that were deleted: no password fits it. */
export const DELETED = '!deleted';

/** Whether a password opens an account. */
export const hasPassword = ({ passwordHash }: Pick<UserRow, 'passwordHash'>): boolean =>
  passwordHash !== NO_PASSWORD && passwordHash !== DELETED;

const NOT_DELETED = isNull(users.deletedAt);

/** This many are worked out at once; a server from before has the others' with the next registrations. */
const MAX_NOTED = 2000;

/** Works out what names look like that were there before that was kept, or have changed. */
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
  /** By username, else by email, in any spelling that `accountKey` takes for the same. Deleted accounts are not found. */
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

  /** True when a name is somebody's username or email: both log in, so neither may be another's. */
  isTaken: (name: string): boolean => {
    const key = accountKey(name);
    const taken = or(eq(users.usernameKey, key), eq(users.emailKey, key));
    return db.select({ id: users.id }).from(users).where(taken).get() !== undefined;
  },

  /** True when a name is easily taken for somebody's. */
  looksTaken: (name: string): boolean => {
    noteSkeletons(db);
    const looks = eq(users.usernameSkeleton, skeletonOf(name));
    return db.select({ id: users.id }).from(users).where(looks).get() !== undefined;
  },
});

const accountQueries = (db: Db) => ({
  /** Undefined for a deleted account too. */
  byId: (id: number): UserRow | undefined =>
    db
      .select()
      .from(users)
      .where(and(eq(users.id, id), NOT_DELETED))
      .get(),

  list: (): UserRow[] => db.select().from(users).where(NOT_DELETED).orderBy(users.id).all(),

  /**
   * Demo administrators do not count: nobody can log in as one outside test mode.
   * @param otherThan an account that does not count either
   */
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
  /** Inside the callback nothing else writes; it must not await. */
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

  /** Drops a row that nothing refers to any more. */
  drop: (id: number): void => {
    db.delete(users).where(eq(users.id, id)).run();
  },
});

/** SQL of the accounts. */
export const accountStore = (db: Db) => ({
  ...accountsByName(db),
  ...accountQueries(db),
  ...accountChanges(db),
});

export type AccountStore = ReturnType<typeof accountStore>;
