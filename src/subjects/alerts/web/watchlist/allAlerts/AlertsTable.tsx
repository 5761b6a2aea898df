import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { EmptyState } from '../../../../../../web/ui/EmptyState.tsx';
import { DataTable } from '../../../../../../web/ui/table/DataTable.tsx';
import { idOfRow } from '../../../../../../web/ui/table/rowFocus.ts';
import type { SortState } from '../../../../../../web/ui/table/types.ts';
import { useWidthQuery } from '../../../../../../web/ui/useWidthQuery.ts';
import type { AlertRow } from './alertRows.ts';
import { alertColumns } from './columns.tsx';

type AlertsTableProps = {
  rows: readonly AlertRow[];
  isLoading: boolean;
  /** What is searched for; '' for nothing. */
  typed: string;
  /** Takes what gives the rows in the order in which they are shown. */
  order: RefObject<() => readonly AlertRow[]>;
  onOpen(id: string): void;
  /** Selects a row or takes it out, or all from the last one on. */
  onToggle(id: string, isRange: boolean): void;
  onAll(): void;
};

const idOf = ({ id }: AlertRow): string => id;
const NOTHING = 'No alerts yet. Open a symbol on My list to add one.';

/** Hands the order that the table shows to whoever selects ranges. */
function OrderOf({
  order,
  newestRows,
  children,
}: Pick<AlertsTableProps, 'order'> & {
  newestRows(): readonly AlertRow[];
  children: ReactNode;
}): ReactNode {
  useLayoutEffect(() => {
    order.current = newestRows;
  });
  return children;
}

/** The rows of all alerts. A click or Enter opens one; with Shift, Ctrl or by the space bar it is selected. */
export function AlertsTable(props: AlertsTableProps): ReactNode {
  const { rows, typed, onToggle } = props;
  const [sort, setSort] = useState<SortState>({ id: 'what', desc: false });
  const isNarrow = useWidthQuery('phone');
  const columns = useMemo(() => alertColumns(onToggle, isNarrow), [onToggle, isNarrow]);
  const members = useMemo(() => rows.map(idOf).sort().join(), [rows]);
  const onClick = (event: MouseEvent) => {
    const { target } = event;
    const isSelecting = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!isSelecting || !(target instanceof Element) || target.closest('label, button') !== null) return;
    const id = idOfRow(target);
    if (id === null) return;
    event.stopPropagation();
    window.getSelection()?.removeAllRanges();
    onToggle(id, event.shiftKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || target.getAttribute('role') !== 'row') return;
    const id = idOfRow(target);
    const isAll = event.key === 'a' && (event.ctrlKey || event.metaKey);
    if (id === null || (event.key !== ' ' && !isAll)) return;
    event.preventDefault();
    if (isAll) props.onAll();
    else onToggle(id, event.shiftKey);
  };
  return (
    // The rows have the keyboard: this hears what they leave.
    <div role="presentation" onClickCapture={onClick} onKeyDown={onKeyDown}>
      <DataTable
        label="All alerts"
        columns={columns}
        rows={rows}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        onOpen={props.onOpen}
        resetKey={`${typed} ${members}`}
        loading={props.isLoading}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <OrderOf order={props.order} newestRows={newestRows}>
            {pausedChip}
          </OrderOf>
        )}
        empty={<EmptyState>{typed === '' ? NOTHING : `No alert answers to “${typed}”.`}</EmptyState>}
      />
    </div>
  );
}
