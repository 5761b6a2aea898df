import type { ExpandedState } from '@tanstack/react-table';
import { useMemo, useRef } from 'react';
import type { SortState, TableColumn } from './types.ts';
import { useHeldOrder } from './useHeldOrder.ts';

export type ShownRowsInput<Row> = {
  rows: readonly Row[];
  rowId(row: Row): string;
  columns: readonly TableColumn<Row>[];
  sort: SortState | null;
  resetKey: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  expanded: ExpandedState;
  /** Somebody is reading: the order is held. */
  isReading: boolean;
};

const NONE: ReadonlySet<string> = new Set();

/** The rows in their order, which is held while somebody reads or a row is open, and which of them are open. */
export function useShownRows<Row>(input: ShownRowsInput<Row>) {
  const { columns, sort, expanded, isReading } = input;
  const hasOpenRow = useRef(false);
  const sorted = columns.find(({ id }) => id === sort?.id);
  const { rows, ids, left } = useHeldOrder<Row>({
    rows: input.rows,
    rowId: input.rowId,
    by: sorted && sort ? { read: sorted.read, desc: sort.desc } : null,
    frozen: isReading || hasOpenRow.current,
    resetKey: `${input.resetKey}|${sort?.id}|${sort?.desc}`,
    lookup: input.lookup,
  });
  const openIds = useMemo(() => {
    if (expanded !== true && Object.keys(expanded).length === 0) return NONE;
    return new Set(ids.filter((id) => expanded === true || expanded[id] === true));
  }, [ids, expanded]);
  hasOpenRow.current = openIds.size > 0;
  return { rows, ids, left, openIds, isHeld: rows.length > 0 && (isReading || openIds.size > 0) };
}
