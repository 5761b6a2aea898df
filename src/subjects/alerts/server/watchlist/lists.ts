import { checkListName, MAX_WATCHLISTS, type WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Watchlist } from './service.ts';
import type { ListRow, WatchlistStore } from './store.ts';

export type WatchlistsDeps = {
  store: WatchlistStore;
  clock: SystemClock;
  items: Pick<Watchlist, 'countWrite' | 'removing' | 'told'>;
};

const missing = (): AppError => new AppError(404, 'That list does not exist any more.');

const namesBut = (lists: readonly ListRow[], id: number | null): string[] =>
  lists.filter((one) => one.id !== id).map(({ name }) => name);

/** The lists of users: their names and their order. */
export class Watchlists {
  constructor(private readonly deps: WatchlistsDeps) {}

  /** In their order, with the symbols on each. */
  lists(userId: number): WatchlistView[] {
    const { store } = this.deps;
    const places = Map.groupBy(store.places(userId), ({ listId }) => listId);
    return store
      .lists(userId)
      .map((list) => ({ ...list, symbols: (places.get(list.id) ?? []).map(({ symbol }) => symbol) }));
  }

  /** @throws AppError 400 for a name, or when there are as many lists as a user may have; 429 */
  add(userId: number, typed: string): WatchlistView {
    const { store, clock, items } = this.deps;
    items.countWrite(userId);
    const lists = store.lists(userId);
    if (lists.length >= MAX_WATCHLISTS) {
      throw new AppError(400, `You already have ${MAX_WATCHLISTS} lists. Delete one before you add another.`);
    }
    const name = accepted(checkListName(typed, namesBut(lists, null)));
    const added = store.addList({ userId, name, createdAt: clock.now() });
    items.told(userId, '');
    return { ...added, symbols: [] };
  }

  /**
   * Renames a list, or puts it elsewhere among the others.
   * @param sent.position its place, from 0; behind the last one it is the last
   * @throws AppError 400, 404, 429
   */
  change(userId: number, id: number, sent: { name?: string; position?: number }): WatchlistView[] {
    const { store, items } = this.deps;
    items.countWrite(userId);
    const lists = store.lists(userId);
    const list = lists.find((one) => one.id === id);
    if (!list) throw missing();
    const name =
      sent.name === undefined ? list.name : accepted(checkListName(sent.name, namesBut(lists, id)));
    const others = lists.filter((one) => one !== list);
    const place = sent.position ?? lists.indexOf(list);
    const next = [...others.slice(0, place), list, ...others.slice(place)];
    store.inTransaction(() => {
      for (const [position, one] of next.entries()) store.changeList(userId, one.id, { position });
      store.changeList(userId, id, { name });
    });
    items.told(userId, '');
    return this.lists(userId);
  }

  /**
   * Deletes a list with what stands on it, and the alerts on symbols that stand on no other.
   * @throws AppError 400 for the only list, 404, 429
   */
  remove(userId: number, id: number): void {
    const { store, items } = this.deps;
    items.countWrite(userId);
    const lists = this.lists(userId);
    const list = lists.find((one) => one.id === id);
    if (!list) throw missing();
    if (lists.length === 1)
      throw new AppError(400, 'This is your only list. Add another before you delete it.');
    items.removing(userId, list.symbols, () => store.removeList(userId, id));
    items.told(userId, '');
  }
}
