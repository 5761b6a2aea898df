import { type RefObject, useLayoutEffect, useState } from 'react';
import { createLineWriter } from './lineWriter.ts';
import type { TableBodyProps } from './TableBody.tsx';
import type { DrawnLine } from './types.ts';
import type { useActiveRow } from './useActiveRow.ts';
import { useChangeFlash } from './useChangeFlash.ts';
import type { VisibleLine } from './useRowWindow.ts';

export const drawnLines = <Row>(visible: readonly VisibleLine[], rows: readonly Row[]): DrawnLine<Row>[] =>
  visible.flatMap((line) => {
    const row = rows[line.item.index];
    return row === undefined ? [] : [{ ...line, row }];
  });

/** The same lines for other rows, as long as none is open. */
const linesOf = (visible: readonly VisibleLine[], ids: readonly string[]): VisibleLine[] =>
  visible.map((line) => ({ ...line, item: { ...line.item, id: ids[line.item.index] ?? '' } }));

/** What stands in the lines at a moment, and which of them can be reached and is selected. */
type Written<Row extends object> = {
  drawn: readonly DrawnLine<Row>[];
  tabStop: string | null;
  selectedId: string | null;
};

type Body = RefObject<HTMLTableSectionElement | null>;

/** Writes the rows into the lines after each render. @returns what writes others without one */
export function useLineWriter<Row extends object>(
  body: Body,
  props: TableBodyProps<Row>,
  rendered: Written<Row>,
) {
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

/** Tints what changed with a render, and draws without one what comes while no row is active or open. */
export function useFlashAndDrawer<Row extends object>(
  body: Body,
  { shown, layout, heights, tints, requested }: TableBodyProps<Row>,
  { drawn, visible, active, hasRendered, write }: Drawing<Row>,
): void {
  const { openIds, drawer } = shown;
  const flash = useChangeFlash<Row>(body, tints);
  useLayoutEffect(() => flash({ lines: drawn, layout, rowHeight: heights.row }));
  useLayoutEffect(() => {
    // A row that is active is drawn also out of sight, and its line may be another.
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
