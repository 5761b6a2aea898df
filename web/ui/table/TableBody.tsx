import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import type { LineHeights } from '../lineHeights.ts';
import { useChangeFlash } from './useChangeFlash.ts';
import { DetailRow } from './DetailRow.tsx';
import { itemKey, rowItems } from './rowItems.ts';
import { TableRow } from './TableRow.tsx';
import type { CellStyle, RowDetail, ShownColumn } from './types.ts';
import { useActiveRow, useFollowingFocus, useSettledFocus } from './useActiveRow.ts';
import type { useReading } from './useReading.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useRowWindow, type VisibleLine } from './useRowWindow.ts';
import './TableBody.css';

export type TableBodyProps<Row> = {
  rows: readonly Row[];
  /** Of the rows, in their order. */
  ids: readonly string[];
  columns: readonly ShownColumn<Row>[];
  /** Of the expanders' column; null when rows don't open. */
  expander: CellStyle | null;
  openIds: ReadonlySet<string>;
  left: ReadonlySet<string>;
  detail: RowDetail<Row> | undefined;
  heights: LineHeights;
  /** Of what is in sight, px. */
  width: number;
  scroller: RefObject<HTMLDivElement | null>;
  toggle(id: string): void;
  reading: ReturnType<typeof useReading>['handlers'];
  isPrimary: boolean;
};

/** The rows in sight, each at its own place, and the panels open under them. */
export function TableBody<Row>(props: TableBodyProps<Row>): ReactNode {
  const { rows, ids, columns, openIds, scroller, toggle } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const items = useMemo(() => rowItems(ids, openIds), [ids, openIds]);
  const active = useActiveRow(ids, props.isPrimary);
  const { move, leave } = active;
  const lines = useRowWindow({ items, heights: props.heights, scroller, keepId: active.id });
  useSettledFocus(active.wanted, scroller, lines.scrollTo);
  useFollowingFocus(body, active.focusedId);
  useChangeFlash(body, {
    drawn: drawnRows(lines.visible, rows),
    columns,
    offset: props.expander ? 1 : 0,
  });
  const onKeyDown = useRowKeys({ activeId: active.id, openIds, move, toggle, leave });
  const tabStop = active.id ?? ids[0] ?? null;
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      onKeyDown={onKeyDown}
      onFocusCapture={active.follow}
      {...props.reading}
    >
      {lines.visible.map((visible) =>
        visible.item.isDetail ? detailLine(props, visible, lines.measure) : rowLine(props, visible, tabStop),
      )}
    </tbody>
  );
}

function drawnRows<Row>(visible: readonly VisibleLine[], rows: readonly Row[]): Map<string, Row> {
  const drawn = new Map<string, Row>();
  for (const { item } of visible) {
    const row = rows[item.index];
    if (row !== undefined) drawn.set(item.id, row);
  }
  return drawn;
}

function rowLine<Row>(
  props: TableBodyProps<Row>,
  { item, line, start }: VisibleLine,
  tabStop: string | null,
) {
  const row = props.rows[item.index];
  if (row === undefined) return null;
  return (
    <TableRow
      // By place, not by id: a re-sort then writes new texts, where moving rows would lay them out anew.
      key={item.index}
      id={item.id}
      row={row}
      columns={props.columns}
      expander={props.expander}
      start={start}
      ariaIndex={line + 2}
      isTabStop={item.id === tabStop}
      hasLeft={props.left.has(item.id)}
      isOpen={props.openIds.has(item.id)}
      expanderLabel={props.detail?.label(row) ?? ''}
      toggle={props.toggle}
    />
  );
}

function detailLine<Row>(
  props: TableBodyProps<Row>,
  { item, line, start }: VisibleLine,
  measure: (element: HTMLElement | null) => void,
) {
  const row = props.rows[item.index];
  if (row === undefined) return null;
  return (
    <DetailRow
      key={itemKey(item)}
      id={item.id}
      index={line}
      start={start}
      span={props.columns.length + 1}
      width={props.width}
      measure={measure}
    >
      {props.detail?.render(row)}
    </DetailRow>
  );
}
