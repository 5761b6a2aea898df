import {
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useMemo,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
} from 'react';
import { alertCount, type BulkAction, namedFew } from '#subjects/alerts/rules/manyAlerts.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ScanAlertDialog } from '../../shared/lateAlertDialogs.tsx';
import { requestAlert } from '../../shared/showAlert.ts';
import { fetchScanAlerts, useWork } from '../../shared/alertRequests.ts';
import { ifMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { settingsPath } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { NativeSelect, Toggle } from '#ui/Field.tsx';
import { fetchAllAlerts, type LoadedAttention, saveWeekly } from '../api.ts';
import { followChanges } from '../../shared/alertStream.ts';
import {
  AlertList,
  ListFailure,
  ListSearch,
  useSearch,
  stockColumn,
  textColumn,
  titledColumn,
} from '../parts/AlertList.tsx';
import { type AlertRow, calledOf, type LoadedAlerts, textsOf, useAlertRows, whyOf } from './alertRows.ts';
import { UndoMany, ManyBar, useSelection, useMany } from './manyAlerts.tsx';
import { compareNames } from '#lib/unicode.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import { idOfRow } from '#ui/table/rowFocus.ts';
import type { SortState, TableColumn } from '#ui/table/tableModel.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { formatDate, formatMoment } from '#texts/format.ts';
import { serverNow } from '#web/live/market.ts';
import { ALERT_STATES } from '#subjects/alerts/rules/alertState.ts';
import { placeNames } from '#subjects/alerts/rules/alertText.ts';
import { Pill, type PillVariant } from '#ui/Pill.tsx';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';

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

const wordsColumn = titledColumn<AlertRow>({
  id: 'words',
  label: 'Condition',
  width: 206,
  maxWidth: 480,
  text: ({ words }) => words,
});

/** On a phone the condition is next to the stock. Call it in a memo. @param toggle selects a row, or a range up to it */
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
  titledColumn({ id: 'why', label: 'Why', width: isNarrow ? 206 : 420, maxWidth: 640, text: whyOf }),
  ...(isNarrow ? [wordsColumn] : []),
  column({ id: 'name', label: 'Name', width: 130, maxWidth: 240, text: ({ name }) => name }),
  ...(hasGroups
    ? [column({ id: 'group', label: 'Group', width: 100, maxWidth: 180, text: ({ group }) => group })]
    : []),
  ...(isNarrow ? [] : [wordsColumn]),
  stateColumn,
  column({
    id: 'repeats',
    label: 'Repeat',
    title: 'Fires each time instead of once',
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

const LEFT_OUT: readonly string[] = ['state', 'repeats', 'expires', 'note'];

type AlertsTableProps = {
  tools(exporting: ReactNode): ReactNode;
  rows: readonly AlertRow[];
  isLoading: boolean;
  /** True if only alerts that need attention are shown, with the reasons. */
  needsAttention: boolean;
  typed: string;
  /** Receives a function that returns the rows in display order. */
  order: RefObject<() => readonly AlertRow[]>;
  onOpen(id: string): void;
  onToggle(id: string, isRange: boolean): void;
  onAll(): void;
};

const rowId = ({ id }: AlertRow): string => id;

function Nothing({ typed, needsAttention }: Pick<AlertsTableProps, 'typed' | 'needsAttention'>): ReactNode {
  if (typed !== '') return <EmptyState>No alerts match “{typed}”.</EmptyState>;
  if (!needsAttention) return <EmptyState>No alerts yet. Open a symbol on My list to add one.</EmptyState>;
  return <EmptyState detail={formatDate(sydneyDate(serverNow()))}>No alerts need attention.</EmptyState>;
}

/** Publishes the table's row order for range selection. */
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

/** Handles Shift or Ctrl clicks and the space bar, which rows do not. */
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

/** The table of all alerts. A click or Enter opens a row; Shift, Ctrl or the space bar selects it. */
function AlertsTable(props: AlertsTableProps): ReactNode {
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
  const members = useMemo(() => rows.map(rowId).sort().join(), [rows]);
  const selecting = selectingBy(props);
  return (
    <div role="presentation" {...selecting}>
      <DataTable
        label="All alerts"
        columns={columns}
        rows={rows}
        rowId={rowId}
        sort={sort}
        onSort={setSort}
        onOpen={props.onOpen}
        resetKey={`${typed} ${members}`}
        loading={props.isLoading}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <OrderOf order={props.order} newestRows={newestRows}>
            <div className="list-tools gap-2-3 align-end row">
              {props.tools(<ExportButton label="All alerts" columns={columns} rows={newestRows} />)}
              {pausedChip}
            </div>
          </OrderOf>
        )}
        empty={<Nothing typed={typed} needsAttention={needsAttention} />}
      />
    </div>
  );
}

const NO_REASONS: readonly never[] = [];
const ALL = 'all';
const NONE = 'none';
/** The prefix keeps group names distinct from ALL and NONE. */
const idOf = (group: string): string => `group ${group}`;

function useGroups(all: readonly AlertRow[]) {
  const [chosen, choose] = useState<string>(ALL);
  const names = useMemo(
    () => [...new Set(all.map(({ group }) => group))].filter((name) => name !== '').sort(compareNames),
    [all],
  );
  // If the chosen group is gone, all alerts are shown.
  const isThere = chosen === NONE || names.some((name) => idOf(name) === chosen);
  const shown = isThere && names.length > 0 ? chosen : ALL;
  const rows = useMemo(
    () =>
      shown === ALL
        ? all
        : all.filter(({ group }) => (shown === NONE ? group === '' : idOf(group) === shown)),
    [all, shown],
  );
  return { names, rows, shown, choose };
}

function GroupFilter({ names, shown, choose }: ReturnType<typeof useGroups>): ReactNode {
  if (names.length === 0) return null;
  const options = [
    { id: ALL, label: 'All groups' },
    ...names.map((name) => ({ id: idOf(name), label: name })),
    { id: NONE, label: 'Without a group' },
  ];
  return <NativeSelect label="Group" value={shown} options={options} onChoose={choose} />;
}

async function fetchAll(): Promise<LoadedAlerts> {
  const [stocks, scans] = await Promise.all([
    fetchAllAlerts(),
    // A server with only the specified routes has no alerts on scans.
    fetchScanAlerts().catch(ifMissing({ scan_alerts: [] })),
  ]);
  return { stocks, scans: scans.scan_alerts };
}

function useOpening(rows: readonly AlertRow[]) {
  const [edited, edit] = useState<ScanAlertView | null>(null);
  const open = useCallback(
    (id: string) => {
      const row = rows.find((one) => one.id === id);
      if (row?.of.kind === 'alert') requestAlert(row.of.alert.symbol, row.of.alert.id);
      else if (row) edit(row.of.alert);
    },
    [rows],
  );
  return { open, edited, close: () => edit(null) };
}

type FilterProps = {
  attention: LoadedAttention;
  needsAttention: boolean;
  onFilter(isOn: boolean): void;
};

export function AllAlerts({ attention, needsAttention, onFilter }: FilterProps): ReactNode {
  const { data: loaded, error, reload } = useLoaded(fetchAll, MESSAGES.watchlist.loadAlerts);
  useEffect(() => followChanges(() => void reload()), [reload]);
  const check = attention.reload;
  const load = useCallback(async () => void (await Promise.all([reload(), check()])), [reload, check]);
  const many = useMany(load);
  const order = useRef<() => readonly AlertRow[]>(() => []);
  const { selected, toggle, choose } = useSelection(() => order.current().map(({ id }) => id));
  const all = useAlertRows(loaded, attention.data?.reasons ?? NO_REASONS, many.wanted, selected);
  const due = useMemo(() => all.filter(({ reasons }) => reasons.length > 0), [all]);
  const groups = useGroups(needsAttention ? due : all);
  const { rows, typed, setTyped } = useSearch(groups.rows, textsOf);
  const { open, edited, close } = useOpening(all);
  const isLoading = loaded === null || (needsAttention && attention.data === null);
  const failure = error ?? (needsAttention ? attention.error : null);
  const chooseAll = (isOn: boolean) => choose(isOn ? rows.map(({ id }) => id) : []);
  return (
    <AlertList label="All alerts" isLoading={isLoading}>
      <ListFailure error={failure} hasOld={!isLoading} onRetry={load} />
      <Outcome {...many} />
      <UndoMany rows={all} load={load} />
      {(!isLoading || failure === null) && (
        <AlertsTable
          tools={(exporting) => (
            <Tools
              exporting={exporting}
              rows={rows}
              typed={typed}
              many={many}
              groups={groups}
              needsAttention={needsAttention}
              onType={setTyped}
              onAll={chooseAll}
            >
              <Toggle
                label={`Needs attention${due.length > 0 ? ` (${due.length})` : ''}`}
                checked={needsAttention}
                onChange={onFilter}
              />
            </Tools>
          )}
          rows={rows}
          isLoading={isLoading}
          needsAttention={needsAttention}
          typed={typed.trim()}
          order={order}
          onOpen={open}
          onToggle={toggle}
          onAll={() => chooseAll(true)}
        />
      )}
      {needsAttention && <WeeklyToggle attention={attention} />}
      {edited !== null && <ScanAlertDialog alert={edited} scan={edited.scan} onClose={close} />}
    </AlertList>
  );
}

function WeeklyToggle({ attention: { data, set, reload } }: { attention: LoadedAttention }): ReactNode {
  const noteId = useId();
  const { error, work, dismiss } = useWork(MESSAGES.settings.save);
  if (data === null) return null;
  const change = async (weekly: boolean) => {
    set({ ...data, weekly });
    if (!(await work(() => saveWeekly(weekly)))) await reload();
  };
  return (
    <>
      <div className="row">
        <Toggle
          label="Send me this once a week"
          describedBy={noteId}
          checked={data.weekly}
          onChange={(isOn) => void change(isOn)}
        />
        <span className="muted" id={noteId}>
          {data.hasPlace ? (
            'To your chats and devices on Saturdays at 10:00 Sydney, only if alerts need attention.'
          ) : (
            <>
              No chat or device can receive messages yet:{' '}
              <a href={`#${settingsPath('linked-accounts')}`}>link one in Settings</a>.
            </>
          )}
        </span>
      </div>
      {error !== null && <Banner onDismiss={dismiss}>{error}</Banner>}
    </>
  );
}

type ToolsProps = Omit<ManyProps, 'groups'> & {
  typed: string;
  groups: ReturnType<typeof useGroups>;
  onType(typed: string): void;
  children: ReactNode;
};

const Tools = ({ typed, groups, onType, children, ...rest }: ToolsProps): ReactNode => (
  <>
    <ListSearch
      label="Search alerts"
      placeholder="Code, name, group, condition or note"
      typed={typed}
      onType={onType}
    />
    <GroupFilter {...groups} />
    {children}
    <Many groups={groups.names} {...rest} />
  </>
);

/** Shows the outcome. It takes the focus if the pressed button was disabled and lost it. */
function Outcome({ outcome, forget }: Pick<ReturnType<typeof useMany>, 'outcome' | 'forget'>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    outcome && (
      <div ref={box} tabIndex={-1}>
        <Banner
          variant={outcome.isWhole ? 'info' : 'error'}
          onDismiss={forget}
          action={outcome.undo && <Button onClick={() => void outcome.undo?.()}>Undo</Button>}
        >
          {outcome.text}
        </Banner>
      </div>
    )
  );
}

