import { memo, type ReactNode } from 'react';
import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { ShownColumn, SortState } from './types.ts';
import './TableHeader.css';

export type TableHeaderProps<Row> = {
  layout: ColumnLayout<Row>;
  /** The heading of the expanders' column, if there is one. */
  expanderLabel: string | undefined;
  sort: SortState | null;
  onSort(sort: SortState): void;
};

function TableHeaderOf<Row>(props: TableHeaderProps<Row>): ReactNode {
  const { layout, expanderLabel, sort, onSort } = props;
  return (
    <thead role="rowgroup" className="table-head">
      <tr role="row" className="table-head-row" aria-rowindex={1}>
        {layout.expander && (
          <th role="columnheader" scope="col" className="cell is-expander is-pinned" style={layout.expander}>
            <span className="visually-hidden">{expanderLabel}</span>
          </th>
        )}
        {layout.shown.map((shown) => (
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
  const { id, numeric } = column;
  const direction = ariaSort(sort, id);
  // Numbers begin with the greatest, texts with the first of the alphabet.
  const toggle = () => onSort({ id, desc: sort?.id === id ? !sort.desc : numeric });
  return (
    <th role="columnheader" scope="col" className={cellClass(column)} style={style} aria-sort={direction}>
      <button type="button" className="table-sort" title={column.title} onClick={toggle}>
        <span className="table-sort-label">{column.label}</span>
        <span className="table-sort-arrow" aria-hidden="true">
          {ARROWS[direction]}
        </span>
      </button>
    </th>
  );
}
