import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import type { Ordered, Paused } from './heldOrder.ts';
import type { LiveRows, OpenRows, SortState, TableColumn } from './types.ts';
import { type DrawInPlace, useHeldOrder } from './useHeldOrder.ts';
import { useOpenRows } from './useOpenRows.ts';

export type ShownRowsInput<Row> = {
  rows: readonly Row[] | LiveRows<Row>;
  rowId(row: Row): string;
  columns: readonly TableColumn<Row>[];
  sort: SortState | null;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  /** Somebody is reading: the order is held. */
  isReading: boolean;
  openRows?: OpenRows | undefined;
};

export type ShownRows<Row> = {
  rows: readonly Row[];
  /** Of those rows, in their order. */
  ids: readonly string[];
  /** Ids of rows that are still shown but no longer belong. */
  leftIds: ReadonlySet<string>;
  openIds: ReadonlySet<string>;
  /** Opens or closes a row. */
  toggle(id: string): void;
  /** Whether there are rows whose order is held. */
  isHeld: boolean;
  /** What that keeps back; null when it is nothing. */
  paused: Paused | null;
  /** Lets everything go where it belongs at once. */
  resume(): void;
  /** The newest rows: those of a signal may be drawn without a render. */
  newest(): Pick<Ordered<Row>, 'rows' | 'ids'>;
  /** What draws them; null while only a render can. */
  drawer: RefObject<DrawInPlace<Row> | null>;
};

/** The rows in their order, which is held while somebody reads and near open rows, and which of them are open. */
export function useShownRows<Row>(input: ShownRowsInput<Row>): ShownRows<Row> {
  const { columns, sort, isReading } = input;
  const { open, toggle } = useOpenRows(input.openRows);
  const sorted = columns.find(({ id }) => id === sort?.id);
  const { rows: source } = input;
  const { rows, ids, leftIds, paused, resume, newest, take } = useHeldOrder<Row>({
    rows: 'peek' in source ? source.peek() : source,
    rowId: input.rowId,
    by: sorted && sort ? { read: sorted.read, desc: sort.desc } : null,
    isHeld: isReading,
    openIds: open,
    resetKey: `${input.resetKey}|${sort?.id}|${sort?.desc}`,
    epoch: input.epoch,
    lookup: input.lookup,
  });
  const drawer = useRef<DrawInPlace<Row> | null>(null);
  useLayoutEffect(() => {
    if ('peek' in source) return source.subscribe((now) => take(now, drawer.current));
  }, [source, take]);
  const openIds = useMemo(
    () => (open.size === 0 ? open : new Set(ids.filter((id) => open.has(id)))),
    [ids, open],
  );
  const isHeld = rows.length > 0 && (isReading || openIds.size > 0);
  return { rows, ids, leftIds, openIds, toggle, isHeld, paused, resume, newest, drawer };
}
