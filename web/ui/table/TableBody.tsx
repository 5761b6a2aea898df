import {
  type CSSProperties,
  Fragment,
  memo,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { LineHeights } from '../lineHeights.ts';
import { useWidthQuery } from '../useWidthQuery.ts';
import { cellClass, type ColumnLayout } from './columnLayout.ts';
import { createLineWriter } from './lineWriter.ts';
import { idOfRow, useFocusWithRow, usePendingFocus } from './rowFocus.ts';
import { createRowItems, itemKey } from './rowItems.ts';
import { useRowKeys } from './rowKeys.ts';
import type { DrawnLine, RowDetail, RowMenuRequest, RowRequest, ShownColumn } from './tableModel.ts';
import { useActiveRow, usePageKeys } from './useActiveRow.ts';
import { useChangeFlash } from './useChangeFlash.ts';
import type { useReading } from './useReading.ts';
import { useReveal } from './useReveal.ts';
import { useRowWindow, type VisibleLine } from './useRowWindow.ts';
import type { ShownRows } from './useShownRows.ts';

type TableRowProps<Row extends object> = {
  layout: ColumnLayout<Row>;
  parts: RowParts<Row>;
  start: number;
  /** Row number for screen readers, from 1; the header is 1. */
  ariaIndex: number;
  /** The row for cells that React renders; null if there are none, so that another row does not render the line. */
  rendered: { row: Row; isTabStop: boolean } | null;
  toggle(id: string): void;
};

/** Groups of cells that are written without React, or a column that React renders. */
type RowParts<Row extends object> = readonly ({ texts: ReactNode } | { rendered: ShownColumn<Row> })[];

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
 * A row's cells. Cells without React are empty elements that `lineWriter.ts` fills. Adjacent ones share one React
 * element for all rows, so that React compares one element, not ten cells.
 */
function rowParts<Row extends object>({ shown }: ColumnLayout<Row>): RowParts<Row> {
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

/** Finds the row in the document, because lines change their rows without rendering. */
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
    // `lineWriter.ts` writes the other attributes, and those of the button.
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

/** Renders only if its position or a cell that React renders changes. */
const TableRow = memo(TableRowOf, areAlike) as typeof TableRowOf;

const drawnLines = <Row,>(visible: readonly VisibleLine[], rows: readonly Row[]): DrawnLine<Row>[] =>
  visible.flatMap((line) => {
    const row = rows[line.item.index];
    return row === undefined ? [] : [{ ...line, row }];
  });

const linesOf = (visible: readonly VisibleLine[], ids: readonly string[]): VisibleLine[] =>
  visible.map((line) => ({ ...line, item: { ...line.item, id: ids[line.item.index] ?? '' } }));

/** The rows of the lines, the row that Tab reaches, and the selection. */
type Written<Row extends object> = {
  drawn: readonly DrawnLine<Row>[];
  tabStop: string | null;
  selectedId: string | null;
};

type Body = RefObject<HTMLTableSectionElement | null>;

/** Writes rows into lines after each render. @returns a function that writes other rows without a render */
function useLineWriter<Row extends object>(body: Body, props: TableBodyProps<Row>, rendered: Written<Row>) {
  const [writer] = useState(() => createLineWriter<Row>());
  const write = ({ drawn, ...marked }: Written<Row>): void => {
    if (body.current) writer.draw(body.current.children, drawn, { ...props, ...marked });
  };
  useLayoutEffect(() => write(rendered));
  return write;
}

type Drawing<Row extends object> = {
  drawn: readonly DrawnLine<Row>[];
  visible: readonly VisibleLine[];
  active: ReturnType<typeof useActiveRow>;
  hasRendered: boolean;
  write(written: Written<Row>): void;
};

/** Tints changes after a render, and draws updates without a render while no row is active or open. */
function useFlashAndDrawer<Row extends object>(
  body: Body,
  { shown, layout, heights, tints, requested }: TableBodyProps<Row>,
  { drawn, visible, active, hasRendered, write }: Drawing<Row>,
): void {
  const { openIds, drawer } = shown;
  const flash = useChangeFlash<Row>(body, tints);
  useLayoutEffect(() => flash({ lines: drawn, layout, rowHeight: heights.row }));
  useLayoutEffect(() => {
    // An active row is rendered even when it is out of view, possibly on another line.
    const isStill = active.focusedId === null && requested === null && openIds.size === 0;
    drawer.current = ({ rows, ids }) => {
      if (!isStill || hasRendered || !body.current) return false;
      const now = drawnLines(linesOf(visible, ids), rows);
      write({ drawn: now, tabStop: ids[0] ?? null, selectedId: null });
      flash({ lines: now, layout, rowHeight: heights.row });
      active.follow(ids);
      return true;
    };
    return () => {
      drawer.current = null;
    };
  });
}

type RowPointerInput = {
  opensBy: 'none' | 'click' | 'secondClick';
  activeId: string | null;
  toggle(id: string): void;
  onMenu: ((menu: RowMenuRequest) => void) | undefined;
};

/** Whether an element handles its own clicks: a link, a button or an input. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, label, input') !== null;

/** Whether text is selected: a click that ends a selection does not count. */
const hasMarkedText = (): boolean => window.getSelection()?.isCollapsed === false;

/** Mouse and touch input of rows. A click that selects needs no code, because the row takes the focus. */
function useRowPointer(input: RowPointerInput) {
  const { opensBy, activeId, toggle, onMenu } = input;
  /** The row that was selected before the press, because a press moves the focus. */
  const selectedBefore = useRef<string | null>(null);
  /** Whether text was selected before, because some browsers select the word under a right click or long press. */
  const wasMarked = useRef(false);
  return useMemo(() => {
    const onPointerDownCapture = (): void => {
      wasMarked.current = hasMarkedText();
    };
    const onMouseDown = (event: MouseEvent): void => {
      selectedBefore.current = activeId;
      // A double click would select a word.
      if (opensBy === 'secondClick' && event.detail > 1 && !isControl(event.target)) event.preventDefault();
    };
    const onClick = (event: MouseEvent): void => {
      const id = event.target instanceof Element ? idOfRow(event.target) : null;
      if (id === null || opensBy === 'none' || isControl(event.target) || hasMarkedText()) return;
      const isSecond = selectedBefore.current === id && event.detail < 3;
      if (opensBy === 'click' || isSecond) toggle(id);
    };
    const onContextMenu = (event: MouseEvent): void => {
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]') : null;
      if (!onMenu || line === null || (wasMarked.current && hasMarkedText())) return;
      event.preventDefault();
      window.getSelection()?.removeAllRanges();
      if (!line.contains(document.activeElement)) line.focus({ preventScroll: true });
      onMenu({ id: line.dataset.id ?? '', line, at: { x: event.clientX, y: event.clientY } });
    };
    return { onPointerDownCapture, onMouseDown, onClick, onContextMenu };
  }, [opensBy, activeId, toggle, onMenu]);
}

type DetailRowProps = {
  id: string;
  /** Index in the body, from 0. */
  index: number;
  start: number;
  span: number;
  width: number;
  measure(element: HTMLElement | null): void;
  children: ReactNode;
};

/** A panel under a row, as wide as the visible part and as tall as its content. */
function DetailRow({ id, index, start, span, width, measure, children }: DetailRowProps): ReactNode {
  return (
    <tr
      ref={measure}
      role="row"
      className="table-detail"
      aria-rowindex={index + 2}
      data-detail={id}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td role="gridcell" className="table-detail-cell" colSpan={span} aria-colspan={span}>
        <div className="table-detail-content" style={{ width }}>
          {children}
        </div>
      </td>
    </tr>
  );
}

type TableBodyProps<Row extends object> = {
  shown: ShownRows<Row>;
  layout: ColumnLayout<Row>;
  detail: RowDetail<Row> | undefined;
  leadsAway: boolean;
  heights: LineHeights;
  width: number;
  scroller: RefObject<HTMLDivElement | null>;
  tints: RefObject<SVGSVGElement | null>;
  reading: Pick<ReturnType<typeof useReading>, 'note' | 'handlers'>;
  isPrimary: boolean;
  requested: RowRequest | null;
  onMenu: ((menu: RowMenuRequest) => void) | undefined;
  onTap: ((id: string) => void) | undefined;
};

export function TableBody<Row extends object>(props: TableBodyProps<Row>): ReactNode {
  const { shown, layout, heights, scroller, reading } = props;
  // The newest rows, because updates since the last render are not in the props.
  const { rows, ids } = shown.newest();
  const body = useRef<HTMLTableSectionElement>(null);
  const [itemsOf] = useState(createRowItems);
  const active = useActiveRow(ids, props.requested);
  const lines = useRowWindow({ items: itemsOf(ids, shown.openIds), heights, scroller, keepId: active.id });
  const drawn = drawnLines(lines.visible, rows);
  const tabStop = active.id ?? ids[0] ?? null;
  const hasRendered = layout.shown.some(({ column }) => column.render !== undefined);
  // Done before other hooks look for a row in the document.
  const write = useLineWriter(body, props, { drawn, tabStop, selectedId: active.id });
  usePageKeys(props.isPrimary, active.move, reading.note);
  usePendingFocus(active.pendingFocus, active.id, scroller);
  useReveal(scroller, { ids, open: shown.allOpen, requested: active.granted });
  useFocusWithRow(body, active.focusedId);
  useFlashAndDrawer(body, props, { drawn, active, hasRendered, visible: lines.visible, write });
  const parts = useMemo(() => rowParts(layout), [layout]);
  const input = useRowInput(props, active);
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      {...reading.handlers.rows}
      {...input}
    >
      {drawn.map((line) =>
        line.item.isDetail
          ? detailLine(props, line, lines.measure)
          : rowLine(props, line, { parts, tabStop, hasRendered }),
      )}
    </tbody>
  );
}

