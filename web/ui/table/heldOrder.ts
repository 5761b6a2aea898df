import type { CellValue } from './tableModel.ts';

/** Rows above and below an open row that also keep their positions. */
export const NEAR_ROWS = 3;

/**
 * Positions that keep their rows: those of open rows and their neighbours. All rows have one height, and panels above
 * keep their positions, so such a row does not move on screen.
 * @param ids the rows in order
 */
function placesNear(ids: readonly string[], openIds: ReadonlySet<string>): ReadonlySet<number> {
  const places = new Set<number>();
  if (openIds.size === 0) return places;
  ids.forEach((id, place) => {
    if (!openIds.has(id)) return;
    const last = Math.min(place + NEAR_ROWS, ids.length - 1);
    for (let near = Math.max(0, place - NEAR_ROWS); near <= last; near += 1) places.add(near);
  });
  return places;
}

/**
 * Places rows around those that keep their positions. If there are too few, the kept rows move up.
 * @param kept by position, ascending from 0
 * @param rows may include the kept ones, as the same objects
 */
function arrangeAround<Row>(kept: ReadonlyMap<number, Row>, rows: readonly Row[]): Row[] {
  const keptRows = new Set(kept.values());
  const others = rows.filter((row) => !keptRows.has(row));
  const arranged: Row[] = [];
  let used = 0;
  for (const [place, row] of kept) {
    const next = others.slice(used, used + Math.max(0, place - arranged.length));
    arranged.push(...next, row);
    used += next.length;
  }
  return [...arranged, ...others.slice(used)];
}

/** A row that no longer belongs disappears after this time (ms), unless it is open. */
export const LEFT_MS = 10_000;

type Shown<Row> = {
  rows: readonly Row[];
  /** Ids in order; the same array while only values change. */
  ids: readonly string[];
  /** When rows stopped belonging, monotonic ms by id. */
  left: ReadonlyMap<string, number>;
};

type RowsInput<Row> = {
  rows: readonly Row[];
  rowId(row: Row): string;
  by: SortBy<Row> | null;
  openIds: ReadonlySet<string>;
  /** Monotonic ms. */
  now: number;
  /** Returns the newest state of a row that is no longer in `rows`. */
  lookup?: ((id: string) => Row | undefined) | undefined;
  /** True if such a row disappears immediately, unless it is open. */
  leavesAtOnce?: boolean | undefined;
};

const NOTHING_SHOWN: Shown<never> = { rows: [], ids: [], left: new Map() };

/** @param left when rows stopped belonging; entries without a shown row are dropped */
function shownAs<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  left: ReadonlyMap<string, number>,
): Shown<Row> {
  const ids = rows.map(rowId);
  const shownIds = new Set(left.size > 0 ? ids : []);
  return { rows, ids, left: new Map([...left].filter(([id]) => shownIds.has(id))) };
}

/** Puts new values at the old positions; rows that no longer belong stay and are marked. */
function inPlace<Row>(before: Shown<Row>, input: RowsInput<Row>): Shown<Row> {
  const current = new Map(input.rows.map((row) => [input.rowId(row), row]));
  const left = new Map<string, number>();
  const rows = before.rows.map((old, place) => {
    const id = before.ids[place] ?? '';
    const member = current.get(id);
    if (member !== undefined) return member;
    left.set(id, before.left.get(id) ?? input.now);
    return input.lookup?.(id) ?? old;
  });
  return { rows, ids: before.ids, left };
}

const rowsNear = <Row>({ ids, rows }: Shown<Row>, openIds: ReadonlySet<string>): [number, Row][] =>
  [...placesNear(ids, openIds)].flatMap((place): [number, Row][] => {
    const row = rows[place];
    return row === undefined ? [] : [[place, row]];
  });

