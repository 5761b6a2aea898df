import { createKeptSort } from './keptSort.ts';
import type { SortBy } from './sortRows.ts';

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

export type OrderInput<Row> = {
  rows: readonly Row[];
  rowId(row: Row): string;
  by: SortBy<Row> | null;
  /** Somebody is reading: keep the order. */
  isHeld: boolean;
  /** Anything of the user's own doing (sort, filter); a new one re-sorts at once, held or not. */
  resetKey: string;
  /** Monotonic ms. */
  now: number;
  /** The newest state of a row that has left `rows` while the order is kept. */
  lookup?: ((id: string) => Row | undefined) | undefined;
};

export type Ordered<Row> = {
  rows: readonly Row[];
  /** Of those rows, in their order. */
  ids: readonly string[];
  /** Ids of rows that are still shown but no longer belong. */
  leftIds: ReadonlySet<string>;
  /** ms until the next re-sort is due; null when nothing waits for one. */
  dueIn: number | null;
};

const NONE: ReadonlySet<string> = new Set();

/**
 * Keeps rows where they are between re-sorts: values move at once, positions at most once a second, and not at all
 * while it is held. Rows that came or went meanwhile appear or vanish at the next re-sort.
 */
export function createHeldOrder<Row>() {
  const kept = createKeptSort<Row>();
  let shown: readonly Row[] = [];
  let ids: readonly string[] = [];
  let leftIds = NONE;
  let sortedAt = Number.NEGATIVE_INFINITY;
  let appliedAt = Number.NEGATIVE_INFINITY;
  let resetKey: string | null = null;
  let sortedInput: readonly Row[] | null = null;
  let appliedInput: readonly Row[] | null = null;

  const resort = (input: OrderInput<Row>): void => {
    shown = kept.sort(input.rows, input.rowId, input.by);
    ids = shown.map(input.rowId);
    leftIds = NONE;
    sortedAt = input.now;
    resetKey = input.resetKey;
    sortedInput = input.rows;
    appliedInput = input.rows;
  };

  /** New values in old places. */
  const apply = (input: OrderInput<Row>): void => {
    const current = new Map(input.rows.map((row) => [input.rowId(row), row]));
    const gone = new Set<string>();
    shown = ids.flatMap((id, index) => {
      const member = current.get(id);
      if (member !== undefined) return [member];
      gone.add(id);
      const row = input.lookup?.(id) ?? shown[index];
      return row === undefined ? [] : [row];
    });
    if (shown.length < ids.length) ids = shown.map(input.rowId);
    leftIds = gone;
    appliedInput = input.rows;
    appliedAt = input.now;
  };

  return {
    /** The rows to show now (the same array while nothing changed), and when to ask again. */
    next(input: OrderInput<Row>): Ordered<Row> {
      const isDue = !input.isHeld && input.now - sortedAt >= RESORT_MS;
      const isNew = input.rows !== sortedInput;
      if (ids.length === 0 || input.resetKey !== resetKey || (isNew && isDue)) {
        if (isNew || input.resetKey !== resetKey) resort(input);
        return { rows: shown, ids, leftIds, dueIn: null };
      }
      if (input.rows !== appliedInput) apply(input);
      const waits = isNew && !input.isHeld;
      const due = Math.max(sortedAt + RESORT_MS, appliedAt + WAIT_MS);
      return { rows: shown, ids, leftIds, dueIn: waits ? Math.max(0, due - input.now) : null };
    },
  };
}
