import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useMemo, useRef } from 'react';
import { DetailRow } from './DetailRow.tsx';
import { useFlashes } from './flash.ts';
import { itemKey, rowItems } from './rowItems.ts';
import { handleRowKey } from './rowKeys.ts';
import { TableRow } from './TableRow.tsx';
import type { TableColumn } from './types.ts';
import { useActiveRow, useFollowingFocus, useSettledFocus } from './useActiveRow.ts';
import type { ElementSize } from './useElementSize.ts';
import type { useReading } from './useReading.ts';
import type { CellStyle } from './widths.ts';
import { useRowWindow } from './useRowWindow.ts';

export type TableBodyProps<Row> = {
  rows: readonly Row[];
  /** Of the rows, in their order. */
  ids: readonly string[];
  columns: readonly TableColumn<Row>[];
  styles: readonly CellStyle[];
  openIds: ReadonlySet<string>;
  left: ReadonlySet<string>;
  detail: { label(row: Row): string; render(row: Row): ReactNode } | undefined;
  size: ElementSize;
  scroller: RefObject<HTMLDivElement | null>;
  toggle(id: string): void;
  reading: ReturnType<typeof useReading>['handlers'];
  isPrimary: boolean;
};

const isRow = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('role') === 'row';

/** The rows in sight, each at its own place, and the panels open under them. */
export function TableBody<Row>(props: TableBodyProps<Row>): ReactNode {
  const { rows, ids, columns, styles, openIds, left, detail, size, scroller, toggle, reading } = props;
  const items = useMemo(() => rowItems(ids, openIds), [ids, openIds]);
  const active = useActiveRow(ids, props.isPrimary);
  const lines = useRowWindow({ items, size, scroller, keepId: active.id });
  const body = useRef<HTMLTableSectionElement>(null);
  useSettledFocus(active.wanted, scroller, lines.scrollTo);
  useFollowingFocus(body, active.focusedId);
  const drawn = new Map<string, Row>();
  for (const { item } of lines.visible) {
    const row = rows[item.index];
    if (row !== undefined) drawn.set(item.id, row);
  }
  useFlashes(body, { drawn, columns, offset: detail ? 1 : 0 });

  const { id: activeId, move, leave, follow } = active;
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const onRow = isRow(event.target);
      // Enter on a link or button inside a row is theirs.
      if (activeId === null || (event.key === 'Enter' && !onRow)) return;
      const used = handleRowKey(event, {
        move,
        toggle: () => toggle(activeId),
        close: () => {
          if (!openIds.has(activeId)) return false;
          toggle(activeId);
          return true;
        },
        leave,
      });
      if (used) event.preventDefault();
    },
    [activeId, move, leave, toggle, openIds],
  );

  const firstId = ids[0] ?? null;
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      onKeyDown={onKeyDown}
      onFocusCapture={follow}
      {...reading}
    >
      {lines.visible.map(({ item, start, line }) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        return item.isDetail ? (
          <DetailRow
            key={itemKey(item)}
            id={item.id}
            index={line}
            start={start}
            span={columns.length + 1}
            width={size.width}
            measure={lines.measure}
          >
            {detail?.render(row)}
          </DetailRow>
        ) : (
          <TableRow
            // By place, not by id: a re-sort then writes new texts, where moving rows would lay them out anew.
            key={item.index}
            id={item.id}
            row={row}
            columns={columns}
            styles={styles}
            start={start}
            ariaIndex={line + 2}
            isTabStop={item.id === (activeId ?? firstId)}
            hasLeft={left.has(item.id)}
            expanded={detail ? openIds.has(item.id) : null}
            expandLabel={detail?.label(row) ?? ''}
            toggle={toggle}
          />
        );
      })}
    </tbody>
  );
}
