import { and, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { secondFactors } from '#platform/db/schema.ts';

export type SecondFactorRow = typeof secondFactors.$inferSelect;

const ofUser = (userId: number) => eq(secondFactors.userId, userId);
const isOn = (userId: number) => and(ofUser(userId), isNotNull(secondFactors.confirmedAt));

/** SQL of the second factors. Times are epoch ms. */
export const secondFactorStore = (db: Db) => ({
  /** One that is on, or only begun. */
  read: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(ofUser(userId)).get(),

  /** One that is on. */
  on: (userId: number): SecondFactorRow | undefined =>
    db.select().from(secondFactors).where(isOn(userId)).get(),

  /** Begins anew; call it only where none is on. */
  begin: (userId: number, sealedSecret: string, now: number): void => {
    const set = { sealedSecret, begunAt: now, confirmedAt: null, lastStep: 0, recoveryHashes: [] };
    db.insert(secondFactors)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: secondFactors.userId, set })
      .run();
  },

  update: (
    userId: number,
    change: Partial<Pick<SecondFactorRow, 'confirmedAt' | 'lastStep' | 'recoveryHashes'>>,
  ): void => {
    db.update(secondFactors).set(change).where(ofUser(userId)).run();
  },

  /** @returns whether one was on */
  remove: (userId: number): boolean => {
    const removed = db.delete(secondFactors).where(ofUser(userId)).returning().get();
    return removed !== undefined && removed.confirmedAt !== null;
  },
});
