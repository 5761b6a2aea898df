import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import type { QuoteLink } from '#market/rules/quoteSite.ts';

/** SQL of a user's own settings. */
export const settingsStore = (db: Db) => ({
  read: (userId: number) =>
    db
      .select({
        username: users.username,
        subscriptionType: users.subscriptionType,
        requestedSubscriptionType: users.requestedSubscriptionType,
        upgradeDeclinedReason: users.upgradeDeclinedReason,
        isAdmin: users.isAdmin,
        quoteLink: users.quoteLink,
        columnPreferences: users.columnPreferences,
      })
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt)))
      .get(),

  setQuoteLink: (userId: number, quoteLink: QuoteLink): void => {
    db.update(users).set({ quoteLink }).where(eq(users.id, userId)).run();
  },

  /** Replaces the layout of one table; the others stand as they were saved. */
  setColumns: (userId: number, tableKey: string, columns: readonly ColumnEntry[]): void => {
    db.transaction((inside) => {
      const row = inside
        .select({ saved: users.columnPreferences })
        .from(users)
        .where(eq(users.id, userId))
        .get();
      const columnPreferences = { ...row?.saved, [tableKey]: columns };
      inside.update(users).set({ columnPreferences }).where(eq(users.id, userId)).run();
    });
  },
});
