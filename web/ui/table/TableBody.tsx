import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { LineHeights } from '../lineHeights.ts';
import { createCellTexts } from './cellTexts.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { useChangeFlash } from './useChangeFlash.ts';
import { DetailRow } from './DetailRow.tsx';
import { itemKey, rowItems } from './rowItems.ts';
import { type RowParts, rowParts, TableRow } from './TableRow.tsx';
import type { DrawnLine, RowDetail } from './types.ts';
import { useWidthQuery } from '../useWidthQuery.ts';
import { idOfRow, useFocusWithRow, usePendingFocus } from './rowFocus.ts';
import { useActiveRow, usePageKeys } from './useActiveRow.ts';
import type { useReading } from './useReading.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useRowWindow, type VisibleLine } from './useRowWindow.ts';
import type { ShownRows } from './useShownRows.ts';
import './TableBody.css';

export type TableBodyProps<Row> = {
  shown: ShownRows<Row>;
  layout: ColumnLayout<Row>;
  detail: RowDetail<Row> | undefined;
  heights: LineHeights;
  /** Of what is in sight, px. */
  width: number;
  scroller: RefObject<HTMLDivElement | null>;
  /** Where the tints of changed cells are drawn. */
  tints: RefObject<SVGSVGElement | null>;
  reading: Pick<ReturnType<typeof useReading>, 'note' | 'handlers'>;
  isPrimary: boolean;
  requestedId: string | null;
};

/** The rows in sight, each at its own place, and the panels open under them. */
export function TableBody<Row>(props: TableBodyProps<Row>): ReactNode {
  const { layout, heights, scroller, reading } = props;
  const { rows, ids, openIds, toggle } = props.shown;
  const body = useRef<HTMLTableSectionElement>(null);
  const items = useMemo(() => rowItems(ids, openIds), [ids, openIds]);
  const active = useActiveRow(ids, props.requestedId);
  const { move, leave } = active;
  const lines = useRowWindow({ items, heights, scroller, keepId: active.id });
  usePageKeys(props.isPrimary, move, reading.note);
  usePendingFocus(active.pendingFocus, active.id, scroller, lines.scrollTo);
  useFocusWithRow(body, active.focusedId);
  const drawn = drawnLines(lines.visible, rows);
  const parts = useMemo(() => rowParts(layout), [layout]);
  const [texts] = useState(() => createCellTexts<Row>());
  useLayoutEffect(() => {
    // Before the browser paints: React has made the cells empty.
    if (body.current) texts.draw(body.current.children, drawn, layout);
  });
  useChangeFlash(body, props.tints, { lines: drawn, layout, rowHeight: heights.row });
  const onKeyDown = useRowKeys({ activeId: active.id, openIds, move, toggle, leave });
  const isPhone = useWidthQuery('phone');
  const onClick =
    props.detail && (isPhone || props.detail.opensByClick)
      ? (event: MouseEvent) => toggleTapped(event, toggle)
      : undefined;
  const tabStop = active.id ?? ids[0] ?? null;
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      {...reading.handlers.rows}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocusCapture={active.onFocus}
    >
      {drawn.map((line) =>
        line.item.isDetail ? detailLine(props, line, lines.measure) : rowLine(props, line, parts, tabStop),
      )}
    </tbody>
  );
}

/** Opens or closes the row that was tapped or clicked. Links and buttons keep their taps. */
function toggleTapped({ target }: MouseEvent, toggle: (id: string) => void): void {
  if (!(target instanceof Element) || target.closest('a, button') !== null) return;
  const id = idOfRow(target);
  // A tap that ends the marking of text is no tap on the row.
  if (id !== null && window.getSelection()?.isCollapsed !== false) toggle(id);
}

const drawnLines = <Row,>(visible: readonly VisibleLine[], rows: readonly Row[]): DrawnLine<Row>[] =>
  visible.flatMap((line) => {
    const row = rows[line.item.index];
    return row === undefined ? [] : [{ ...line, row }];
  });

function rowLine<Row>(
  props: TableBodyProps<Row>,
  { item, line, start, row }: DrawnLine<Row>,
  parts: RowParts<Row>,
  tabStop: string | null,
) {
  return (
    <TableRow
      // By place, not by id: a re-sort then writes new texts, where moving rows would lay them out anew.
      key={item.index}
      id={item.id}
      row={row}
      layout={props.layout}
      parts={parts}
      start={start}
      ariaIndex={line + 2}
      isTabStop={item.id === tabStop}
      hasLeft={props.shown.leftIds.has(item.id)}
      isOpen={props.shown.openIds.has(item.id)}
      expanderLabel={props.detail?.label(row) ?? ''}
      toggle={props.shown.toggle}
    />
  );
}

function detailLine<Row>(
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
