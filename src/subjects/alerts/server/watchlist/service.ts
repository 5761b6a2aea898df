import { MAX_WATCHED, type WatchlistItem } from '../../rules/watchlist.ts';
import { checkLiveSymbol, normaliseSymbol } from '../../../../market/rules/liveSymbols.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../../platform/http/requestLimits.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Market } from '../../../../market/types.ts';
import type { WatchlistStore } from './store.ts';

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
export function createWatchlistService({ store, clock, market }: WatchlistDeps) {
  const listeners: WatchlistListener[] = [];
  const countWrite = createWriteLimit(clock, MAX_WRITES_A_MINUTE, 'your watchlist');

  const tell = (userId: number, symbol: string): void =>
    listeners.forEach(({ changed }) => changed?.(userId, symbol));

  /**
   * Puts a symbol on a list, if it is not there; for use within a caller's transaction, who calls `told` after it.
   * @throws AppError 400 for a symbol that is not listed, or when the list is full
   */
  function put(userId: number, typed: string): { item: WatchlistItem; isNew: boolean } {
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

  return {
    put,
    /** Tells the listeners of a list that `put` changed. */
    told: tell,
    /** By symbol. */
    items: (userId: number): WatchlistItem[] => store.items(userId),

    /**
     * What is there already is answered as it is.
     * @param typed untrimmed and in any case
     * @throws AppError 400 for a symbol that is not listed, or when the list is full; 429
     */
    add(userId: number, typed: string): WatchlistItem {
      countWrite(userId);
      const { item, isNew } = put(userId, typed);
      if (isNew) tell(userId, item.symbol);
      return item;
    },

    /**
     * Removes a symbol with all that hangs on it, its alerts above all.
     * @throws AppError 404 when there is no such item of the user's, 429
     */
    remove(userId: number, id: number): void {
      countWrite(userId);
      const item = store.item(userId, id);
      if (!item) throw missing();
      const afterwards = store.inTransaction(() => {
        const work = listeners.flatMap(({ removing }) => removing?.(userId, item.symbol) ?? []);
        store.remove(userId, id);
        return work;
      });
      for (const work of afterwards) work();
      tell(userId, item.symbol);
    },

    listen: (listener: WatchlistListener): void => void listeners.push(listener),
  };
}

export type Watchlist = ReturnType<typeof createWatchlistService>;
