import type { SortBy, SortRows } from './sortRows.ts';

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
export type Shown<Row> = {
  rows: readonly Row[];
  /** Of those rows, in their order; the same array while only values change. */
  ids: readonly string[];
  /** When those that no longer belong left, monotonic ms by id. */
  left: ReadonlyMap<string, number>;
};

export type RowsInput<Row> = {
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

export const NOTHING_SHOWN: Shown<never> = { rows: [], ids: [], left: new Map() };

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
export function inPlace<Row>(before: Shown<Row>, input: RowsInput<Row>): Shown<Row> {
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
export const leaveTimes = <Row>(
  { left }: Shown<Row>,
  { openIds, leavesAtOnce = false }: Pick<RowsInput<Row>, 'openIds' | 'leavesAtOnce'>,
): number[] =>
  [...left].filter(([id]) => !openIds.has(id)).map(([, at]) => (leavesAtOnce ? at : at + LEFT_MS));

/** When a row left too long ago, those that left go, all at once: one jump instead of one for each. */
export function withoutExpired<Row>(shown: Shown<Row>, input: RowsInput<Row>): Shown<Row> {
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
export function inOrder<Row>(
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
