import type { CellValue } from './types.ts';

/** This many rows above and below an open one stay where they are with it. */
export const NEAR_ROWS = 3;

/**
 * The places that keep their rows while rows are open: of each open row, and of those next to it. A row that keeps its
 * place does not move on the screen: rows are of one height, and the panels above it keep their places too.
 * @param ids of the rows as they stand
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
 * Puts rows around those that keep their places, in their own order. With too few of them the kept rows move up.
 * @param kept by place, from 0, in ascending order
 * @param rows the kept ones may be among them, as the identical objects
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

/** A row that no longer belongs goes after this time at the latest, held or not, unless it is open. */
export const LEFT_MS = 10_000;

/** The rows that a table shows, from the top. */
type Shown<Row> = {
  rows: readonly Row[];
  /** Of those rows, in their order; the same array while only values change. */
  ids: readonly string[];
  /** When those that no longer belong left, monotonic ms by id. */
  left: ReadonlyMap<string, number>;
};

type RowsInput<Row> = {
  rows: readonly Row[];
  rowId(row: Row): string;
  by: SortBy<Row> | null;
  /** Around these the order is kept. */
  openIds: ReadonlySet<string>;
  /** Monotonic ms. */
  now: number;
  /** The newest state of a row that has left `rows`. */
  lookup?: ((id: string) => Row | undefined) | undefined;
  /** Such a row goes at once, unless it is open. */
  leavesAtOnce?: boolean | undefined;
};

const NOTHING_SHOWN: Shown<never> = { rows: [], ids: [], left: new Map() };

/** @param left when which row left; those that are not shown are dropped from it */
function shownAs<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  left: ReadonlyMap<string, number>,
): Shown<Row> {
  const ids = rows.map(rowId);
  const shownIds = new Set(left.size > 0 ? ids : []);
  return { rows, ids, left: new Map([...left].filter(([id]) => shownIds.has(id))) };
}

/** New values in old places; what no longer belongs stays where it is, marked. */
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

/** The rows near open ones, by the places that they keep. */
const rowsNear = <Row>({ ids, rows }: Shown<Row>, openIds: ReadonlySet<string>): [number, Row][] =>
  [...placesNear(ids, openIds)].flatMap((place): [number, Row][] => {
    const row = rows[place];
    return row === undefined ? [] : [[place, row]];
  });

/** When each row that left is to go, monotonic ms; those that are open stay as long as they are: they are being read. */
const leaveTimes = <Row>(
  { left }: Shown<Row>,
  { openIds, leavesAtOnce = false }: Pick<RowsInput<Row>, 'openIds' | 'leavesAtOnce'>,
): number[] =>
  [...left].filter(([id]) => !openIds.has(id)).map(([, at]) => (leavesAtOnce ? at : at + LEFT_MS));

/** When a row left too long ago, those that left go, all at once: one jump instead of one for each. */
function withoutExpired<Row>(shown: Shown<Row>, input: RowsInput<Row>): Shown<Row> {
  const { rowId, openIds } = input;
  if (!leaveTimes(shown, input).some((at) => at <= input.now)) return shown;
  const belongs = (row: Row) => !shown.left.has(rowId(row)) || openIds.has(rowId(row));
  const kept = new Map(rowsNear(shown, openIds).filter(([, row]) => belongs(row)));
  return shownAs(arrangeAround(kept, shown.rows.filter(belongs)), rowId, shown.left);
}

/**
 * The rows as they are sorted, but for those near open ones, which keep their places, also, for a while, when they no
 * longer belong.
 * @returns whether those stand elsewhere than they would
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

/** What a row is sorted by; null where nothing is. */
export const keyOf = <Row>(row: Row, by: SortBy<Row> | null): CellValue => (by ? by.read(row) : null);

/**
 * Missing values come last whichever way it is sorted; ties go by id, ascending, so that equal rows never swap.
 * @param desc the greatest key first
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

/** @returns a new array, in the order of `compareKeyed` */
type SortRows<Row> = (rows: readonly Row[], rowId: (row: Row) => string, by: SortBy<Row> | null) => Row[];

/** Whether rows stand in the order of `compareKeyed`. */
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

/**
 * At most one re-sort in this time: a second, less what a tick of one a second may come early. Otherwise such a tick
 * would be drawn twice, once for its values and a moment later for its order.
 */
export const RESORT_MS = 900;

/**
 * Rows that came too early to be sorted wait this long for the next tick to carry them: a little more than a second.
 * A timer of its own would draw the table twice a tick until ticks and re-sorts happened to fall together.
 */
export const WAIT_MS = 1100;

/** Nothing holds for so long after the first rows, and after another epoch: what belongs to it comes bit by bit. */
export const SETTLE_MS = 3000;

/** A table is overturned by more rows than it shows, or by the going of half of them, but not by fewer than these. */
const FEW_ROWS = 10;

export type OrderInput<Row> = RowsInput<Row> & {
  /** Somebody is reading: keep the order. */
  isHeld: boolean;
  /** Anything of the user's own doing (sort, filter); a new one re-sorts at once, held or not. */
  resetKey: string;
  /** What the rows are of as a whole (a phase of the market, a scan); a new one re-sorts, and holds nothing for a while. */
  epoch: string;
};

const NONE: ReadonlySet<string> = new Set();

/** What a hold keeps back. */
export type Paused = {
  /** How many rows belong and are not shown yet. */
  newRows: number;
  /** Only the rows near an open one are out of their order. */
  isNearOpenRow: boolean;
};

export type Ordered<Row> = {
  rows: readonly Row[];
  /** Of those rows, in their order. */
  ids: readonly string[];
  /** Ids of rows that are still shown but no longer belong. */
  leftIds: ReadonlySet<string>;
  /** Null while everything stands where it belongs, but for what the next re-sort within a second sets right. */
  paused: Paused | null;
  /** ms until something is to be done without new rows; null when nothing is. */
  dueIn: number | null;
};

/** Whether so much came or went that it is another table, which no hold may hide. */
function isOverturned<Row>({ ids }: Shown<Row>, { rows, rowId }: OrderInput<Row>): boolean {
  const shownIds = new Set(ids);
  const newRows = rows.filter((row) => !shownIds.has(rowId(row))).length;
  const left = ids.length - (rows.length - newRows);
  return (newRows >= FEW_ROWS && newRows > ids.length) || (left >= FEW_ROWS && left > ids.length / 2);
}

/**
 * @param shown with the values of the input, and what left marked
 * @param before what the same hold kept back a moment ago: once said, a pause lasts until the next re-sort
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
 * Keeps rows where they are between re-sorts: values move at once, positions at most once a second.
 *
 * - While somebody reads, no row changes its place, but rows that left go within 10 s, an open one when it is closed.
 * - Otherwise, while rows are open, each of them and the three rows on either side keep their places; all others are
 *   sorted around these.
 * - Nothing holds when the rows first come and for 3 s after, nor after another epoch; nor when the user sorts, filters
 *   or resumes; nor when the table is overturned.
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

  /** The rows to show now (the same array while nothing changed), and when to ask again. */
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

  /** What was answered last. */
  last(): Ordered<Row> {
    return this.#last;
  }

  /** Lets everything go where it belongs when it is next asked, held or not, open or not. */
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

  /** New values in old places, without what left long ago. */
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
