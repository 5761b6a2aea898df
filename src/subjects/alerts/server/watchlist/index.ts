import { WATCHLIST, WATCHLISTS } from '#subjects/alerts/watchlistContract.ts';
import { serve } from '#platform/http/routes.ts';
import type { App, Part } from '#platform/app.ts';
import { Watchlist } from './service.ts';
import { watchlistStore, type ListRow, type WatchlistStore, type ItemRow } from './store.ts';
import {
  checkItemNote,
  checkListName,
  checkTarget,
  MAX_WATCHED,
  MAX_WATCHLISTS,
  type WatchlistView,
  whyNotListed,
} from '#subjects/alerts/rules/watchlist.ts';
import { accepted, AppError, refusalText } from '#platform/http/errors.ts';
import { nameKey } from '#lib/text.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';

type ItemInFile = { symbol: string; note: string | null; target: number | null };
type ListInFile = { name: string; items: ItemInFile[] };

const KEPT = 'Your existing note or target is kept.';

/** Note and target that the file has and the existing item lacks; null for neither. */
function missingIn(here: ItemRow, { note, target }: ItemInFile): Partial<ItemInFile> | null {
  const change = {
    ...(here.note === null && note !== null && { note }),
    ...(here.target === null && target !== null && { target }),
  };
  return Object.keys(change).length > 0 ? change : null;
}

const isOther = (here: ItemRow, { note, target }: ItemInFile): boolean =>
  (note !== null && here.note !== null && note !== here.note) ||
  (target !== null && here.target !== null && target !== here.target);

/** Imports lists by name, without changing existing items. */
class ListImport {
  readonly tally = new Tally();
  private readonly lists: ListRow[];

  constructor(
    private readonly app: App,
    private readonly store: WatchlistStore,
    private readonly userId: number,
  ) {
    this.lists = store.lists(userId);
  }

  importValue({ name, items }: ListInFile): void {
    const known = this.lists.find((list) => nameKey(list.name) === nameKey(name));
    const list = known ?? this.addList(name, items);
    if (list === null) return;
    if (items.length === 0) return known ? this.tally.keep() : this.tally.add();
    this.importItems(list, items, !known);
  }

  private importItems(list: ListRow, items: readonly ItemInFile[], isNew: boolean): void {
    const here = new Map(isNew ? [] : this.store.items(list.id).map((item) => [item.symbol, item]));
    let room = MAX_WATCHED - here.size;
    const added: ItemInFile[] = [];
    const seen = new Set<string>();
    for (const item of items) {
      const symbol = normaliseSymbol(item.symbol);
      const there = here.get(symbol);
      if (seen.has(symbol)) this.tally.keep();
      else if (there) this.fill(there, item, list.name);
      else if (room === 0)
        this.tally.leaveOut(symbol, `“${list.name}” is full: a list has ${MAX_WATCHED} symbols.`);
      else if (this.check(item, added)) room -= 1;
      seen.add(symbol);
    }
    this.insert(list, added);
  }

  /** The added list; null if it cannot be added, and then its items are left out. */
  private addList(name: string, items: readonly ItemInFile[]): ListRow | null {
    const {
      app: { clock },
      store,
    } = this;
    try {
      const checked = accepted(
        checkListName(
          name,
          this.lists.map((list) => list.name),
        ),
      );
      if (this.lists.length >= MAX_WATCHLISTS) {
        throw new AppError(400, `You already have ${MAX_WATCHLISTS} lists. Delete one first.`);
      }
      const list = store.addList({ userId: this.userId, name: checked, createdAt: clock.now() });
      this.lists.push(list);
      return list;
    } catch (problem) {
      const why = refusalText(problem);
      if (items.length === 0) this.tally.leaveOut(name, why);
      for (const { symbol } of items) this.tally.leaveOut(`${symbol} on ${name}`, why);
      return null;
    }
  }

  private fill(here: ItemRow, item: ItemInFile, listName: string): void {
    const change = missingIn(here, item);
    try {
      if (change) {
        accepted(checkItemNote(item.note));
        accepted(checkTarget(item.target));
        this.store.change(this.userId, here.id, change);
        this.tally.change();
      } else this.tally.keep();
      if (isOther(here, item)) this.tally.note(`${here.symbol} on ${listName}`, KEPT);
    } catch (problem) {
      this.tally.leaveOut(here.symbol, refusalText(problem));
    }
  }

  private check(item: ItemInFile, added: ItemInFile[]): boolean {
    const symbol = normaliseSymbol(item.symbol);
    const why = whyNotListed(symbol, this.app.market.all());
    if (why !== null) {
      this.tally.leaveOut(symbol, why);
      return false;
    }
    try {
      const note = accepted(checkItemNote(item.note));
      added.push({ symbol, note, target: accepted(checkTarget(item.target)) });
    } catch (problem) {
      this.tally.leaveOut(symbol, refusalText(problem));
      return false;
    }
    this.tally.add();
    return true;
  }