/** When rows that no longer belong must disappear, monotonic ms. Open ones stay, because the user reads them. */
const leaveTimes = <Row>(
  { left }: Shown<Row>,
  { openIds, leavesAtOnce = false }: Pick<RowsInput<Row>, 'openIds' | 'leavesAtOnce'>,
): number[] =>
  [...left].filter(([id]) => !openIds.has(id)).map(([, at]) => (leavesAtOnce ? at : at + LEFT_MS));

/** When one of these rows is due, all of them disappear: one jump instead of many. */
function withoutExpired<Row>(shown: Shown<Row>, input: RowsInput<Row>): Shown<Row> {
  const { rowId, openIds } = input;
  if (!leaveTimes(shown, input).some((at) => at <= input.now)) return shown;
  const belongs = (row: Row) => !shown.left.has(rowId(row)) || openIds.has(rowId(row));
  const kept = new Map(rowsNear(shown, openIds).filter(([, row]) => belongs(row)));
  return shownAs(arrangeAround(kept, shown.rows.filter(belongs)), rowId, shown.left);
}

/**
 * Sorted rows, except those near open ones, which keep their positions for a while even if they no longer belong.
 * @returns whether those are out of order
 */
function inOrder<Row>(
  before: Shown<Row>,
  input: RowsInput<Row>,
  sort: SortRows<Row>,
): { shown: Shown<Row>; isNearOpenRow: boolean } {
  const { rowId, openIds } = input;
  const sorted = sort(input.rows, rowId, input.by);
  const now = openIds.size === 0 ? NOTHING_SHOWN : withoutExpired(inPlace(before, input), input);
  const kept = new Map(rowsNear(now, openIds));
  if (kept.size === 0) return { shown: shownAs(sorted, rowId, NOTHING_SHOWN.left), isNearOpenRow: false };
  const rows = arrangeAround(kept, sorted);
  const isNearOpenRow = rows.some((row, place) => row !== sorted[place]);
  return { shown: shownAs(rows, rowId, now.left), isNearOpenRow };
}

export type SortBy<Row> = { read(row: Row): CellValue; desc: boolean };

type Keyed<Row> = { key: CellValue; id: string; row: Row };

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = String(a);
  const right = String(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

const byId = <Row>(a: Keyed<Row>, b: Keyed<Row>): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const isMissing = (key: CellValue): boolean => key === null || (typeof key === 'number' && Number.isNaN(key));

/** The sort key of a row; null without a sort. */
export const keyOf = <Row>(row: Row, by: SortBy<Row> | null): CellValue => (by ? by.read(row) : null);

/**
 * Missing values are always last; ties are sorted by id, so that equal rows never swap.
 * @param desc largest key first
 */
export function compareKeyed<Row>(desc: boolean): (a: Keyed<Row>, b: Keyed<Row>) => number {
  const sign = desc ? -1 : 1;
  return (a, b) => {
    if (a.key === null || b.key === null || isMissing(a.key) || isMissing(b.key)) {
      return Number(isMissing(a.key)) - Number(isMissing(b.key)) || byId(a, b);
    }
    return sign * compareKeys(a.key, b.key) || byId(a, b);
  };
}

/** @returns a new array in the order of `compareKeyed` */
type SortRows<Row> = (rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null) => Row[];

/** Whether rows are in the order of `compareKeyed`. */
export function areSorted<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  by: SortBy<Row> | null,
): boolean {
  const keyed = rows.map((row): Keyed<Row> => ({ key: keyOf(row, by), id: rowId(row), row }));
  const compare = compareKeyed<Row>(by?.desc ?? false);
  return keyed.every((one, index) => {
    const before = keyed[index - 1];
    return before === undefined || compare(before, one) <= 0;
  });
}

type Entry<Row> = Keyed<Row> & {
  /** Number of the last sort that included the row. */
  seen: number;
  hasMoved: boolean;
};

type Order<Row> = { read: SortBy<Row>['read'] | null; desc: boolean; entries: readonly Entry<Row>[] };