function useRowInput<Row extends object>(
  { shown, detail, leadsAway, onMenu, onTap }: TableBodyProps<Row>,
  { id: activeId, move, leave, onFocus }: ReturnType<typeof useActiveRow>,
) {
  const { openIds, toggle } = shown;
  const onKeyDown = useRowKeys({ activeId, openIds, move, toggle, leave, onMenu });
  const isPhone = useWidthQuery('phone');
  const opensBy = leadsAway ? 'click' : opensByOf(detail, isPhone);
  const pointer = useRowPointer({ opensBy, activeId, toggle: (isPhone && onTap) || toggle, onMenu });
  return { ...pointer, onKeyDown, onFocusCapture: onFocus };
}

const opensByOf = <Row extends object>(detail: RowDetail<Row> | undefined, isPhone: boolean) =>
  !detail ? 'none' : isPhone || detail.opensByClick ? 'click' : 'secondClick';

type RowStyle<Row extends object> = { parts: RowParts<Row>; tabStop: string | null; hasRendered: boolean };

const rowLine = <Row extends object>(
  { layout, shown }: TableBodyProps<Row>,
  { item, line, start, row }: DrawnLine<Row>,
  { parts, tabStop, hasRendered }: RowStyle<Row>,
) => (
  <TableRow
    // The key is the position, not the id: a re-sort then writes new texts, while moving rows would need a new layout.
    key={item.index}
    layout={layout}
    parts={parts}
    start={start}
    ariaIndex={line + 2}
    rendered={hasRendered ? { row, isTabStop: item.id === tabStop } : null}
    toggle={shown.toggle}
  />
);

function detailLine<Row extends object>(
  props: TableBodyProps<Row>,
  { item, line, start, row }: DrawnLine<Row>,
  measure: (element: HTMLElement | null) => void,
) {
  return (
    <DetailRow
      key={itemKey(item)}
      id={item.id}
      index={line}
      start={start}
      span={props.layout.shown.length + 1}
      width={props.width}
      measure={measure}
    >
      {props.detail?.render(row)}
    </DetailRow>
  );
}
