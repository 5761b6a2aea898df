import { memo, type ReactNode } from 'react';
import { cellClass } from './TableRow.tsx';
import type { CellStyle, ShownColumn, SortState } from './types.ts';
import './TableHeader.css';

export type TableHeaderProps<Row> = {
  columns: readonly ShownColumn<Row>[];
  /** Of the expanders' column; null when rows don't open. */
  expander: CellStyle | null;
  expanderLabel: string;
  sort: SortState | null;
  onSort(id: string): void;
};

function TableHeaderOf<Row>(props: TableHeaderProps<Row>): ReactNode {
  const { columns, expander, expanderLabel, sort, onSort } = props;
  return (
    <thead role="rowgroup" className="table-head">
      <tr role="row" className="table-head-row" aria-rowindex={1}>
        {expander && (
          <th role="columnheader" scope="col" className="cell is-expander is-pinned" style={expander}>
            <span className="visually-hidden">{expanderLabel}</span>
          </th>
        )}
        {columns.map((shown) => (
          <Heading key={shown.column.id} shown={shown} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

export const TableHeader = memo(TableHeaderOf) as typeof TableHeaderOf;

type HeadingProps<Row> = Pick<TableHeaderProps<Row>, 'sort' | 'onSort'> & { shown: ShownColumn<Row> };

const ariaSort = (sort: SortState | null, id: string): 'ascending' | 'descending' | 'none' =>
  sort?.id !== id ? 'none' : sort.desc ? 'descending' : 'ascending';

const ARROWS = { ascending: '▲', descending: '▼', none: '' } as const;

function Heading<Row>({ shown: { column, style }, sort, onSort }: HeadingProps<Row>): ReactNode {
  const direction = ariaSort(sort, column.id);
  return (
    <th role="columnheader" scope="col" className={cellClass(column)} style={style} aria-sort={direction}>
      <button type="button" className="table-sort" title={column.title} onClick={() => onSort(column.id)}>
        <span className="table-sort-label">{column.label}</span>
        <span className="table-sort-arrow" aria-hidden="true">
          {ARROWS[direction]}
        </span>
      </button>
    </th>
  );
}