/**
 * Sorts the same rows repeatedly but handles only changes: it reads no key of a row object that is the same, and
 * compares rows with an unchanged key only with their neighbours.
 */
export class KeptSort<Row> {
  readonly #byId = new Map<string, Entry<Row>>();
  #order: Order<Row> = { read: null, desc: false, entries: [] };
  #turn = 0;

  /** @param rows have unique ids; a changed row is another object @returns a new array */
  readonly sort = (rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null): Row[] => {
    const read = by?.read ?? null;
    const desc = by?.desc ?? false;
    if (read !== this.#order.read || desc !== this.#order.desc) this.#byId.clear();
    const before = this.#byId.size === 0 ? [] : this.#order.entries;
    const moved = this.#take(rows, rowId, by);
    const stayed = this.#stayed(before, moved);
    const compare = compareKeyed<Row>(desc);
    // The array is two sorted runs, which the engine's sort detects and merges.
    const entries = moved.length === 0 ? stayed : [...stayed, ...moved.sort(compare)].sort(compare);
    this.#order = { read, desc, entries };
    return entries.map(({ row }) => row);
  };

  /** Updates the rows. @returns the new rows */
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

  /** Earlier rows that are still in order. The others are added to `moved`, or dropped. */
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

/**
 * Minimum time between re-sorts, ms: a second minus the jitter of a tick. Otherwise an early tick would be drawn twice,
 * for its values and then for its order.
 */
export const RESORT_MS = 900;

/**
 * If rows come too early for a sort, they wait this long (ms) for the next tick: slightly more than a second. Another
 * timer would draw the table twice per tick.
 */
export const WAIT_MS = 1100;

/** Rows are not held for this time (ms) after the first rows or another epoch, because those arrive in parts. */
export const SETTLE_MS = 3000;

/** A table is replaced if there are more new rows than shown ones, or half of them are lost, but at least this many. */
const FEW_ROWS = 10;

export type OrderInput<Row> = RowsInput<Row> & {
  isHeld: boolean;
  /** Changes with the user's own action (sort, filter): a new value re-sorts immediately, even if held. */
  resetKey: string;
  /** Changes with the meaning of the rows (a market phase, a scan); nothing is held for a while then. */
  epoch: string;
};

const NONE: ReadonlySet<string> = new Set();

export type Paused = {
  /** Number of rows that belong but are not shown yet. */
  newRows: number;
  /** True if only rows near an open one are out of order. */
  isNearOpenRow: boolean;
};

export type Ordered<Row> = {
  rows: readonly Row[];
  ids: readonly string[];
  leftIds: ReadonlySet<string>;
  /** Null if nothing is delayed beyond the next re-sort. */
  paused: Paused | null;
  /** Ms until something is due without new rows; null if nothing is. */
  dueIn: number | null;
};

/** Whether so much changed that it is another table, which must not be held. */
function isOverturned<Row>({ ids }: Shown<Row>, { rows, rowId }: OrderInput<Row>): boolean {
  const shownIds = new Set(ids);
  const newRows = rows.filter((row) => !shownIds.has(rowId(row))).length;
  const left = ids.length - (rows.length - newRows);
  return (newRows >= FEW_ROWS && newRows > ids.length) || (left >= FEW_ROWS && left > ids.length / 2);
}

/**
 * @param shown with the input's values, and marked rows that no longer belong
 * @param before the previous result of the same hold: once reported, a pause lasts until the next re-sort
 */
function keptBack<Row>(
  { rows, left }: Shown<Row>,
  input: OrderInput<Row>,
  before: Paused | null,
): Paused | null {
  const { rowId, by } = input;
  const newRows = input.rows.length - (rows.length - left.size);
  const isBehind = () =>
    !areSorted(left.size === 0 ? rows : rows.filter((row) => !left.has(rowId(row))), rowId, by);
  return before || newRows > 0 || left.size > 0 || isBehind() ? { newRows, isNearOpenRow: false } : null;
}

/**
 * Keeps rows in place between re-sorts: values update immediately, positions at most once a second.
 * - While the user reads, no row moves, but rows that no longer belong disappear within 10 s, or when closed.
 * - Otherwise open rows and three rows on either side keep their positions; the others are sorted around them.
 * - Nothing is held for 3 s after the first rows or another epoch, nor when the user sorts, filters or resumes, nor
 * when most rows change.
 */
export class HeldOrder<Row> {
  readonly #kept = new KeptSort<Row>();
  #shown: Shown<Row> = NOTHING_SHOWN;
  #paused: Paused | null = null;
  #sortedAt = Number.NEGATIVE_INFINITY;
  #appliedAt = Number.NEGATIVE_INFINITY;
  #settledAt = Number.NEGATIVE_INFINITY;
  #sorted: OrderInput<Row> | null = null;
  #appliedRows: readonly Row[] | null = null;
  #isResumed = false;
  #last: Ordered<Row> = { rows: [], ids: [], leftIds: NONE, paused: null, dueIn: null };

  /** The rows to show (the same array while unchanged), and when to call this again. */
  next(input: OrderInput<Row>): Ordered<Row> {
    const { now, rows, resetKey, epoch, openIds } = input;
    const sorted = this.#sorted;
    const isFirst = this.#shown.ids.length === 0;
    const isNewEpoch = sorted?.epoch !== epoch;
    if (isFirst || isNewEpoch) this.#settledAt = now + SETTLE_MS;
    const isHeld = input.isHeld && now >= this.#settledAt;
    const isNew = sorted?.rows !== rows || sorted.openIds !== openIds;
    const isReset = isNewEpoch || sorted?.resetKey !== resetKey || this.#isResumed;
    const isSortable = now - this.#sortedAt >= RESORT_MS;
    if (isReset || (isNew && (isFirst || (!isHeld && isSortable) || isOverturned(this.#shown, input)))) {
      this.#sort(input, isReset);
      return this.#answer(input, false);
    }
    this.#keep(input);
    if (isHeld && isNew && isSortable) this.#paused = keptBack(this.#shown, input, this.#paused);
    return this.#answer(input, isNew && !isHeld);
  }

  last(): Ordered<Row> {
    return this.#last;
  }

  /** At the next call every row moves to its position, even if held or open. */
  resume(): void {
    this.#isResumed = true;
  }

  #sort(input: OrderInput<Row>, isWhole: boolean): void {
    const next = inOrder(this.#shown, isWhole ? { ...input, openIds: NONE } : input, this.#kept.sort);
    this.#shown = next.shown;
    this.#paused = next.isNearOpenRow ? { newRows: 0, isNearOpenRow: true } : null;
    this.#sortedAt = input.now;
    this.#sorted = input;
    this.#appliedRows = input.rows;
    this.#isResumed = false;
  }

  /** Puts new values at the old positions and removes rows that stopped belonging long ago. */
  #keep(input: OrderInput<Row>): void {
    if (input.rows !== this.#appliedRows) {
      this.#shown = inPlace(this.#shown, input);
      this.#appliedRows = input.rows;
      this.#appliedAt = input.now;
    }
    this.#shown = withoutExpired(this.#shown, input);
  }

  #answer(input: OrderInput<Row>, waits: boolean): Ordered<Row> {
    const { rows, ids, left } = this.#shown;
    const due = [
      ...(waits ? [Math.max(this.#sortedAt + RESORT_MS, this.#appliedAt + WAIT_MS)] : []),
      ...leaveTimes(this.#shown, input),
    ];
    const dueIn = due.length === 0 ? null : Math.max(0, Math.min(...due) - input.now);
    const leftIds = left.size === 0 ? NONE : new Set(left.keys());
    this.#last = { rows, ids, leftIds, paused: this.#paused, dueIn };
    return this.#last;
  }
}
