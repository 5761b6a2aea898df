import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { LineHeights } from '../lineHeights.ts';
import { createLineWriter } from './lineWriter.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { useChangeFlash } from './useChangeFlash.ts';
import { DetailRow } from './DetailRow.tsx';
import { createRowItems, itemKey } from './rowItems.ts';
import { rowParts, TableRow } from './TableRow.tsx';
import type { DrawnLine, RowDetail, RowMenuRequest } from './types.ts';
import { useWidthQuery } from '../useWidthQuery.ts';
import { useFocusWithRow, usePendingFocus } from './rowFocus.ts';
import { useActiveRow, usePageKeys } from './useActiveRow.ts';
import type { useReading } from './useReading.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useRowPointer } from './useRowPointer.ts';
import { useRowWindow, type VisibleLine } from './useRowWindow.ts';
import type { ShownRows } from './useShownRows.ts';
import './TableBody.css';

export type TableBodyProps<Row> = {
  shown: ShownRows<Row>;
  layout: ColumnLayout<Row>;
  detail: RowDetail<Row> | undefined;
  /** A click on a row leads away from the table. */
  leadsAway: boolean;
  heights: LineHeights;
  /** Of what is in sight, px. */
  width: number;
  scroller: RefObject<HTMLDivElement | null>;
  /** Where the tints of changed cells are drawn. */
  tints: RefObject<SVGSVGElement | null>;
  reading: Pick<ReturnType<typeof useReading>, 'note' | 'handlers'>;
  isPrimary: boolean;
  requestedId: string | null;
  onMenu: ((menu: RowMenuRequest) => void) | undefined;
};

/** The rows in sight, each at its own place, and the panels open under them. */
export function TableBody<Row>(props: TableBodyProps<Row>): ReactNode {
  const { layout, heights, scroller, reading } = props;
  const { openIds, toggle, drawer } = props.shown;
  // What was drawn since the table rendered stands in no property.
  const { rows, ids } = props.shown.newest();
  const body = useRef<HTMLTableSectionElement>(null);
  const [itemsOf] = useState(createRowItems);
  const items = itemsOf(ids, openIds);
  const active = useActiveRow(ids, props.requestedId);
  const { move, leave, follow } = active;
  const lines = useRowWindow({ items, heights, scroller, keepId: active.id });
  const drawn = drawnLines(lines.visible, rows);
  const tabStop = active.id ?? ids[0] ?? null;
  const [writer] = useState(() => createLineWriter<Row>());
  // Before all that looks for a row in the document.
  useLayoutEffect(() => {
    if (body.current) writer.draw(body.current.children, drawn, { ...props, tabStop, selectedId: active.id });
  });
  usePageKeys(props.isPrimary, move, reading.note);
  usePendingFocus(active.pendingFocus, active.id, scroller, lines.scrollTo);
  useFocusWithRow(body, active.focusedId);
  const parts = useMemo(() => rowParts(layout), [layout]);
  const hasRendered = layout.shown.some(({ column }) => column.render !== undefined);
  const flash = useChangeFlash<Row>(body, props.tints);
  useLayoutEffect(() => flash({ lines: drawn, layout, rowHeight: heights.row }));
  useLayoutEffect(() => {
    // A row that is active is drawn also out of sight, and its line may be another.
    const isStill = active.focusedId === null && props.requestedId === null && openIds.size === 0;
    drawer.current = (next) => {
      if (!isStill || hasRendered || !body.current) return false;
      const now = drawnLines(linesOf(lines.visible, next.ids), next.rows);
      writer.draw(body.current.children, now, { ...props, tabStop: next.ids[0] ?? null, selectedId: null });
      flash({ lines: now, layout, rowHeight: heights.row });
      follow(next.ids);
      return true;
    };
    return () => {
      drawer.current = null;
    };
  });
  const onKeyDown = useRowKeys({ activeId: active.id, openIds, move, toggle, leave, onMenu: props.onMenu });
  const isPhone = useWidthQuery('phone');
  const opensBy = props.leadsAway ? 'click' : opensByOf(props.detail, isPhone);
  const pointer = useRowPointer({ opensBy, activeId: active.id, toggle, onMenu: props.onMenu });
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      {...reading.handlers.rows}
      {...pointer}
      onKeyDown={onKeyDown}
      onFocusCapture={active.onFocus}
    >
      {drawn.map((line) =>
        line.item.isDetail ? (
          detailLine(props, line, lines.measure)
        ) : (
          <TableRow
            // By place, not by id: a re-sort then writes new texts, where moving rows would lay them out anew.
            key={line.item.index}
            layout={layout}
            parts={parts}
            start={line.start}
            ariaIndex={line.line + 2}
            rendered={hasRendered ? { row: line.row, isTabStop: line.item.id === tabStop } : null}
            toggle={toggle}
          />
        ),
      )}
    </tbody>
  );
}

const opensByOf = <Row,>(detail: RowDetail<Row> | undefined, isPhone: boolean) =>
  !detail ? 'none' : isPhone || detail.opensByClick ? 'click' : 'secondClick';

const drawnLines = <Row,>(visible: readonly VisibleLine[], rows: readonly Row[]): DrawnLine<Row>[] =>
  visible.flatMap((line) => {
    const row = rows[line.item.index];
    return row === undefined ? [] : [{ ...line, row }];
  });

/** The same lines for other rows, as long as none is open. */
const linesOf = (visible: readonly VisibleLine[], ids: readonly string[]): VisibleLine[] =>
  visible.map((line) => ({ ...line, item: { ...line.item, id: ids[line.item.index] ?? '' } }));

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
