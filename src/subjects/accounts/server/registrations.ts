import { keyedHash } from '#lib/secrets.ts';
import type { Db } from '#platform/db/open.ts';
import type { App } from '#platform/app.ts';
import { createRegistrationLimit, DAY_MS } from './limits.ts';
import { asc, gt, lte } from 'drizzle-orm';
import { registrations } from '#platform/db/schema.ts';

/** SQL of recent registrations by address. Times are epoch ms. */
const registrationStore = (db: Db) => ({
  add: (addressHash: string, registeredAt: number): void => {
    db.insert(registrations).values({ addressHash, registeredAt }).run();
  },

  /** Oldest first. */
  since: (time: number): { addressHash: string; registeredAt: number }[] =>
    db
      .select()
      .from(registrations)
      .where(gt(registrations.registeredAt, time))
      .orderBy(asc(registrations.registeredAt))
      .all(),

  dropUntil: (time: number): number =>
    db
      .delete(registrations)
      .where(lte(registrations.registeredAt, time))
      .returning({ at: registrations.registeredAt })
      .all().length,
});

export type Registrations = {
  /**
   * Counts a registration. @returns a function to call if no account was created
   * @throws AppError 429
   */
  begin(address: string): () => void;
  /** Stores that the address created an account; call it in the transaction that creates it. */
  keep(address: string): void;
  /** Drops what is older than a day. @returns the number dropped */
  dropExpired(): number;
};

/**
 * Counts the accounts that addresses create in a day. The count is in memory; a stored row per account restores it after a
 * restart. Addresses are stored for a day as keyed hashes.
 * Its functions take addresses as `addressKey` makes them.
 */
export function createRegistrations({ clock, db, jwtSecret }: App): Registrations {
  const store = registrationStore(db);
  const hashOf = (address: string): string => keyedHash(jwtSecret, `registration\n${address}`, 'base64url');
  const dayBefore = (): number => clock.now() - DAY_MS;
  let limit: ReturnType<typeof createRegistrationLimit> | undefined;

  /** Includes earlier runs. A time in the future comes from before the clock was set back. */
  function withEarlier(): ReturnType<typeof createRegistrationLimit> {
    const made = createRegistrationLimit(clock);
    const now = clock.now();
    for (const { addressHash, registeredAt } of store.since(dayBefore()))
      made.note(addressHash, Math.max(0, now - registeredAt));
    return made;
  }

  return {
    begin: (address) => (limit ??= withEarlier()).begin(hashOf(address)),
    keep: (address) => store.add(hashOf(address), clock.now()),
    dropExpired: () => store.dropUntil(dayBefore()),
  };
}
