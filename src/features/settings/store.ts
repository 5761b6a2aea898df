import { eq } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { users } from '../../db/schema.ts';
import type { QuoteSite } from '../../domain/quoteSites.ts';

/** SQL of a user's own settings. */
export const settingsStore = (db: Db) => ({
  read: (userId: number) =>
    db
      .select({
        username: users.username,
        subscriptionType: users.subscriptionType,
        requestedSubscriptionType: users.requestedSubscriptionType,
        quoteSite: users.quoteSite,
        columnPreferences: users.columnPreferences,
      })
      .from(users)
      .where(eq(users.id, userId))
      .get(),

  setQuoteSite: (userId: number, quoteSite: QuoteSite): void => {
    db.update(users).set({ quoteSite }).where(eq(users.id, userId)).run();
  },
});
