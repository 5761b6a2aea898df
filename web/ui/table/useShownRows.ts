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
} from './tableModel.ts';
import type { LiveRows, OpenRows, SortState, TableColumn } from './types.ts';
import { useOpenRows } from './useOpenRows.ts';

/** What decides on the order besides the rows and the sort, which the table knows. */
type Hold<Row> = {
  /** Somebody is reading: keep the order. */
  isHeld: boolean;
  openIds: ReadonlySet<string>;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  leavesAtOnce?: boolean | undefined;
};

type Model<Row extends object> = RowModel<Features, Row>;
type RowOf<Row extends object> = (data: Row) => ModelRow<Row>;

/** Rows of a model, made when somebody asks for them: what is drawn with each tick is drawn of their data. */
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
 * The row models of a live table: `core` has its data as they came, `sorted` in an order that stands still while
 * somebody uses the rows (`HeldOrder` has the rule). A row stays the same object while its data does.
 */
class HeldRows<Row extends object> {
  /** Taken into account whenever the rows are put in order. */
  hold: Hold<Row> = NOTHING_HELD;
  readonly #order = new HeldOrder<Row>();
  readonly #rows = new WeakMap<Row, ModelRow<Row>>();

  readonly core = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => table.options.data);

  readonly sorted = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => this.#inOrder(table).rows);

  /** What the order was when it was last asked for. */
  last(): Ordered<Row> {
    return this.#order.last();
  }

  /** The order of the table's rows as they are now. */
  next(table: Table<Features, Row>): Ordered<Row> {
    table.getRowModel();
    return this.last();
  }

  /** Lets everything go where it belongs when the rows are next put in order, held or not, open or not. */
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

type ShownRowsInput<Row extends object> = {
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
