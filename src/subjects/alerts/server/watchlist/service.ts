import {
  checkItemNote,
  checkTarget,
  FIRST_LIST,
  MAX_WATCHED,
  type WatchlistItem,
} from '#subjects/alerts/rules/watchlist.ts';
import { checkLiveSymbol, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { App } from '#platform/app.ts';
import { isUntilOpen } from '#subjects/alerts/rules/alertState.ts';
import type { ItemRow, ListRow, WatchlistStore } from './store.ts';

const MAX_WRITES_A_MINUTE = 120;

type WatchlistListener = {
  /** Called in the transaction that removes a symbol from its last list. @returns the work for after the commit */
  removing?(userId: number, symbol: string): () => void;
  changed?(userId: number, symbol: string): void;
};

const missing = (): AppError => new AppError(404, 'That symbol is no longer on your watchlist.');
const missingList = (): AppError => new AppError(404, 'That list no longer exists. Reload the page.');

export class Watchlist {
  private readonly listeners: WatchlistListener[] = [];
  /** Counts a change. @throws AppError 429 */
  readonly countWrite: (userId: number) => void;

  constructor(
    private readonly app: App,
    private readonly store: WatchlistStore,
  ) {
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your watchlist');
  }

  /** Items of a list by symbol. @param listId the first list if omitted @throws AppError 404 without such a list */
  items(userId: number, listId?: number): WatchlistItem[] {
    const list = this.listOf(userId, listId);
    return list ? this.counted(userId, this.store.items(list.id)) : [];
  }

  readonly listsOf = (userId: number): { id: number; name: string }[] =>
    this.store.lists(userId).map(({ id, name }) => ({ id, name }));

  /** Symbols of all lists without duplicates, or of one list; empty if it is gone. */
  symbols(userId: number, listId: number | null = null): string[] {
    const places = this.store.places(userId);
    const meant = listId === null ? places : places.filter((place) => place.listId === listId);
    return [...new Set(meant.map(({ symbol }) => symbol))];
  }

  itemOf(userId: number, symbol: string): ItemRow | undefined {
    return this.store.itemsOf(userId, symbol)[0];
  }

  /**
   * Adds a symbol to the first list, if no list has it, in the caller's transaction; call `notify` afterwards.
   * @throws AppError 400 for an unlisted symbol or a full list
   */
  put(userId: number, typed: string): { item: ItemRow; isNew: boolean } {
    const known = this.itemOf(userId, normaliseSymbol(typed));
    return known ? { item: known, isNew: false } : this.putOn(userId, typed);
  }

  notify(userId: number, symbol: string): void {
    for (const listener of this.listeners) listener.changed?.(userId, symbol);
  }

  /**
   * Adds a symbol to a list, or returns the existing item.
   * @param typed untrimmed and in any case
   * @param listId the first list if omitted
   * @throws AppError 400 for an unlisted symbol or a full list; 404 without such a list; 429
   */
  add(userId: number, typed: string, listId?: number): WatchlistItem {
    this.countWrite(userId);
    const { item, isNew } = this.store.inTransaction(() => this.putOn(userId, typed, listId));
    if (isNew) this.notify(userId, item.symbol);
    return this.view(userId, item);
  }

  /** Changes the note or target, if given. @throws AppError 400, 404, 429 */
  change(userId: number, id: number, sent: { note?: string | null; target?: number | null }): WatchlistItem {
    this.countWrite(userId);
    const { store } = this;
    const item = store.item(userId, id);
    if (!item) throw missing();
    const change = {
      ...(sent.note !== undefined && { note: accepted(checkItemNote(sent.note)) }),
      ...(sent.target !== undefined && { target: accepted(checkTarget(sent.target)) }),
    };
    if (Object.keys(change).length > 0) store.change(userId, id, change);
    this.notify(userId, item.symbol);
    return this.view(userId, { ...item, ...change });
  }

  /** Removes a symbol from a list. If no other list has it, its alerts are deleted. @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.countWrite(userId);
    const item = this.store.item(userId, id);
    if (!item) throw missing();
    this.removing(userId, [item.symbol], () => this.store.remove(userId, id));
  }

  /** Removes a symbol from all lists and deletes its alerts. @throws AppError 429 */
  removeEverywhere(userId: number, symbol: string): void {
    this.countWrite(userId);
    const { store } = this;
    this.removing(userId, [symbol], () => {
      for (const { id } of store.itemsOf(userId, symbol)) store.remove(userId, id);
    });
  }

  /** Removes symbols, and deletes the alerts on those that are then on no list. */
  removing(userId: number, symbols: readonly string[], remove: () => void): void {
    const { store } = this;
    const afterwards = store.inTransaction(() => {
      remove();
      const left = new Set(this.symbols(userId));
      return symbols
        .filter((symbol) => !left.has(symbol))
        .flatMap((symbol) => this.listeners.flatMap(({ removing }) => removing?.(userId, symbol) ?? []));
    });
    for (const work of afterwards) work();
    for (const symbol of symbols) this.notify(userId, symbol);
  }

  listen(listener: WatchlistListener): void {
    this.listeners.push(listener);
  }

  /** Adds the number of alerts that work only until the open. */
  private counted(userId: number, rows: readonly ItemRow[]): WatchlistItem[] {
    const { scansOf } = this.app.indicators;
    const ending = this.store.asked(userId).filter(({ logic }) => isUntilOpen(logic, scansOf(userId)));
    const bySymbol = Map.groupBy(ending, ({ symbol }) => symbol);
    return rows.map((row) => ({ ...row, untilOpen: bySymbol.get(row.symbol)?.length ?? 0 }));
  }

  private view(userId: number, row: ItemRow): WatchlistItem {
    const [item] = this.counted(userId, [row]);
    if (!item) throw new Error(`Item ${row.id} of the watchlist could not be read.`);
    return item;
  }

  private listOf(userId: number, listId: number | undefined): ListRow | undefined {
    const lists = this.store.lists(userId);
    if (listId === undefined) return lists[0];
    const list = lists.find(({ id }) => id === listId);
    if (!list) throw missingList();
    return list;
  }

  private putOn(userId: number, typed: string, listId?: number): { item: ItemRow; isNew: boolean } {
    const {
      app: { clock, market },
      store,
    } = this;
    const known = this.listOf(userId, listId);
    const stands = store.itemsOf(userId, normaliseSymbol(typed));
    const there = stands.find((item) => item.listId === known?.id);
    if (there) return { item: there, isNew: false };
    const symbol = accepted(checkLiveSymbol(typed, market.all()));
    if (known && store.count(known.id) >= MAX_WATCHED) {
      const message = `“${known.name}” already has ${MAX_WATCHED} symbols. Remove one first, or choose another list.`;
      throw new AppError(400, { field: 'symbol', message });
    }
    const createdAt = clock.now();
    const list = known ?? store.addList({ userId, name: FIRST_LIST, createdAt });
    const { id } = store.add({ userId, listId: list.id, symbol, createdAt });
    const alertCount = stands[0]?.alertCount ?? 0;
    return { item: { id, symbol, alertCount, listId: list.id, note: null, target: null }, isNew: true };
  }
}
