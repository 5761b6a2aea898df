import { and, desc, eq, lte, notInArray } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { loginAddresses } from '#platform/db/schema.ts';

type Key = { userId: number; addressHash: string };

const is = ({ userId, addressHash }: Key) =>
  and(eq(loginAddresses.userId, userId), eq(loginAddresses.addressHash, addressHash));

/** SQL of the addresses that accounts logged in from. Times are epoch ms. */
export const knownAddressStore = (db: Db) => ({
  /** When the account last logged in from the address; undefined when it never did. */
  lastLogin: (key: Key): number | undefined =>
    db.select({ at: loginAddresses.lastLoginAt }).from(loginAddresses).where(is(key)).get()?.at,

  /** Notes a login, and keeps the account's newest addresses. */
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

  /** @returns how many were dropped */
  dropUntil: (time: number): number =>
    db
      .delete(loginAddresses)
      .where(lte(loginAddresses.lastLoginAt, time))
      .returning({ userId: loginAddresses.userId })
      .all().length,
});