type ManyProps = {
  rows: readonly AlertRow[];
  many: ReturnType<typeof useMany>;
  groups: readonly string[];
  needsAttention: boolean;
  exporting: ReactNode;
  onAll(isOn: boolean): void;
};

const GroupDialog = late(() => import('./GroupDialog.tsx').then((code) => code.GroupDialog));

type Asked = { action: BulkAction; rows: readonly AlertRow[] };

/** Actions on the selected rows. Rows hidden by the search are not changed. */
function Many({ rows, many, groups, needsAttention, exporting, onAll }: ManyProps): ReactNode {
  const [asked, ask] = useState<Asked | null>(null);
  const chosen = rows.filter(({ isSelected }) => isSelected);
  const answer = (group: string | null = null) => {
    ask(null);
    if (asked) void many.run(asked.rows, asked.action, group);
  };
  return (
    <>
      <ManyBar
        shown={rows.length}
        selected={chosen}
        needsAttention={needsAttention}
        running={many.running}
        exporting={exporting}
        onAll={onAll}
        onDo={(action, some) => {
          if (action === 'delete' || action === 'group' || action === 'merge') ask({ action, rows: some });
          else void many.run(some, action);
        }}
      />
      {asked?.action === 'group' && (
        <GroupDialog count={asked.rows.length} groups={groups} onClose={() => ask(null)} onChoose={answer} />
      )}
      {asked !== null && asked.action !== 'group' && (
        <DeleteDialog {...asked} onCancel={() => ask(null)} onConfirm={() => answer()} />
      )}
    </>
  );
}

type DeleteDialogProps = Asked & { onCancel(): void; onConfirm(): void };

function DeleteDialog({ action, rows, ...answers }: DeleteDialogProps): ReactNode {
  const count = alertCount(rows.length);
  const isMerge = action === 'merge';
  return (
    <LateConfirm
      open
      title={isMerge ? 'Merge duplicates?' : `Delete ${count}?`}
      action={isMerge ? `Merge and delete ${count}` : `Delete ${count}`}
      {...answers}
    >
      <p>{namedFew(rows.map(calledOf))}.</p>
      <p>
        {isMerge
          ? 'The oldest keeps its name and note and takes over the destinations of the others. The history of deleted alerts is lost.'
          : `${rows.length === 1 ? 'Its' : 'Their'} history is also deleted.`}
      </p>
    </LateConfirm>
  );
}
