import { nameKey } from '#lib/text.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { accepted, AppError, refusalText } from '#platform/http/errors.ts';
import type { TransferKind } from '#subjects/transfer/rules/kind.ts';
import { Tally } from '#subjects/transfer/rules/outcome.ts';
import { whyNotListed } from '#subjects/alerts/rules/listedHere.ts';
import {
  checkItemNote,
  checkListName,
  checkTarget,
  MAX_WATCHED,
  MAX_WATCHLISTS,
} from '#subjects/alerts/rules/watchlist.ts';
import type { Watchlist, WatchlistDeps } from './service.ts';
import type { ItemRow } from './store.ts';
import type { ListRow } from './store.ts';

type ItemInFile = { symbol: string; note: string | null; target: number | null };
type ListInFile = { name: string; items: ItemInFile[] };

const KEPT = 'Your own note or target here stays.';

/** What a list here lacks of an item in the file; null where it lacks nothing. */
type TransferDeps = Omit<WatchlistDeps, 'scansOf'>;

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

/** Takes the lists of a file into a user's own: by their names, and nothing that stands on one here is changed. */
class ListTaking {
  readonly tally = new Tally();
  private readonly lists: ListRow[];

  constructor(
    private readonly deps: TransferDeps,
    private readonly userId: number,
  ) {
    this.lists = deps.store.lists(userId);
  }

  take({ name, items }: ListInFile): void {
    const known = this.lists.find((list) => nameKey(list.name) === nameKey(name));
    const list = known ?? this.addList(name, items);
    if (list === null) return;
    if (items.length === 0) return known ? this.tally.keep() : this.tally.add();
    this.takeItems(list, items, !known);
  }

  private takeItems(list: ListRow, items: readonly ItemInFile[], isNew: boolean): void {
    const here = new Map(isNew ? [] : this.deps.store.items(list.id).map((item) => [item.symbol, item]));
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

  /** Null where it can't be added, and all that stands on it is left out. */
  private addList(name: string, items: readonly ItemInFile[]): ListRow | null {
    const { store, clock } = this.deps;
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
        this.deps.store.change(this.userId, here.id, change);
        this.tally.change();
      } else this.tally.keep();
      if (isOther(here, item)) this.tally.note(`${here.symbol} on ${listName}`, KEPT);
    } catch (problem) {
      this.tally.leaveOut(here.symbol, refusalText(problem));
    }
  }

  private check(item: ItemInFile, added: ItemInFile[]): boolean {
    const symbol = normaliseSymbol(item.symbol);
    const why = whyNotListed(symbol, this.deps.market.all());
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
    const { store, clock } = this.deps;
    const of = { userId: this.userId, listId: list.id, createdAt: clock.now() };
    if (items.length > 0) store.addAll(items.map((item) => ({ ...of, ...item })));
  }
}

/** The watchlists of users with notes and targets, in a transfer file. */
export const watchlistsKind = (deps: TransferDeps, told: Watchlist['told']): TransferKind => ({
  give: ({ userId }) =>
    deps.store.lists(userId).map(
      ({ id, name }): ListInFile => ({
        name,
        items: deps.store.items(id).map(({ symbol, note, target }) => ({ symbol, note, target })),
      }),
    ),
  take({ userId }, value) {
    const taking = new ListTaking(deps, userId);
    for (const list of value as ListInFile[]) taking.take(list);
    return { outcome: taking.tally.outcome(), afterwards: () => told(userId, '') };
  },
});
