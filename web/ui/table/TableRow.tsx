import { type CSSProperties, Fragment, memo, type ReactNode } from 'react';
import { cellClass } from './cellClass.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { idOfRow } from './rowFocus.ts';
import type { ShownColumn } from './types.ts';

export type TableRowProps<Row extends object> = {
  layout: ColumnLayout<Row>;
  /** Of the layout: see `rowParts`. */
  parts: RowParts<Row>;
  /** px from the top of the body. */
  start: number;
  /** 1-based, the header being 1. */
  ariaIndex: number;
  /** What cells are rendered of; null where none are, so that the line does not render when it shows another row. */
  rendered: { row: Row; isTabStop: boolean } | null;
  toggle(id: string): void;
};

/** What stands in every row, in order: cells that are written past React, together, or a column whose cell it renders. */
export type RowParts<Row extends object> = readonly ({ texts: ReactNode } | { rendered: ShownColumn<Row> })[];

type CellProps<Row extends object> = { shown: ShownColumn<Row>; className: string; children?: ReactNode };

const cell = <Row extends object>({
  shown: { column, style },
  className,
  children,
}: CellProps<Row>): ReactNode =>
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
 * The cells of a row. Those that React does not render are made empty: `cellTexts.ts` writes them, and their classes. Every
 * row has the same element for all that stand side by side, so that React looks at one thing, not at ten cells, when
 * the row renders again.
 */
export function rowParts<Row extends object>({ shown }: ColumnLayout<Row>): RowParts<Row> {
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

function renderedCell<Row extends object>(shown: ShownColumn<Row>, row: Row, isTabStop: boolean): ReactNode {
  const { column } = shown;
  const className = cellClass(column, column.tone?.(row) ?? null, column.read(row) === null);
  return cell({ shown, className, children: column.render?.(row, isTabStop) });
}

/** Lines change their rows without rendering. */
const toggleRowOf = (element: Element, toggle: (id: string) => void): void => {
  const id = idOfRow(element);
  if (id !== null) toggle(id);
};

function TableRowOf<Row extends object>({
  layout,
  parts,
  rendered,
  ...props
}: TableRowProps<Row>): ReactNode {
  const place: CSSProperties = { transform: `translateY(${props.start}px)` };
  return (
    // `lineWriter.ts` writes the rest of its attributes, and those of the button.
    <tr role="row" className="table-row" aria-rowindex={props.ariaIndex} style={place}>
      {layout.expander && (
        <td role="gridcell" className="cell is-expander is-pinned" style={layout.expander}>
          <button
            type="button"
            className="expander center"
            onClick={({ currentTarget }) => toggleRowOf(currentTarget, props.toggle)}
          >
            <span className="chevron" aria-hidden="true">
              ›
            </span>
          </button>
        </td>
      )}
      {parts.map((part) => {
        if ('texts' in part) return part.texts;
        return rendered && renderedCell(part.rendered, rendered.row, rendered.isTabStop);
      })}
    </tr>
  );
}

const areAlike = <Row extends object>(before: TableRowProps<Row>, after: TableRowProps<Row>): boolean =>
  before.rendered?.row === after.rendered?.row &&
  before.rendered?.isTabStop === after.rendered?.isTabStop &&
  before.layout === after.layout &&
  before.parts === after.parts &&
  before.start === after.start &&
  before.ariaIndex === after.ariaIndex &&
  before.toggle === after.toggle;

/** One line of rows; renders again only when its place changes, or what React renders in it. */
export const TableRow = memo(TableRowOf, areAlike) as typeof TableRowOf;
