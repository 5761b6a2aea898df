import { type CSSProperties, memo, type ReactNode } from 'react';
import type { CellTone, TableColumn } from './types.ts';
import type { CellStyle } from './widths.ts';

export type TableRowProps<Row> = {
  id: string;
  row: Row;
  columns: readonly TableColumn<Row>[];
  styles: readonly CellStyle[];
  /** px from the top of the body. */
  start: number;
  /** 1-based, the header being 1. */
  ariaIndex: number;
  /** The one row that Tab reaches. */
  isTabStop: boolean;
  hasLeft: boolean;
  /** Null when rows don't open. */
  expanded: boolean | null;
  expandLabel: string;
  toggle(id: string): void;
};

const TONE_CLASS = { up: ' is-up', down: ' is-down', flat: ' is-flat' } as const;

/** The class of a cell: what the column is, whether it is pinned, which way the value points. */
export const cellClass = (
  column: { numeric: boolean; pinned?: boolean | undefined },
  tone: CellTone = null,
  isMissing = false,
): string =>
  (column.numeric ? 'cell is-number' : 'cell') +
  (column.pinned ? ' is-pinned' : '') +
  (tone ? TONE_CLASS[tone] : '') +
  (isMissing ? ' is-missing' : '');

type CellsProps<Row> = {
  row: Row;
  columns: readonly TableColumn<Row>[];
  /** Of the columns; the expander's, if there is one, comes before them. */
  styles: readonly CellStyle[];
  offset: number;
  isTabStop: boolean;
};

function CellsOf<Row>({ row, columns, styles, offset, isTabStop }: CellsProps<Row>): ReactNode {
  return columns.map((column, index) => {
    const isMissing = column.read(row) === null;
    const className = cellClass(column, column.tone?.(row) ?? null, isMissing);
    const style = styles[index + offset];
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

// An unchanged stock keeps its identity, so its cells are neither computed nor compared again.
const Cells = memo(CellsOf) as typeof CellsOf;

function TableRowOf<Row>(props: TableRowProps<Row>): ReactNode {
  const { id, row, columns, styles, start, ariaIndex, isTabStop, hasLeft, expanded, expandLabel, toggle } =
    props;
  const offset = expanded === null ? 0 : 1;
  const place: CSSProperties = { transform: `translateY(${start}px)` };
  return (
    <tr
      role="row"
      className="table-row"
      aria-rowindex={ariaIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-id={id}
      data-left={hasLeft || undefined}
      data-open={expanded || undefined}
      style={place}
    >
      {expanded !== null && (
        <td role="gridcell" className="cell is-expander is-pinned" style={styles[0]}>
          <button
            type="button"
            className="expander"
            tabIndex={isTabStop ? 0 : -1}
            aria-expanded={expanded}
            aria-label={expandLabel}
            onClick={() => toggle(id)}
          >
            <span aria-hidden="true">›</span>
          </button>
        </td>
      )}
      <Cells row={row} columns={columns} styles={styles} offset={offset} isTabStop={isTabStop} />
    </tr>
  );
}

/** One row; renders again only when its own data, place or state changed. */
export const TableRow = memo(TableRowOf) as typeof TableRowOf;
