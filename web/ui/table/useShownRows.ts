import {
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { type ColumnLayout, layoutColumns, shareWidth } from './columnLayout.ts';
import type { Ordered, Paused } from './heldOrder.ts';
import { type Hold, HeldRows } from './heldRows.ts';
import type { LiveRows, OpenRows, SortState, TableColumn } from './types.ts';
import { useOpenRows } from './useOpenRows.ts';
import { giveOptions, useModel } from './useModel.ts';
import { functionalUpdate, tableFeatures } from '@tanstack/react-table';
import { columnDef, TABLE_FEATURES, type Features } from './tableModel.ts';

type TableModelInput<Row extends object> = {
  columns: readonly TableColumn<Row>[];
  data: readonly Row[];
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Of the buttons that open rows, px; null when rows don't open. */
  expanderWidth: number | null;
  /** Of what is in sight, px. */
  width: number;
};

/** A table's model: its columns with their order, widths and sort, and its rows in the order that holds still. */
function useTableModel<Row extends object>(input: TableModelInput<Row>) {
  const { columns, sort, expanderWidth, width } = input;
  const available = width - (expanderWidth ?? 0);
  const [{ held, features }] = useState(heldModel<Row>);
  const defs = useMemo(() => pinnedFirst(columns).map(columnDef), [columns]);
  const columnSizing = useMemo(() => sharedWidths(columns, available), [columns, available]);
  const sorting = sort ? [sort] : [];
  const table = useModel<Features, Row>({
    features,
    columns: defs,
    data: input.data,
    getRowId: input.rowId,
    state: { columnSizing, sorting },
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, sorting);
      if (next) input.onSort(next);
    },
  });
  const drawn = table.getAllLeafColumns();
  const layout = useMemo(() => layoutColumns(drawn, expanderWidth, width), [drawn, expanderWidth, width]);
  return { table, held, layout };
}

/** The order in which columns are drawn: the library's own pinning is 2 KB of every first load, for this. */
const pinnedFirst = <Row extends object>(columns: readonly TableColumn<Row>[]): TableColumn<Row>[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
];

/** Rows whose order holds still, and the features of a table that shows them. */
function heldModel<Row extends object>() {
  const held = new HeldRows<Row>();
  const features: Features = tableFeatures({
    ...TABLE_FEATURES,
    coreRowModel: held.core,
    sortedRowModel: held.sorted,
  });
  return { held, features };
}

const sharedWidths = (columns: readonly TableColumn<never>[], available: number): Record<string, number> => {
  const widths = shareWidth(columns, available);
  return Object.fromEntries(columns.map(({ id }, index) => [id, widths[index] ?? 0]));
};

/** Draws rows in the lines that are there, without a render; false where it can't. */
type DrawInPlace<Row extends object> = (ordered: Ordered<Row>) => boolean;

/** Nothing that React writes hangs on which rows these are. */
const isPlain = ({ leftIds, paused }: Ordered<unknown>): boolean => leftIds.size === 0 && paused === null;

/** The rows of a table's model as its order has them now; renders again when something of it is due. */
function useHeldRows<Row extends object>(
  { table, held }: Pick<ReturnType<typeof useTableModel<Row>>, 'table' | 'held'>,
  hold: Hold<Row>,
) {
  const renderAgain = useRenderAgain();
  held.hold = hold;
  const ordered = held.next(table);
  const wake = useWakeUp(renderAgain);
  useEffect(() => wake(ordered.dueIn), [wake, ordered]);
  const take = useCallback(
    (data: readonly Row[], draw: DrawInPlace<Row> | null) => {
      if (data === table.options.data) return;
      const before = held.last();
      giveOptions(table, { data });
      const next = held.next(table);
      const isAlike = isPlain(before) && isPlain(next) && before.ids.length === next.ids.length;
      if (isAlike && draw?.(next)) wake(next.dueIn);
      else renderAgain();
    },
    [table, held, wake, renderAgain],
  );
  const resume = useCallback(() => {
    held.resume();
    renderAgain();
  }, [held, renderAgain]);
  return { ordered, resume, take };
}

