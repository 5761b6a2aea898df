import { memo, type ReactNode } from 'react';
import { cellClass } from './TableRow.tsx';
import type { SortState, TableColumn } from './types.ts';
import type { CellStyle } from './widths.ts';

export type TableHeaderProps<Row> = {
  columns: readonly TableColumn<Row>[];
  styles: readonly CellStyle[];
  sort: SortState | null;
  onSort(id: string): void;
  /** The expander column's heading; null when rows don't open. */
  expanderLabel: string | null;
};

const ariaSort = (sort: SortState | null, id: string): 'ascending' | 'descending' | 'none' =>
  sort?.id !== id ? 'none' : sort.desc ? 'descending' : 'ascending';

function TableHeaderOf<Row>({
  columns,
  styles,
  sort,
  onSort,
  expanderLabel,
}: TableHeaderProps<Row>): ReactNode {
  const offset = expanderLabel === null ? 0 : 1;
  return (
    <thead role="rowgroup" className="table-head">
      <tr role="row" className="table-head-row" aria-rowindex={1}>
        {expanderLabel !== null && (
          <th role="columnheader" scope="col" className="cell is-expander is-pinned" style={styles[0]}>
            <span className="visually-hidden">{expanderLabel}</span>
          </th>
        )}
        {columns.map((column, index) => {
          const direction = ariaSort(sort, column.id);
          return (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              className={cellClass(column)}
              style={styles[index + offset]}
              aria-sort={direction}
            >
              <button
                type="button"
                className="table-sort"
                title={column.title}
                onClick={() => onSort(column.id)}
              >
                <span className="table-sort-label">{column.label}</span>
                <span className="table-sort-arrow" aria-hidden="true">
                  {direction === 'ascending' ? '▲' : direction === 'descending' ? '▼' : ''}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export const TableHeader = memo(TableHeaderOf) as typeof TableHeaderOf;
