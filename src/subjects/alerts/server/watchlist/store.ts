import { and, asc, count, eq, max } from 'drizzle-orm';
import type { WatchlistItem } from '../../rules/watchlist.ts';
import { alerts, watchlistItems, watchlists } from '../../../../platform/db/alertSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';

export type ListRow = { id: number; name: string };
type NewItem = Omit<typeof watchlistItems.$inferInsert, 'id'>;

/** SQL of the lists themselves. */
function listsStore(db: Db) {
  const isOwnList = (userId: number, id: number) => and(eq(watchlists.userId, userId), eq(watchlists.id, id));
  return {
    /** In their order. */
    lists: (userId: number): ListRow[] =>
      db
        .select({ id: watchlists.id, name: watchlists.name })
        .from(watchlists)
        .where(eq(watchlists.userId, userId))
        .orderBy(asc(watchlists.position), asc(watchlists.id))
        .all(),

    /** Behind the others. */
    addList: (row: { userId: number; name: string; createdAt: number }): ListRow => {
      const last = db
        .select({ at: max(watchlists.position) })
        .from(watchlists)
        .where(eq(watchlists.userId, row.userId))
        .get();
      return db
        .insert(watchlists)
        .values({ ...row, position: (last?.at ?? -1) + 1 })
        .returning({ id: watchlists.id, name: watchlists.name })
        .get();
    },

    changeList: (userId: number, id: number, change: { name?: string; position?: number }): void => {
      db.update(watchlists).set(change).where(isOwnList(userId, id)).run();
    },

    /** With the items on it. */
    removeList: (userId: number, id: number): void => {
      db.delete(watchlists).where(isOwnList(userId, id)).run();
    },
  };
}

const isOwn = (userId: number, id: number) =>
  and(eq(watchlistItems.userId, userId), eq(watchlistItems.id, id));

/** SQL that changes what stands on a list. */
const itemWrites = (db: Db) => ({
  count: (listId: number): number =>
    db.select({ n: count() }).from(watchlistItems).where(eq(watchlistItems.listId, listId)).get()?.n ?? 0,

  add: (row: NewItem): { id: number } =>
    db.insert(watchlistItems).values(row).returning({ id: watchlistItems.id }).get(),

  addAll: (rows: readonly NewItem[]): void => {
    db.insert(watchlistItems)
      .values([...rows])
      .run();
  },

  change: (userId: number, id: number, change: { note?: string | null; target?: number | null }): void => {
    db.update(watchlistItems).set(change).where(isOwn(userId, id)).run();
  },

  remove: (userId: number, id: number): void => {
    db.delete(watchlistItems).where(isOwn(userId, id)).run();
  },
});

const itemsIn = (db: Db) =>
  db
    .select({
      id: watchlistItems.id,
      symbol: watchlistItems.symbol,
      alertCount: count(alerts.id),
      listId: watchlistItems.listId,
      note: watchlistItems.note,
      target: watchlistItems.target,
    })
    .from(watchlistItems)
    .leftJoin(alerts, and(eq(alerts.userId, watchlistItems.userId), eq(alerts.symbol, watchlistItems.symbol)))
    .groupBy(watchlistItems.id);

/** SQL of the watchlists. */
export function watchlistStore(db: Db) {
  const selectItems = () => itemsIn(db);
  const hasSymbol = (userId: number, symbol: string) =>
    and(eq(watchlistItems.userId, userId), eq(watchlistItems.symbol, symbol));
  return {
    ...listsStore(db),
    ...itemWrites(db),

    /** All or nothing; the callback must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    /** Of one list, by symbol. */
    items: (listId: number): WatchlistItem[] =>
      selectItems().where(eq(watchlistItems.listId, listId)).orderBy(watchlistItems.symbol).all(),

    /** Which symbol stands on which list, by symbol. */
    places: (userId: number): { listId: number; symbol: string }[] =>
      db
        .select({ listId: watchlistItems.listId, symbol: watchlistItems.symbol })
        .from(watchlistItems)
        .where(eq(watchlistItems.userId, userId))
        .orderBy(watchlistItems.symbol)
        .all(),

    item: (userId: number, id: number): WatchlistItem | undefined =>
      selectItems().where(isOwn(userId, id)).get(),

    /** Those of a symbol on whatever list. */
    itemsOf: (userId: number, symbol: string): WatchlistItem[] =>
      selectItems().where(hasSymbol(userId, symbol)).all(),
  };
}

export type WatchlistStore = ReturnType<typeof watchlistStore>;
