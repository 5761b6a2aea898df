import { asc, gt, lte } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { registrations } from '#platform/db/schema.ts';

/** SQL of the accounts that were made lately, by address. Times are epoch ms. */
export const registrationStore = (db: Db) => ({
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