  private insert(list: ListRow, items: readonly ItemInFile[]): void {
    const {
      app: { clock },
      store,
    } = this;
    const of = { userId: this.userId, listId: list.id, createdAt: clock.now() };
    if (items.length > 0) store.addAll(items.map((item) => ({ ...of, ...item })));
  }
}

const watchlistsKind = (app: App, store: WatchlistStore, notify: Watchlist['notify']): TransferKind => ({
  exportValue: ({ userId }) =>
    store.lists(userId).map(
      ({ id, name }): ListInFile => ({
        name,
        items: store.items(id).map(({ symbol, note, target }) => ({ symbol, note, target })),
      }),
    ),
  importValue({ userId }, value) {
    const taking = new ListImport(app, store, userId);
    for (const list of value as ListInFile[]) taking.importValue(list);
    return { outcome: taking.tally.outcome(), afterwards: () => notify(userId, '') };
  },
});

const missing = (): AppError => new AppError(404, 'That list no longer exists. Reload the page.');

const namesBut = (lists: readonly ListRow[], id: number | null): string[] =>
  lists.filter((one) => one.id !== id).map(({ name }) => name);

class Watchlists {
  constructor(
    private readonly app: App,
    private readonly store: WatchlistStore,
    private readonly items: Watchlist,
  ) {}

  /** A user's lists in order, with their symbols. */
  lists(userId: number): WatchlistView[] {
    const { store } = this;
    const places = Map.groupBy(store.places(userId), ({ listId }) => listId);
    return store
      .lists(userId)
      .map((list) => ({ ...list, symbols: (places.get(list.id) ?? []).map(({ symbol }) => symbol) }));
  }

  /** Adds a list. @throws AppError 400 for its name or too many lists; 429 */
  add(userId: number, typed: string): WatchlistView {
    const {
      app: { clock },
      items,
      store,
    } = this;
    items.countWrite(userId);
    const lists = store.lists(userId);
    if (lists.length >= MAX_WATCHLISTS) {
      throw new AppError(400, `You already have ${MAX_WATCHLISTS} lists. Delete one before you add another.`);
    }
    const name = accepted(checkListName(typed, namesBut(lists, null)));
    const added = store.addList({ userId, name, createdAt: clock.now() });
    items.notify(userId, '');
    return { ...added, symbols: [] };
  }

  /**
   * Renames or moves a list.
   * @param sent.position from 0; a larger one than the last means the last
   * @throws AppError 400, 404, 429
   */
  change(userId: number, id: number, sent: { name?: string; position?: number }): WatchlistView[] {
    const { store, items } = this;
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
    items.notify(userId, '');
    return this.lists(userId);
  }

  /**
   * Deletes a list, its items, and the alerts on symbols that no other list has.
   * @throws AppError 400 for the only list, 404, 429
   */
  remove(userId: number, id: number): void {
    const { store, items } = this;
    items.countWrite(userId);
    const lists = this.lists(userId);
    const list = lists.find((one) => one.id === id);
    if (!list) throw missing();
    if (lists.length === 1)
      throw new AppError(400, 'This is your only list. Add another before you delete it.');
    items.removing(userId, list.symbols, () => store.removeList(userId, id));
    items.notify(userId, '');
  }
}

const DONE = { success: true as const };

const routesOf = (watchlist: Watchlist) =>
  serve(WATCHLIST, {
    'GET /api/watchlist': ({ user, query }) => ({ items: watchlist.items(user.id, query.list) }),
    'POST /api/watchlist': ({ user, body }) => watchlist.add(user.id, body.symbol, body.list),
    'PATCH /api/watchlist/:id': ({ user, params, body }) => watchlist.change(user.id, params.id, body),
    'DELETE /api/watchlist/:id': ({ user, params }) => {
      watchlist.remove(user.id, params.id);
      return DONE;
    },
  });

const listRoutesOf = (lists: Watchlists) =>
  serve(WATCHLISTS, {
    'GET /api/watchlists': ({ user }) => ({ lists: lists.lists(user.id) }),
    'POST /api/watchlists': ({ user, body }) => lists.add(user.id, body.name),
    'PATCH /api/watchlists/:id': ({ user, params, body }) => ({
      lists: lists.change(user.id, params.id, body),
    }),
    'DELETE /api/watchlists/:id': ({ user, params }) => {
      lists.remove(user.id, params.id);
      return DONE;
    },
  });

export function createWatchlist(app: App) {
  const store = watchlistStore(app.db);
  const service = new Watchlist(app, store);
  const lists = new Watchlists(app, store, service);
  return {
    name: 'watchlist',
    service: Object.assign(service, {
      transfer: watchlistsKind(app, store, (userId, symbol) => service.notify(userId, symbol)),
    }),
    routes: () => [...routesOf(service), ...listRoutesOf(lists)],
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    watchlist: ReturnType<typeof createWatchlist>['service'];
  }
}
