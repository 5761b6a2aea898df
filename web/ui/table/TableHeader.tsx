import { memo, type ReactNode } from 'react';
import { cellClass } from './cellClass.ts';
import type { ColumnActions } from './columnActions.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { ShownColumn, SortState } from './types.ts';
import { headingActions } from './headingActions.ts';
import './TableHeader.css';

export type TableHeaderProps<Row> = {
  layout: ColumnLayout<Row>;
  /** The heading of the expanders' column, if there is one. */
  expanderLabel: string | undefined;
  sort: SortState | null;
  onSort(sort: SortState): void;
  /** What may be done with the columns; undefined when nothing may. */
  actions: ColumnActions | undefined;
};

function TableHeaderOf<Row>(props: TableHeaderProps<Row>): ReactNode {
  const { layout, expanderLabel, sort, onSort, actions } = props;
  const ids = layout.shown.map(({ column }) => column.id);
  return (
    <thead role="rowgroup" className="table-head">
      <tr role="row" className="table-head-row" aria-rowindex={1}>
        {layout.expander && (
          <th role="columnheader" scope="col" className="cell is-expander is-pinned" style={layout.expander}>
            <span className="visually-hidden">{expanderLabel}</span>
          </th>
        )}
        {layout.shown.map((shown) => (
          <Heading
            key={shown.column.id}
            shown={shown}
            ids={ids}
            sort={sort}
            onSort={onSort}
            actions={actions}
          />
        ))}
      </tr>
    </thead>
  );
}

export const TableHeader = memo(TableHeaderOf) as typeof TableHeaderOf;

type HeadingProps<Row> = Pick<TableHeaderProps<Row>, 'sort' | 'onSort' | 'actions'> & {
  shown: ShownColumn<Row>;
  /** All columns, in the order in which they stand. */
  ids: readonly string[];
};

const ariaSort = (sort: SortState | null, id: string): 'ascending' | 'descending' | 'none' =>
  sort?.id !== id ? 'none' : sort.desc ? 'descending' : 'ascending';

const HEADING_KEYS = 'Alt+ArrowLeft Alt+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight';

const ARROWS = { ascending: '▲', descending: '▼', none: '' } as const;

function Heading<Row>({
  shown: { column, style },
  ids,
  sort,
  onSort,
  actions,
}: HeadingProps<Row>): ReactNode {
  const { id, numeric } = column;
  const direction = ariaSort(sort, id);
  // Numbers begin with the greatest, texts with the first of the alphabet.
  const toggle = () => onSort({ id, desc: sort?.id === id ? !sort.desc : numeric });
  const change = headingActions({ id, ids, width: style.width }, actions);
  if (column.isSortable === false) {
    return (
      <th role="columnheader" scope="col" className={cellClass(column)} style={style} data-column={id}>
        <span className="visually-hidden">{column.label}</span>
      </th>
    );
  }
  return (
    <th
      role="columnheader"
      scope="col"
      className={cellClass(column)}
      style={style}
      aria-sort={direction}
      data-column={id}
      onContextMenu={change?.onContextMenu}
    >
      <button
        type="button"
        className="table-sort"
        title={column.title}
        aria-keyshortcuts={change ? HEADING_KEYS : undefined}
        onClick={toggle}
        onKeyDown={change?.onKeyDown}
        onPointerDown={change?.onPointerDown}
      >
        <span className="table-sort-label">{column.label}</span>
        <span className="table-sort-arrow" aria-hidden="true">
          {ARROWS[direction]}
        </span>
      </button>
      {change && <span className="table-edge" aria-hidden="true" onPointerDown={change.onEdgeDown} />}
    </th>
  );
}
