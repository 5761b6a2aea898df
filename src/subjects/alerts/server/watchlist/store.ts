import { and, asc, count, eq, max, sql } from 'drizzle-orm';
import { lazy } from '#lib/lazy.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { WatchlistItem } from '#subjects/alerts/rules/watchlist.ts';
import { alerts, watchlistItems, watchlists } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';

export type ListRow = { id: number; name: string };
/** An item without the members that follow from its alerts' conditions. */
export type ItemRow = Omit<WatchlistItem, 'untilOpen'>;
type NewItem = Omit<typeof watchlistItems.$inferInsert, 'id'>;
type AddedItem = Omit<typeof watchlistItems.$inferSelect, 'id'>;

function listsStore(db: Db) {
  const isOwnList = (userId: number, id: number) => and(eq(watchlists.userId, userId), eq(watchlists.id, id));
  const ofUser = lazy(() =>
    db
      .select({ id: watchlists.id, name: watchlists.name })
      .from(watchlists)
      .where(eq(watchlists.userId, sql.placeholder('userId')))
      .orderBy(asc(watchlists.position), asc(watchlists.id))
      .prepare(),
  );
  return {
    lists: (userId: number): ListRow[] => ofUser().all({ userId }),

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

    removeList: (userId: number, id: number): void => {
      db.delete(watchlists).where(isOwnList(userId, id)).run();
    },
  };
}

const isOwn = (userId: number, id: number) =>
  and(eq(watchlistItems.userId, userId), eq(watchlistItems.id, id));

const ADD_ITEM = `INSERT INTO watchlist_items (user_id, list_id, symbol, note, target, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6)`;

const itemWrites = (db: Db) => ({
  add: (row: NewItem): { id: number } =>
    db.insert(watchlistItems).values(row).returning({ id: watchlistItems.id }).get(),

  /** One prepared statement, because building one for thousands of rows takes four times as long. */
  addAll: (rows: readonly AddedItem[]): void => {
    const add = db.$client.query<null, [number, number, string, string | null, number | null, number]>(
      ADD_ITEM,
    );
    for (const { userId, listId, symbol, note, target, createdAt } of rows) {
      add.run(userId, listId, symbol, note, target, createdAt);
    }
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

export function watchlistStore(db: Db) {
  const selectItems = () => itemsIn(db);
  const hasSymbol = and(
    eq(watchlistItems.userId, sql.placeholder('userId')),
    eq(watchlistItems.symbol, sql.placeholder('symbol')),
  );
  // Prepared once, because every alert of an import runs it.
  const ofSymbol = lazy(() => selectItems().where(hasSymbol).prepare());
  const countOf = lazy(() =>
    db
      .select({ n: count() })
      .from(watchlistItems)
      .where(eq(watchlistItems.listId, sql.placeholder('listId')))
      .prepare(),
  );
  return {
    ...listsStore(db),
    ...itemWrites(db),

    count: (listId: number): number => countOf().get({ listId })?.n ?? 0,

    /** All or nothing; the callback must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    /** The items of a list, sorted by symbol. */
    items: (listId: number): ItemRow[] =>
      selectItems().where(eq(watchlistItems.listId, listId)).orderBy(watchlistItems.symbol).all(),

    places: (userId: number): { listId: number; symbol: string }[] =>
      db
        .select({ listId: watchlistItems.listId, symbol: watchlistItems.symbol })
        .from(watchlistItems)
        .where(eq(watchlistItems.userId, userId))
        .orderBy(watchlistItems.symbol)
        .all(),

    item: (userId: number, id: number): ItemRow | undefined => selectItems().where(isOwn(userId, id)).get(),

    itemsOf: (userId: number, symbol: string): ItemRow[] => ofSymbol().all({ userId, symbol }),

    asked: (userId: number): { symbol: string; logic: Logic }[] =>
      db
        .select({ symbol: alerts.symbol, logic: alerts.logic })
        .from(alerts)
        .where(and(eq(alerts.userId, userId), eq(alerts.active, true)))
        .all(),
  };
}

export type WatchlistStore = ReturnType<typeof watchlistStore>;
