import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useMemo } from 'react';
import { DetailRow } from './DetailRow.tsx';
import { endFlash } from './flash.ts';
import { itemKey, rowItems } from './rowItems.ts';
import { handleRowKey } from './rowKeys.ts';
import { TableRow } from './TableRow.tsx';
import type { TableColumn } from './types.ts';
import { useActiveRow, useSettledFocus } from './useActiveRow.ts';
import type { ElementSize } from './useElementSize.ts';
import type { useReading } from './useReading.ts';
import type { CellStyle } from './widths.ts';
import { useRowWindow } from './useRowWindow.ts';

type BodyRow<Row> = { id: string; original: Row };

export type TableBodyProps<Row> = {
  rows: readonly BodyRow<Row>[];
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
  const { rows, columns, styles, openIds, left, detail, size, scroller, toggle, reading } = props;
  const items = useMemo(
    () =>
      rowItems(
        rows.map((row) => row.id),
        (id) => openIds.has(id),
      ),
    [rows, openIds],
  );
  const active = useActiveRow(rows, props.isPrimary);
  const lines = useRowWindow({ items, size, scroller, keepId: active.id });
  useSettledFocus(active.wanted, scroller, lines.scrollTo);
  const actions = useMemo(() => ({ toggle }), [toggle]);

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

  const firstId = rows[0]?.id ?? null;
  return (
    <tbody
      role="rowgroup"
      className="table-body"
      style={{ height: lines.height }}
      onKeyDown={onKeyDown}
      onAnimationEnd={endFlash}
      onFocusCapture={follow}
      {...reading}
    >
      {lines.visible.map(({ item, start, itemIndex }) => {
        const row = rows[item.index]?.original;
        if (row === undefined) return null;
        return item.isDetail ? (
          <DetailRow
            key={itemKey(item)}
            id={item.id}
            index={itemIndex}
            start={start}
            span={columns.length + 1}
            measure={lines.measure}
          >
            {detail?.render(row)}
          </DetailRow>
        ) : (
          <TableRow
            key={item.id}
            id={item.id}
            row={row}
            columns={columns}
            styles={styles}
            start={start}
            ariaIndex={itemIndex + 2}
            isTabStop={item.id === (activeId ?? firstId)}
            hasLeft={left.has(item.id)}
            expanded={detail ? openIds.has(item.id) : null}
            expandLabel={detail?.label(row) ?? ''}
            actions={actions}
          />
        );
      })}
    </tbody>
  );
}
