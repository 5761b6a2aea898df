import { type CSSProperties, memo, type ReactNode } from 'react';
import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { ShownColumn } from './types.ts';
import './TableRow.css';

export type TableRowProps<Row> = {
  id: string;
  row: Row;
  layout: ColumnLayout<Row>;
  /** Of the layout: see `emptyCells`. */
  empty: EmptyCells;
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

/** A cell for each column shown; null for those whose content React renders. */
export type EmptyCells = readonly (ReactNode | null)[];

type CellProps<Row> = { shown: ShownColumn<Row>; className: string; children?: ReactNode };

const cell = <Row,>({ shown: { column, style }, className, children }: CellProps<Row>): ReactNode =>
  column.isRowHeader ? (
    <th key={column.id} role="rowheader" scope="row" className={className} style={style}>
      {children}
    </th>
  ) : (
    <td key={column.id} role="gridcell" className={className} style={style}>
      {children}
    </td>
  );

/**
 * The cells that are only text, without it: `cellTexts.ts` writes it, and their classes. Every row has the same
 * elements, so that React compares none of them again.
 */
export const emptyCells = <Row,>({ shown }: ColumnLayout<Row>): EmptyCells =>
  shown.map((one) => (one.column.render ? null : cell({ shown: one, className: cellClass(one.column) })));

function renderedCell<Row>(shown: ShownColumn<Row>, row: Row, isTabStop: boolean): ReactNode {
  const { column } = shown;
  const className = cellClass(column, column.tone?.(row) ?? null, column.read(row) === null);
  return cell({ shown, className, children: column.render?.(row, isTabStop) });
}

function TableRowOf<Row>(props: TableRowProps<Row>): ReactNode {
  const { id, row, layout, empty, isTabStop, isOpen } = props;
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
      {layout.shown.map((shown, index) => empty[index] ?? renderedCell(shown, row, isTabStop))}
    </tr>
  );
}

/** One row; renders again only when its own data, place or state changed. */
export const TableRow = memo(TableRowOf) as typeof TableRowOf;
