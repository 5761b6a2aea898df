import { MAX_WATCHED, type WatchlistItem } from '../../rules/watchlist.ts';
import { checkLiveSymbol, normaliseSymbol } from '../../../../market/rules/liveSymbols.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../../platform/http/requestLimits.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Market } from '../../../../market/types.ts';
import { and, count, eq } from 'drizzle-orm';
import { alerts, watchlistItems } from '../../../../platform/db/alertSchema.ts';
import type { Db } from '../../../../platform/db/open.ts';

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

type WatchlistStore = ReturnType<typeof watchlistStore>;

/** Additions and removals of one user in a minute. */
const MAX_WRITES_A_MINUTE = 120;

/** Who has something to do with a symbol's place on a watchlist. */
export type WatchlistListener = {
  /**
   * A symbol is about to be removed; called in the transaction that removes it.
   * @returns what is to be done after the transaction
   */
  removing?(userId: number, symbol: string): () => void;
  /** A user's list changed; called after the transaction. */
  changed?(userId: number, symbol: string): void;
};

export type WatchlistDeps = {
  store: WatchlistStore;
  clock: SystemClock;
  market: Pick<Market, 'all'>;
};

const missing = (): AppError => new AppError(404, 'That symbol is not on your watchlist any more.');

/** The symbols that users watch. */
export class Watchlist {
  private readonly listeners: WatchlistListener[] = [];
  private readonly countWrite: (userId: number) => void;

  constructor(private readonly deps: WatchlistDeps) {
    this.countWrite = createWriteLimit(deps.clock, MAX_WRITES_A_MINUTE, 'your watchlist');
  }

  /** By symbol. */
  items(userId: number): WatchlistItem[] {
    return this.deps.store.items(userId);
  }

  /**
   * Puts a symbol on a list, if it is not there; for use within a caller's transaction, who calls `told` after it.
   * @throws AppError 400 for a symbol that is not listed, or when the list is full
   */
  put(userId: number, typed: string): { item: WatchlistItem; isNew: boolean } {
    const { store, market, clock } = this.deps;
    const known = store.itemOf(userId, normaliseSymbol(typed));
    if (known) return { item: known, isNew: false };
    const symbol = accepted(checkLiveSymbol(typed, market.all()));
    if (store.count(userId) >= MAX_WATCHED) {
      const message = `Your watchlist already has ${MAX_WATCHED} symbols. Remove one first.`;
      throw new AppError(400, { field: 'symbol', message });
    }
    const { id } = store.add({ userId, symbol, createdAt: clock.now() });
    return { item: { id, symbol, alertCount: 0 }, isNew: true };
  }

  /** Tells the listeners of a list that `put` changed. */
  told(userId: number, symbol: string): void {
    for (const listener of this.listeners) listener.changed?.(userId, symbol);
  }

  /**
   * What is there already is answered as it is.
   * @param typed untrimmed and in any case
   * @throws AppError 400 for a symbol that is not listed, or when the list is full; 429
   */
  add(userId: number, typed: string): WatchlistItem {
    this.countWrite(userId);
    const { item, isNew } = this.put(userId, typed);
    if (isNew) this.told(userId, item.symbol);
    return item;
  }

  /**
   * Removes a symbol with all that hangs on it, its alerts above all.
   * @throws AppError 404 when there is no such item of the user's, 429
   */
  remove(userId: number, id: number): void {
    this.countWrite(userId);
    const { store } = this.deps;
    const item = store.item(userId, id);
    if (!item) throw missing();
    const afterwards = store.inTransaction(() => {
      const work = this.listeners.flatMap(({ removing }) => removing?.(userId, item.symbol) ?? []);
      store.remove(userId, id);
      return work;
    });
    for (const work of afterwards) work();
    this.told(userId, item.symbol);
  }

  listen(listener: WatchlistListener): void {
    this.listeners.push(listener);
  }
}
