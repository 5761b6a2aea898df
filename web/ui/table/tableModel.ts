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
  // Must repeat the library's names and variances.
  interface ColumnMeta<
    in out TFeatures extends TableFeatures,
    in out TData extends RowData,
    TValue extends CellData = CellData,
  > {
    column: TableColumn<TData>;
  }
}

/** The used features of TanStack Table; every first page loads them. */
export const TABLE_FEATURES = tableFeatures({
  columnSizingFeature,
  rowSortingFeature,
});

export type Features = typeof TABLE_FEATURES;
/** Its data is `original`. */
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
 * Keeps the table's state in signals like all state of the pages. The library's React store would add 2.6 KB to the
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
  // Read on demand, because its inputs may be options, which are not signals.
  createReadonlyAtom: <T>(read: () => T) => ({ get: read, subscribe: subscribeTo(computed(read)) }),
};

export const createModel = <Features extends TableFeatures, Row extends RowData>(
  options: TableOptions<Features, Row>,
): Table<Features, Row> =>
  constructTable({ ...options, features: { coreReactivityFeature: TABLE_SIGNALS, ...options.features } });

/** The same table on each render, with the current options. */
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
