import { compareKeyed, type Keyed, keyOf, type SortBy } from './sortRows.ts';

/** A row in the order, and what was found of it when it was last sorted. */
type Entry<Row> = Keyed<Row> & {
  /** The sort that saw it last. */
  seen: number;
  /** It no longer stands right among the others. */
  hasMoved: boolean;
};

type Order<Row> = { read: SortBy<Row>['read'] | null; desc: boolean; entries: readonly Entry<Row>[] };

/**
 * Sorts the same rows again and again, in the order of `compareKeyed`, but looks only at what changed: the key of an
 * identical row object is not read again, and rows with the same key as before are compared only with their neighbours.
 */
export class KeptSort<Row> {
  readonly #byId = new Map<string, Entry<Row>>();
  #order: Order<Row> = { read: null, desc: false, entries: [] };
  #turn = 0;

  /**
   * @param rows each id once; a row that changed is another object
   * @returns a new array
   */
  readonly sort = (rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null): Row[] => {
    const read = by?.read ?? null;
    const desc = by?.desc ?? false;
    if (read !== this.#order.read || desc !== this.#order.desc) this.#byId.clear();
    const before = this.#byId.size === 0 ? [] : this.#order.entries;
    const moved = this.#take(rows, rowId, by);
    const stayed = this.#stayed(before, moved);
    const compare = compareKeyed<Row>(desc);
    // Two sorted runs, one behind the other: the engines' sort finds and merges them.
    const entries = moved.length === 0 ? stayed : [...stayed, ...moved.sort(compare)].sort(compare);
    this.#order = { read, desc, entries };
    return entries.map(({ row }) => row);
  };

  /** Takes the rows as they are now. @returns those that were not there before */
  #take(rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null): Entry<Row>[] {
    const byId = this.#byId;
    const came: Entry<Row>[] = [];
    this.#turn += 1;
    const turn = this.#turn;
    for (const row of rows) {
      const id = rowId(row);
      const entry = byId.get(id);
      if (entry === undefined) {
        const added = { key: keyOf(row, by), id, row, seen: turn, hasMoved: false };
        byId.set(id, added);
        came.push(added);
        continue;
      }
      entry.seen = turn;
      if (entry.row === row) continue;
      const key = keyOf(row, by);
      entry.row = row;
      entry.hasMoved = !Object.is(key, entry.key);
      entry.key = key;
    }
    return came;
  }

  /** Those of before that still stand right, in their order; the others go to `moved`, or are forgotten. */
  #stayed(before: readonly Entry<Row>[], moved: Entry<Row>[]): Entry<Row>[] {
    const stayed: Entry<Row>[] = [];
    for (const entry of before) {
      if (entry.seen !== this.#turn) this.#byId.delete(entry.id);
      else if (entry.hasMoved) moved.push(entry);
      else stayed.push(entry);
      entry.hasMoved = false;
    }
    return stayed;
  }
}