/** Lets the component render again, in one go with what signals have changed: React would let a state of its own wait. */
function useRenderAgain(): () => void {
  const [renders] = useState(() => {
    let count = 0;
    let tell: (() => void) | null = null;
    return {
      count: () => count,
      subscribe: (listener: () => void) => {
        tell = listener;
        return () => {
          tell = null;
        };
      },
      again: () => {
        count += 1;
        tell?.();
      },
    };
  });
  useSyncExternalStore(renders.subscribe, renders.count);
  return renders.again;
}

/** Calls back after this many ms, instead of what was asked for before; null for not at all. */
function useWakeUp(run: () => void): (dueIn: number | null) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (dueIn) => {
      clearTimeout(timer.current);
      if (dueIn !== null) timer.current = setTimeout(run, dueIn);
    },
    [run],
  );
}

export type ShownRowsInput<Row extends object> = {
  rows: readonly Row[] | LiveRows<Row>;
  rowId(row: Row): string;
  columns: readonly TableColumn<Row>[];
  /** Of the buttons that open rows, px; null when rows don't open. */
  expanderWidth: number | null;
  /** Of what is in sight, px. */
  width: number;
  sort: SortState | null;
  onSort(sort: SortState): void;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  /** A row that no longer belongs is not held, unless it is open. */
  leavesAtOnce?: boolean | undefined;
  /** Somebody is reading: the order is held. */
  isReading: boolean;
  openRows?: OpenRows | undefined;
};

export type ShownRows<Row extends object> = {
  layout: ColumnLayout<Row>;
  rows: readonly Row[];
  /** Of those rows, in their order. */
  ids: readonly string[];
  /** Ids of rows that are still shown but no longer belong. */
  leftIds: ReadonlySet<string>;
  openIds: ReadonlySet<string>;
  /** The same with the ids of open rows that this table does not have. */
  allOpen: ReadonlySet<string>;
  /** Opens or closes a row. */
  toggle(id: string): void;
  /** Whether there are rows whose order is held. */
  isHeld: boolean;
  /** What that keeps back; null when it is nothing. */
  paused: Paused | null;
  /** Lets everything go where it belongs at once. */
  resume(): void;
  /** The newest rows: those of a signal may be drawn without a render. */
  newest(): Pick<Ordered<Row>, 'rows' | 'ids'>;
  /** What draws them; null while only a render can. */
  drawer: RefObject<DrawInPlace<Row> | null>;
};

/** The rows in their order, which is held while somebody reads and near open rows, and which of them are open. */
export function useShownRows<Row extends object>(input: ShownRowsInput<Row>): ShownRows<Row> {
  const { rows: source, isReading, resetKey, epoch, lookup, leavesAtOnce } = input;
  const { open, toggle } = useOpenRows(input.openRows);
  const model = useTableModel<Row>({ ...input, data: 'peek' in source ? source.peek() : source });
  const { held, layout } = model;
  const { ordered, resume, take } = useHeldRows(model, {
    isHeld: isReading,
    openIds: open,
    resetKey,
    epoch,
    lookup,
    leavesAtOnce,
  });
  const { rows, ids, leftIds, paused } = ordered;
  const drawer = useRef<DrawInPlace<Row> | null>(null);
  useLayoutEffect(() => {
    if ('peek' in source) return source.subscribe((now) => take(now, drawer.current));
  }, [source, take]);
  const openIds = useMemo(
    () => (open.size === 0 ? open : new Set(ids.filter((id) => open.has(id)))),
    [ids, open],
  );
  const isHeld = rows.length > 0 && (isReading || openIds.size > 0);
  const newest = useCallback(() => held.last(), [held]);
  return {
    layout,
    rows,
    ids,
    leftIds,
    openIds,
    allOpen: open,
    toggle,
    isHeld,
    paused,
    resume,
    newest,
    drawer,
  };
}
