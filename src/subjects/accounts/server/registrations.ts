import { keyedHash } from '#lib/secrets.ts';
import type { Db } from '#platform/db/open.ts';
import type { App } from '#platform/app.ts';
import { createRegistrationLimit, DAY_MS } from './limits.ts';
import { asc, gt, lte } from 'drizzle-orm';
import { registrations } from '#platform/db/schema.ts';

/** SQL of the accounts that were made lately, by address. Times are epoch ms. */
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

  /** @returns how many were dropped */
  dropUntil: (time: number): number =>
    db
      .delete(registrations)
      .where(lte(registrations.registeredAt, time))
      .returning({ at: registrations.registeredAt })
      .all().length,
});

export type Registrations = {
  /**
   * Counts a registration that begins. @returns what is called when no account came of it
   * @throws AppError 429 when there were too many from the address
   */
  begin(address: string): () => void;
  /** Keeps that an account was made from the address; call it in the transaction that makes it. */
  keep(address: string): void;
  /** Drops what is older than a day. @returns how many */
  dropExpired(): number;
};

/**
 * The accounts that addresses make in a day, counted by the stopwatch in memory; over a restart a row an account keeps the
 * count, which the first registration reads. What is stored of an address is a keyed hash, for a day.
 *
 * Addresses are keys as `addressKey` makes them.
 */
export function createRegistrations({ clock, db, jwtSecret }: App): Registrations {
  const store = registrationStore(db);
  const hashOf = (address: string): string => keyedHash(jwtSecret, `registration\n${address}`, 'base64url');
  const dayBefore = (): number => clock.now() - DAY_MS;
  let limit: ReturnType<typeof createRegistrationLimit> | undefined;

  /** With those of earlier runs; one of later than now was made before the clock was set back. */
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
