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
import { useState } from 'react';
import type { TableColumn } from './types.ts';

declare module '@tanstack/react-table' {
  // The names and variances of the library's own declaration.
  interface ColumnMeta<
    in out TFeatures extends TableFeatures,
    in out TData extends RowData,
    TValue extends CellData = CellData,
  > {
    column: TableColumn<TData>;
  }
}

/** What the tables use of TanStack Table: every table pays for it on the first page. */
export const TABLE_FEATURES = tableFeatures({
  columnSizingFeature,
  rowSortingFeature,
});

export type Features = typeof TABLE_FEATURES;
/** A row as the table's model has it: its data is `original`. */
export type ModelRow<Row extends object> = AnyRow<Features, Row>;
export type ModelColumn<Row extends object> = Column<Features, Row>;

/** A column for the table's model. */
export const columnDef = <Row extends object>(column: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: column.id,
  header: column.label,
  accessorFn: (row) => column.read(row),
  minSize: column.width,
  size: column.width,
  maxSize: Math.max(column.width, column.maxWidth),
  enableSorting: column.isSortable !== false,
  // Numbers begin with the greatest, texts with the first of the alphabet.
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
 * Keeps the state of tables in signals, as all other state of the pages is kept. What the library has for React brings a
 * store of its own: 2.6 KB of the first load.
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
  // Read whenever they are asked for: what they are made from may be an option, which is no signal.
  createReadonlyAtom: <T>(read: () => T) => ({ get: read, subscribe: subscribeTo(computed(read)) }),
};

/** A table of the library, whose state lies in signals. */
export const createModel = <Features extends TableFeatures, Row extends RowData>(
  options: TableOptions<Features, Row>,
): Table<Features, Row> =>
  constructTable({ ...options, features: { coreReactivityFeature: TABLE_SIGNALS, ...options.features } });

/** A table with these options, which may be others with each render; the same table each time. */
export function useModel<Features extends TableFeatures, Row extends RowData>(
  options: TableOptions<Features, Row>,
): Table<Features, Row> {
  const [table] = useState(() => createModel(options));
  giveOptions(table, options);
  return table;
}

/** Gives a table other options. */
export function giveOptions<Features extends TableFeatures, Row extends RowData>(
  table: Table<Features, Row>,
  options: Partial<TableOptions<Features, Row>>,
): void {
  table_setOptions(table, (before) => ({ ...before, ...options }), { syncExternalState: false });
}
