import { type CSSProperties, memo, type ReactNode } from 'react';
import { trendClass } from '../Trend.tsx';
import type { ColumnLayout } from './columnLayout.ts';
import type { CellTone } from './types.ts';
import './TableRow.css';

export type TableRowProps<Row> = {
  id: string;
  row: Row;
  layout: ColumnLayout<Row>;
  /** px from the top of the body. */
  start: number;
  /** 1-based, the header being 1. */
  ariaIndex: number;
  /** The one row that Tab reaches. */
  isTabStop: boolean;
  /** It no longer belongs, but the order is held. */
  hasLeft: boolean;
  isOpen: boolean;
  expanderLabel: string;
  toggle(id: string): void;
};

/** The class of a cell: what the column is, whether it is pinned, which way the value points. */
export const cellClass = (
  column: { numeric: boolean; pinned?: boolean | undefined },
  tone: CellTone = null,
  isMissing = false,
): string =>
  (column.numeric ? 'cell is-number' : 'cell') +
  (column.pinned ? ' is-pinned' : '') +
  (tone ? ` ${trendClass(tone)}` : '') +
  (isMissing ? ' is-missing' : '');

type CellsProps<Row> = Pick<TableRowProps<Row>, 'row' | 'layout' | 'isTabStop'>;

function CellsOf<Row>({ row, layout, isTabStop }: CellsProps<Row>): ReactNode {
  return layout.shown.map(({ column, style }) => {
    const isMissing = column.read(row) === null;
    const className = cellClass(column, column.tone?.(row) ?? null, isMissing);
    const content = column.render ? column.render(row, isTabStop) : column.text(row);
    return column.isRowHeader ? (
      <th key={column.id} role="rowheader" scope="row" className={className} style={style}>
        {content}
      </th>
    ) : (
      <td key={column.id} role="gridcell" className={className} style={style}>
        {content}
      </td>
    );
  });
}

// An unchanged row keeps its identity, so its cells are neither computed nor compared again.
const Cells = memo(CellsOf) as typeof CellsOf;

function TableRowOf<Row>(props: TableRowProps<Row>): ReactNode {
  const { id, row, layout, isTabStop, isOpen } = props;
  const place: CSSProperties = { transform: `translateY(${props.start}px)` };
  return (
    <tr
      role="row"
      className="table-row"
      aria-rowindex={props.ariaIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      data-left={props.hasLeft || undefined}
      data-open={isOpen || undefined}
      style={place}
    >
      {layout.expander && (
        <td role="gridcell" className="cell is-expander is-pinned" style={layout.expander}>
          <button
            type="button"
            className="expander"
            tabIndex={isTabStop ? 0 : -1}
            aria-expanded={isOpen}
            aria-label={props.expanderLabel}
            onClick={() => props.toggle(id)}
          >
            <span aria-hidden="true">›</span>
          </button>
        </td>
      )}
      <Cells row={row} layout={layout} isTabStop={isTabStop} />
    </tr>
  );
}

/** One row; renders again only when its own data, place or state changed. */
export const TableRow = memo(TableRowOf) as typeof TableRowOf;
