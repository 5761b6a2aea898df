import { type ReactNode, useState } from 'react';
import type { Direction } from '../Trend.tsx';
import type { RowItem } from './rowItems.ts';
import { batch, computed, type ReadonlySignal, signal, untracked } from '@preact/signals-react';
import {
  type CellData,
  type Column,
  type ColumnDef,
  columnSizingFeature,
  constructTable,
  functionalUpdate,
  type Row as AnyRow,
  type RowData,
  rowSortingFeature,
  type Table,
  type TableFeatures,
  tableFeatures,
  type TableOptions,
} from '@tanstack/react-table';
import { table_setOptions } from '@tanstack/react-table/static-functions';

export type CellValue = number | string | null;

export type CellTone = Direction | null;

/** A column as data. Create it once, not in a render. */
export type TableColumn<Row> = {
  id: string;
  label: string;
  title?: string;
  numeric: boolean;
  /** Minimum and maximum width, px. */
  width: number;
  maxWidth: number;
  read(row: Row): CellValue;
  /** False for a column of buttons, whose heading is only for screen readers. */
  isSortable?: false;
  /** Whether a visible change of a number flashes; default true. */
  flashes?: boolean | undefined;
  /** True if long texts are truncated with an ellipsis. */
  isLong?: boolean | undefined;
  /** The cell's text, unless the column renders or draws it. */
  text(row: Row): string;
  tone?: ((row: Row) => CellTone) | undefined;
  /**
   * A cell with more than text, written without React: gets an empty cell, or its own earlier one, and returns a
   * function that writes a row.
   */
  draw?: ((cell: Element) => (row: Row, inTabOrder: boolean) => void) | undefined;
  /** A cell that React renders instead of `text` and `draw`; with `inTabOrder`, Tab reaches its links and buttons. */
  render?: ((row: Row, inTabOrder: boolean) => ReactNode) | undefined;
  /** True if the column precedes unpinned ones and stays visible when the table scrolls sideways. */
  pinned?: boolean | undefined;
  isRowHeader?: boolean | undefined;
  /** True if `read` returns epoch ms; an export then contains a time. */
  isTime?: boolean | undefined;
  /** Columns to export instead of this one. */
  exported?: readonly ExportedColumn<Row>[] | undefined;
};

export type ExportedColumn<Row> = { label: string; value(row: Row): CellValue };

/** Rows that change without rendering their owner; the table itself draws them. */
export type LiveRows<Row> = ReadonlySignal<readonly Row[]>;

export type SortState = { id: string; desc: boolean };

/** One object per column for all rows, so that no code compares it twice. */
export type CellStyle = { width: number; left?: number; boxShadow?: string };

export type ShownColumn<Row extends object> = {
  column: TableColumn<Row>;
  model: ModelColumn<Row>;
  style: CellStyle;
};

/** A rendered line, with its row or the row of its panel. */
export type DrawnLine<Row> = {
  item: RowItem;
  line: number;
  start: number;
  row: Row;
};

/** A request for a row. Each object is a separate request, even for the same row. */
export type RowRequest = { readonly id: string };

export type OpenRows = { open: ReadonlySet<string>; toggle(id: string): void };

export type RowDetail<Row> = {
  /** The heading of the expander column, for screen readers. */
  heading: string;
  /** Whether a click on a row opens it; otherwise only a tap on a phone does. */
  opensByClick?: boolean;
  /** The name of a row's expander. */
  label(row: Row): string;
  render(row: Row): ReactNode;
};

export type RowMenuRequest = {
  id: string;
  line: HTMLElement;
  /** The pointer's position in the window, px; null for a key. */
  at: { x: number; y: number } | null;
};

declare module '@tanstack/react-table' {
  // Must repeat the library's names and variances.
  interface ColumnMeta<
    in out TFeatures extends TableFeatures,
    in out TData extends RowData,
    TValue extends CellData = CellData,
  > {
    column: TableColumn<TData>;
  }
}

/** The features of TanStack Table that are used, because every first page loads them. */
export const TABLE_FEATURES = tableFeatures({
  columnSizingFeature,
  rowSortingFeature,
});

export type Features = typeof TABLE_FEATURES;
/** A row of the model; its data is `original`. */
export type ModelRow<Row extends object> = AnyRow<Features, Row>;
export type ModelColumn<Row extends object> = Column<Features, Row>;

export const columnDef = <Row extends object>(column: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: column.id,
  header: column.label,
  accessorFn: (row) => column.read(row),
  minSize: column.width,
  size: column.width,
  maxSize: Math.max(column.width, column.maxWidth),
  enableSorting: column.isSortable !== false,
  // Numbers start with the largest, texts with A.
  sortDescFirst: column.numeric,
  meta: { column },
});

type Reactivity = NonNullable<TableFeatures['coreReactivityFeature']>;

type Observer<T> = ((value: T) => void) | { next?: (value: T) => void };

const subscribeTo =
  <T>(source: ReadonlySignal<T>) =>
  (observer: Observer<T>) => ({
    unsubscribe: source.subscribe((value) =>
      typeof observer === 'function' ? observer(value) : observer.next?.(value),
    ),
  });

function unsupported(): never {
  throw new Error('Tables take their options with each render.');
}

/**
 * Keeps the table's state in signals, like all state of the pages. The library's React store would add 2.6 KB to the
 * first load.
 */
const TABLE_SIGNALS: Reactivity = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: unsupported,
  batch,
  untrack: untracked,
  schedule: queueMicrotask,
  createWritableAtom<T>(first: T) {
    const state = signal(first);
    return {
      get: () => state.value,
      set: (change: T | ((before: T) => T)) => {
        state.value = functionalUpdate(change, state.peek());
      },
      subscribe: subscribeTo(state),
    };
  },
  // Read on demand, because inputs may be options, which are not signals.
  createReadonlyAtom: <T>(read: () => T) => ({ get: read, subscribe: subscribeTo(computed(read)) }),
};

export const createModel = <Features extends TableFeatures, Row extends RowData>(
  options: TableOptions<Features, Row>,
): Table<Features, Row> =>
  constructTable({ ...options, features: { coreReactivityFeature: TABLE_SIGNALS, ...options.features } });

/** The same table object on each render, with the current options. */
export function useModel<Features extends TableFeatures, Row extends RowData>(
  options: TableOptions<Features, Row>,
): Table<Features, Row> {
  const [table] = useState(() => createModel(options));
  giveOptions(table, options);
  return table;
}

export function giveOptions<Features extends TableFeatures, Row extends RowData>(
  table: Table<Features, Row>,
  options: Partial<TableOptions<Features, Row>>,
): void {
  table_setOptions(table, (before) => ({ ...before, ...options }), { syncExternalState: false });
}
