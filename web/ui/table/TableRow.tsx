import { type CSSProperties, Fragment, memo, type ReactNode } from 'react';
import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { ShownColumn } from './types.ts';
import './TableRow.css';

export type TableRowProps<Row> = {
  id: string;
  row: Row;
  layout: ColumnLayout<Row>;
  /** Of the layout: see `rowParts`. */
  parts: RowParts<Row>;
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

/** What stands in every row, in order: cells that are only text, together, or a column whose cell React renders. */
export type RowParts<Row> = readonly ({ texts: ReactNode } | { rendered: ShownColumn<Row> })[];

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
 * The cells of a row. Those that are only text are made without it: `cellTexts.ts` writes it, and their classes. Every
 * row has the same element for all that stand side by side, so that React looks at one thing, not at ten cells, when
 * the row renders again.
 */
export function rowParts<Row>({ shown }: ColumnLayout<Row>): RowParts<Row> {
  const parts: ({ texts: ReactNode } | { rendered: ShownColumn<Row> })[] = [];
  let texts: ReactNode[] = [];
  const endTexts = () => {
    if (texts.length > 0) parts.push({ texts: <Fragment key={parts.length}>{texts}</Fragment> });
    texts = [];
  };
  for (const one of shown) {
    if (one.column.render) {
      endTexts();
      parts.push({ rendered: one });
    } else texts.push(cell({ shown: one, className: cellClass(one.column) }));
  }
  endTexts();
  return parts;
}

function renderedCell<Row>(shown: ShownColumn<Row>, row: Row, isTabStop: boolean): ReactNode {
  const { column } = shown;
  const className = cellClass(column, column.tone?.(row) ?? null, column.read(row) === null);
  return cell({ shown, className, children: column.render?.(row, isTabStop) });
}

function TableRowOf<Row>(props: TableRowProps<Row>): ReactNode {
  const { id, row, layout, parts, isTabStop, isOpen } = props;
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
      {parts.map((part) => ('texts' in part ? part.texts : renderedCell(part.rendered, row, isTabStop)))}
    </tr>
  );
}

/** One row; renders again only when its own data, place or state changed. */
export const TableRow = memo(TableRowOf) as typeof TableRowOf;
