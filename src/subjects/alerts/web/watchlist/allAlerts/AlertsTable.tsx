import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import { idOfRow } from '#ui/table/rowFocus.ts';
import type { SortState, TableColumn } from '#ui/table/types.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { type AlertRow, calledOf, whyOf } from './alertRows.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { formatDate } from '#texts/format.ts';
import { serverNow } from '#web/live/market.ts';
import { ALERT_STATES } from '#subjects/alerts/rules/alertState.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { placeNames } from '#subjects/alerts/rules/alertText.ts';
import { Pill, type PillVariant } from '#ui/Pill.tsx';
import { stockColumn, textColumn, titledColumn } from '../parts/AlertList.tsx';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

const VARIANTS: Readonly<Partial<Record<AlertRow['state']['key'], PillVariant>>> = {
  snoozed: 'stale',
  waiting: 'warn',
  problem: 'warn',
  stopped: 'warn',
};

const column = textColumn<AlertRow>;

const stateColumn = column({
  id: 'state',
  label: 'State',
  width: 190,
  maxWidth: 210,
  read: ({ state }) => ALERT_STATES.indexOf(state.key),
  text: ({ state }) => state.text,
  render: ({ state: { key, text, detail } }) => {
    const variant = VARIANTS[key];
    return (
      <span title={detail ?? undefined} className={key === 'off' || key === 'expired' ? 'muted' : undefined}>
        {variant ? <Pill variant={variant}>{text}</Pill> : text}
        {detail !== null && <span className="visually-hidden">: {detail}</span>}
      </span>
    );
  },
});

const selectColumn = (toggle: (id: string, isRange: boolean) => void): TableColumn<AlertRow> => ({
  ...column({ id: 'select', label: 'Select', width: 40, maxWidth: 40, text: () => '' }),
  isLong: false,
  isSortable: false,
  pinned: true,
  render: (row, inTabOrder) => (
    <label className="alert-select center">
      <input
        type="checkbox"
        aria-label={`Select ${calledOf(row)}`}
        checked={row.isSelected}
        tabIndex={inTabOrder ? 0 : -1}
        onChange={({ nativeEvent }) =>
          toggle(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  ),
});

type TimeColumn = { id: string; label: string; width: number; read(row: AlertRow): number | null };

const timeColumn = (given: TimeColumn): TableColumn<AlertRow> =>
  column({
    ...given,
    maxWidth: 130,
    numeric: true,
    isTime: true,
    text: (row) => {
      const time = given.read(row);
      return time === null ? 'Never' : formatMoment(time);
    },
  });

/** The columns of all alerts. Make them in a memo. @param toggle selects a row, or a range up to it */
const alertColumns = (
  toggle: (id: string, isRange: boolean) => void,
  isNarrow: boolean,
  hasGroups: boolean,
): TableColumn<AlertRow>[] => [
  selectColumn(toggle),
  stockColumn({
    id: 'what',
    label: 'Stock or scan',
    isNarrow,
    narrowWidth: 116,
    text: ({ what }) => what,
    isCode: ({ of }) => of.kind === 'alert',
    companyOf: ({ company }) => company,
  }),
  titledColumn({ id: 'why', label: 'Why', width: 420, maxWidth: 640, text: whyOf }),
  column({ id: 'name', label: 'Name', width: 130, maxWidth: 240, text: ({ name }) => name }),
  ...(hasGroups
    ? [column({ id: 'group', label: 'Group', width: 100, maxWidth: 180, text: ({ group }) => group })]
    : []),
  titledColumn({ id: 'words', label: 'Condition', width: 200, maxWidth: 480, text: ({ words }) => words }),
  stateColumn,
  column({
    id: 'repeats',
    label: 'Repeat',
    title: 'Repeat each time',
    width: 84,
    maxWidth: 100,
    text: ({ repeats }) => repeats,
  }),
  column({
    id: 'destinations',
    label: 'Sent to',
    width: 104,
    maxWidth: 140,
    text: ({ destinations }) => placeNames(destinations).join(', ') || 'Browser only',
  }),
  timeColumn({ id: 'last', label: 'Last triggered', width: 112, read: ({ lastAt }) => lastAt }),
  timeColumn({ id: 'expires', label: 'Expires', width: 104, read: ({ expiresAt }) => expiresAt }),
  titledColumn({ id: 'note', label: 'Note', width: 120, maxWidth: 320, text: ({ note }) => note }),
];

/** Left out where it is shown why alerts need attention. */
const LEFT_OUT: readonly string[] = ['state', 'repeats', 'expires', 'note'];

type AlertsTableProps = {
  rows: readonly AlertRow[];
  isLoading: boolean;
  /** Only alerts that need attention are shown, with why. */
  needsAttention: boolean;
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

function Nothing({ typed, needsAttention }: Pick<AlertsTableProps, 'typed' | 'needsAttention'>): ReactNode {
  if (typed !== '') return <EmptyState>No alert answers to “{typed}”.</EmptyState>;
  if (!needsAttention) return <EmptyState>No alerts yet. Open a symbol on My list to add one.</EmptyState>;
  return <EmptyState detail={formatDate(sydneyDate(serverNow()))}>No alerts need attention.</EmptyState>;
}

/** Hands the order that the table shows to anyone who selects ranges. */
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

/** With Shift or Ctrl a click selects, by the space bar a key: what the rows leave of both is heard around them. */
function selectingBy({ onToggle, onAll }: Pick<AlertsTableProps, 'onToggle' | 'onAll'>) {
  const onClickCapture = (event: MouseEvent) => {
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
    if (isAll) onAll();
    else onToggle(id, event.shiftKey);
  };
  return { onClickCapture, onKeyDown };
}

/** The rows of all alerts. A click or Enter opens one; with Shift, Ctrl or by the space bar it is selected. */
export function AlertsTable(props: AlertsTableProps): ReactNode {
  const { rows, typed, needsAttention, onToggle } = props;
  const [sort, setSort] = useState<SortState>({ id: 'what', desc: false });
  const isNarrow = useWidthQuery('phone');
  const hasGroups = rows.some(({ group }) => group !== '');
  const columns = useMemo(
    () =>
      alertColumns(onToggle, isNarrow, hasGroups).filter(({ id }) =>
        needsAttention ? !LEFT_OUT.includes(id) : id !== 'why',
      ),
    [onToggle, isNarrow, hasGroups, needsAttention],
  );
  const members = useMemo(() => rows.map(idOf).sort().join(), [rows]);
  const selecting = selectingBy(props);
  return (
    <div role="presentation" {...selecting}>
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
            <div className="cluster gap-3 small">
              <TakeButton label="All alerts" columns={columns} rows={newestRows} />
              {pausedChip}
            </div>
          </OrderOf>
        )}
        empty={<Nothing typed={typed} needsAttention={needsAttention} />}
      />
    </div>
  );
}
