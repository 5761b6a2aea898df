import { and, count, eq } from 'drizzle-orm';
import { alerts, watchlistItems } from '../../../../platform/db/alertSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';
import type { WatchlistItem } from '../../rules/watchlist.ts';

/** SQL of the watchlists. */
export function watchlistStore(db: Db) {
  const selectItems = () =>
    db
      .select({ id: watchlistItems.id, symbol: watchlistItems.symbol, alertCount: count(alerts.id) })
      .from(watchlistItems)
      .leftJoin(
        alerts,
        and(eq(alerts.userId, watchlistItems.userId), eq(alerts.symbol, watchlistItems.symbol)),
      )
      .groupBy(watchlistItems.id);
  const isOwn = (userId: number, id: number) =>
    and(eq(watchlistItems.userId, userId), eq(watchlistItems.id, id));
  return {
    /** All or nothing; the callback must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    items: (userId: number): WatchlistItem[] =>
      selectItems().where(eq(watchlistItems.userId, userId)).orderBy(watchlistItems.symbol).all(),

    item: (userId: number, id: number): WatchlistItem | undefined =>
      selectItems().where(isOwn(userId, id)).get(),

    itemOf: (userId: number, symbol: string): WatchlistItem | undefined =>
      selectItems()
        .where(and(eq(watchlistItems.userId, userId), eq(watchlistItems.symbol, symbol)))
        .get(),

    count: (userId: number): number =>
      db.select({ n: count() }).from(watchlistItems).where(eq(watchlistItems.userId, userId)).get()?.n ?? 0,

    add: (row: { userId: number; symbol: string; createdAt: number }): { id: number } =>
      db.insert(watchlistItems).values(row).returning({ id: watchlistItems.id }).get(),

    remove: (userId: number, id: number): void => {
      db.delete(watchlistItems).where(isOwn(userId, id)).run();
    },
  };
}

export type WatchlistStore = ReturnType<typeof watchlistStore>;
