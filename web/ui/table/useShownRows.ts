import {
  constructRow,
  functionalUpdate,
  type RowModel,
  type Table,
  tableFeatures,
} from '@tanstack/react-table';
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { type ColumnLayout, layoutColumns, shareWidth } from './columnLayout.ts';
import { HeldOrder, type Ordered, type Paused } from './heldOrder.ts';
import {
  columnDef,
  type Features,
  giveOptions,
  type ModelRow,
  TABLE_FEATURES,
  useModel,
  type LiveRows,
  type OpenRows,
  type SortState,
  type TableColumn,
} from './tableModel.ts';
import { useOpenRows } from './useOpenRows.ts';

type Hold<Row> = {
  isHeld: boolean;
  openIds: ReadonlySet<string>;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  leavesAtOnce?: boolean | undefined;
};

type Model<Row extends object> = RowModel<Features, Row>;
type RowOf<Row extends object> = (data: Row) => ModelRow<Row>;

/** Model rows that are created on demand, because ticks draw directly from the data. */
class LateRows<Row extends object> implements Model<Row> {
  #rows: ModelRow<Row>[] | null = null;

  constructor(
    private readonly data: readonly Row[],
    private readonly rowOf: RowOf<Row>,
  ) {}

  get rows(): ModelRow<Row>[] {
    return (this.#rows ??= this.data.map(this.rowOf));
  }

  get flatRows(): ModelRow<Row>[] {
    return this.rows;
  }

  get rowsById(): Record<string, ModelRow<Row>> {
    return Object.fromEntries(this.rows.map((row) => [row.id, row]));
  }
}

const NOTHING_HELD: Hold<never> = { isHeld: false, openIds: new Set(), resetKey: '', epoch: '' };

/**
 * The row models of a live table: `core` as delivered, `sorted` in the held order (see `HeldOrder`). A row stays the
 * same object while its data does.
 */
class HeldRows<Row extends object> {
  hold: Hold<Row> = NOTHING_HELD;
  readonly #order = new HeldOrder<Row>();
  readonly #rows = new WeakMap<Row, ModelRow<Row>>();

  readonly core = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => table.options.data);

  readonly sorted = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => this.#inOrder(table).rows);

  last(): Ordered<Row> {
    return this.#order.last();
  }

  next(table: Table<Features, Row>): Ordered<Row> {
    table.getRowModel();
    return this.last();
  }

  /** At the next ordering every row moves to its position, even if held or open. */
  resume(): void {
    this.#order.resume();
  }

  #modelOf(table: Table<Features, Row>, dataNow: () => readonly Row[]): () => Model<Row> {
    const rowOf = (data: Row): ModelRow<Row> => {
      const row = this.#rows.get(data) ?? constructRow(table, table.getRowId(data, 0), data, 0, 0);
      this.#rows.set(data, row);
      return row;
    };
    let data: readonly Row[] = [];
    let model = new LateRows(data, rowOf);
    return () => {
      const now = dataNow();
      if (now !== data) model = new LateRows(now, rowOf);
      data = now;
      return model;
    };
  }

  #inOrder(table: Table<Features, Row>): Ordered<Row> {
    const { resetKey, ...hold } = this.hold;
    const [sort] = table.atoms.sorting.get();
    const column = sort && table.getAllLeafColumnsById()[sort.id]?.columnDef.meta?.column;
    return this.#order.next({
      ...hold,
      rows: table.options.data,
      rowId: (data) => table.getRowId(data, 0),
      by: sort && column ? { read: column.read, desc: sort.desc } : null,
      resetKey: `${resetKey}|${sort?.id}|${sort?.desc}`,
      now: performance.now(),
    });
  }
}

type TableModelInput<Row extends object> = {
  columns: readonly TableColumn<Row>[];
  data: readonly Row[];
  rowId(row: Row): string;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** Width of the expander buttons, px; null if rows do not open. */
  expanderWidth: number | null;
  width: number;
};

/** Columns with order, widths and sort, and rows in the held order. */
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

/** Pinned columns first. The library's own pinning would add 2 KB to every first load. */
const pinnedFirst = <Row extends object>(columns: readonly TableColumn<Row>[]): TableColumn<Row>[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
];

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

/** Draws rows into existing lines without a render; returns false if that is not possible. */
type DrawInPlace<Row extends object> = (ordered: Ordered<Row>) => boolean;

/** Whether React's output does not depend on which rows these are. */
const isPlain = ({ leftIds, paused }: Ordered<unknown>): boolean => leftIds.size === 0 && paused === null;

/** Renders again when a change of the order is due. */
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

/** Renders together with signal changes, because React would delay its own state. */
function useRenderAgain(): () => void {
  const [renders] = useState(() => {
    let count = 0;
    let notify: (() => void) | null = null;
    return {
      count: () => count,
      subscribe: (listener: () => void) => {
        notify = listener;
        return () => {
          notify = null;
        };
      },
      again: () => {
        count += 1;
        notify?.();
      },
    };
  });
  useSyncExternalStore(renders.subscribe, renders.count);
  return renders.again;
}

/** Calls back after this many ms, replacing an earlier request; null cancels it. */
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

type ShownRowsInput<Row extends object> = {
  rows: readonly Row[] | LiveRows<Row>;
  rowId(row: Row): string;
  columns: readonly TableColumn<Row>[];
  /** Width of the expander buttons, px; null if rows do not open. */
  expanderWidth: number | null;
  width: number;
  sort: SortState | null;
  onSort(sort: SortState): void;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  /** True if a row that no longer belongs is not held, unless it is open. */
  leavesAtOnce?: boolean | undefined;
  isReading: boolean;
  openRows?: OpenRows | undefined;
};

export type ShownRows<Row extends object> = {
  layout: ColumnLayout<Row>;
  rows: readonly Row[];
  ids: readonly string[];
  leftIds: ReadonlySet<string>;
  openIds: ReadonlySet<string>;
  /** Ids of open rows, including those of other tables. */
  allOpen: ReadonlySet<string>;
  toggle(id: string): void;
  isHeld: boolean;
  paused: Paused | null;
  resume(): void;
  /** The newest rows: those of a signal may have been drawn without a render. */
  newest(): Pick<Ordered<Row>, 'rows' | 'ids'>;
  /** Draws rows without a render; null while that is not possible. */
  drawer: RefObject<DrawInPlace<Row> | null>;
};

/** Rows in the held order, and which of them are open. */
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
