import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import type { LineHeights } from '../lineHeights.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { drawnLines, useFlashAndDrawer, useLineWriter } from './useDrawnLines.ts';
import { createRowItems, itemKey } from './rowItems.ts';
import { type RowParts, rowParts, TableRow } from './TableRow.tsx';
import type { DrawnLine, RowDetail, RowMenuRequest, RowRequest } from './types.ts';
import { useWidthQuery } from '../useWidthQuery.ts';
import { useFocusWithRow, usePendingFocus } from './rowFocus.ts';
import { useActiveRow, usePageKeys } from './useActiveRow.ts';
import type { useReading } from './useReading.ts';
import { useReveal } from './useReveal.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useRowPointer } from './useRowPointer.ts';
import { useRowWindow } from './useRowWindow.ts';
import type { ShownRows } from './useShownRows.ts';
import './TableBody.css';

type DetailRowProps = {
  id: string;
  /** Its line in the body, from 0. */
  index: number;
  /** px from the top of the body. */
  start: number;
  /** How many columns it covers. */
  span: number;
  /** Of what is in sight, px. */
  width: number;
  measure(element: HTMLElement | null): void;
  children: ReactNode;
};

/** The panel open under a row; as wide as what is in sight, as tall as its content. */
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

export type TableBodyProps<Row extends object> = {
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
  requested: RowRequest | null;
  onMenu: ((menu: RowMenuRequest) => void) | undefined;
};

/** The rows in sight, each at its own place, and the panels open under them. */
export function TableBody<Row extends object>(props: TableBodyProps<Row>): ReactNode {
  const { shown, layout, heights, scroller, reading } = props;
  // What was drawn since the table rendered stands in no property.
  const { rows, ids } = shown.newest();
  const body = useRef<HTMLTableSectionElement>(null);
  const [itemsOf] = useState(createRowItems);
  const active = useActiveRow(ids, props.requested);
  const lines = useRowWindow({ items: itemsOf(ids, shown.openIds), heights, scroller, keepId: active.id });
  const drawn = drawnLines(lines.visible, rows);
  const tabStop = active.id ?? ids[0] ?? null;
  const hasRendered = layout.shown.some(({ column }) => column.render !== undefined);
  // Before all that looks for a row in the document.
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

/** What the rows do with keys, a mouse or a finger. */
function useRowInput<Row extends object>(
  { shown, detail, leadsAway, onMenu }: TableBodyProps<Row>,
  { id: activeId, move, leave, onFocus }: ReturnType<typeof useActiveRow>,
) {
  const { openIds, toggle } = shown;
  const onKeyDown = useRowKeys({ activeId, openIds, move, toggle, leave, onMenu });
  const isPhone = useWidthQuery('phone');
  const opensBy = leadsAway ? 'click' : opensByOf(detail, isPhone);
  const pointer = useRowPointer({ opensBy, activeId, toggle, onMenu });
  return { ...pointer, onKeyDown, onFocusCapture: onFocus };
}

const opensByOf = <Row extends object>(detail: RowDetail<Row> | undefined, isPhone: boolean) =>
  !detail ? 'none' : isPhone || detail.opensByClick ? 'click' : 'secondClick';

type RowLooks<Row extends object> = { parts: RowParts<Row>; tabStop: string | null; hasRendered: boolean };

const rowLine = <Row extends object>(
  { layout, shown }: TableBodyProps<Row>,
  { item, line, start, row }: DrawnLine<Row>,
  { parts, tabStop, hasRendered }: RowLooks<Row>,
) => (
  <TableRow
    // By place, not by id: a re-sort then writes new texts, where moving rows would lay them out again.
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
