import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useMemo,
} from 'react';
import { alertCount, type BulkAction, namedFew } from '#subjects/alerts/rules/manyAlerts.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ScanAlertDialog, LateConfirm } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { requestAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { fetchScanAlerts } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { useWork } from '#subjects/alerts/web/shared/useWork.ts';
import { fetchAllAlerts } from '../api.ts';
import { type LoadedAttention, saveWeekly } from '../attention.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { followChanges } from '#subjects/alerts/web/shared/alertStream.ts';
import { AlertList, ListFailure, ListSearch, useSearch } from '../parts/AlertList.tsx';
import { AlertsTable } from './AlertsTable.tsx';
import { type AlertRow, calledOf, type LoadedAlerts, textsOf, useAlertRows } from './alertRows.ts';
import { ArmingMany, ManyBar, useSelection } from './ManyBar.tsx';
import { useMany } from './requests.ts';
import { compareNames } from '#lib/text.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';

const NO_REASONS: readonly never[] = [];
const ALL = 'all';
const NONE = 'none';
/** So that no group is called as one of the others. */
const idOf = (group: string): string => `group ${group}`;

/** The groups of alerts, and the rows of the one that is chosen. */
function useGroups(all: readonly AlertRow[]) {
  const [chosen, choose] = useState<string>(ALL);
  const names = useMemo(
    () => [...new Set(all.map(({ group }) => group))].filter((name) => name !== '').sort(compareNames),
    [all],
  );
  // Of a group that is gone all are shown.
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

/** Shows the alerts of one group; there only where there are groups. */
function GroupFilter({ names, shown, choose }: ReturnType<typeof useGroups>): ReactNode {
  if (names.length === 0) return null;
  const options = [
    { id: ALL, label: 'All groups' },
    ...names.map((name) => ({ id: idOf(name), label: name })),
    { id: NONE, label: 'Without a group' },
  ];
  return <NativeSelect label="Group" value={shown} options={options} onChoose={choose} />;
}

/** A server that knows only what the specification names has no alerts on scans. */
async function fetchScans(): Promise<readonly ScanAlertView[]> {
  try {
    return (await fetchScanAlerts()).scan_alerts;
  } catch (problem) {
    if (isMissing(problem)) return [];
    throw problem;
  }
}

async function fetchAll(): Promise<LoadedAlerts> {
  const [stocks, scans] = await Promise.all([fetchAllAlerts(), fetchScans()]);
  return { stocks, scans };
}

/** Leads to an alert on a stock, and shows the dialog of one on a scan. */
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
  /** Only alerts that need attention are shown. */
  needsAttention: boolean;
  onFilter(isOn: boolean): void;
};

/** All alerts of the user in one table, on stocks and on scans, to be sorted, searched, and changed several at once. */
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
      <ListFailure error={failure} what="alerts" hasOld={!isLoading} onRetry={load} />
      <Tools
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
      <Outcome {...many} />
      <ArmingMany rows={all} load={load} />
      {(!isLoading || failure === null) && (
        <AlertsTable
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

/** Whether the alerts that need attention are sent once a week. */
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
              No chat or device takes messages yet: <a href={`#${SETTINGS_PATH}`}>link one in Settings</a>.
            </>
          )}
        </span>
      </div>
      {error !== null && <Banner onDismiss={dismiss}>{error}</Banner>}
    </>
  );
}

type ToolsProps = Pick<ManyProps, 'rows' | 'many' | 'onAll' | 'needsAttention'> & {
  typed: string;
  groups: ReturnType<typeof useGroups>;
  onType(typed: string): void;
  /** Stands next to the groups. */
  children: ReactNode;
};

/** The search, the groups, and what is done with several. */
const Tools = ({ typed, groups, onType, children, ...rest }: ToolsProps): ReactNode => (
  <div className="gap-2-3 align-end row">
    <ListSearch
      label="Search alerts"
      placeholder="Code, name, group, condition or note"
      typed={typed}
      onType={onType}
    />
    <GroupFilter {...groups} />
    {children}
    <Many groups={groups.names} {...rest} />
  </div>
);

/** What became of the last action. Takes the focus if it is lost, as the pressed button may be disabled by now. */
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
  onAll(isOn: boolean): void;
};

const GroupDialog = lazy(() =>
  withStyles(import('./GroupDialog.tsx')).then((code) => ({ default: code.GroupDialog })),
);

/** What is to be done once a dialog is answered. */
type Asked = { action: BulkAction; rows: readonly AlertRow[] };

/** What is done with those that are selected and shown; asks before it deletes. What the search hides is left alone. */
function Many({ rows, many, groups, needsAttention, onAll }: ManyProps): ReactNode {
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
        onAll={onAll}
        onDo={(action, some) => {
          if (action === 'delete' || action === 'group' || action === 'merge') ask({ action, rows: some });
          else void many.run(some, action);
        }}
      />
      {asked?.action === 'group' && (
        <Suspense fallback={null}>
          <GroupDialog
            count={asked.rows.length}
            groups={groups}
            onClose={() => ask(null)}
            onChoose={answer}
          />
        </Suspense>
      )}
      {asked !== null && asked.action !== 'group' && (
        <DeleteDialog {...asked} onCancel={() => ask(null)} onConfirm={() => answer()} />
      )}
    </>
  );
}

type DeleteDialogProps = Asked & { onCancel(): void; onConfirm(): void };

/** Asks before alerts are deleted, also as they are merged. */
function DeleteDialog({ action, rows, ...answers }: DeleteDialogProps): ReactNode {
  const count = alertCount(rows.length);
  const isMerge = action === 'merge';
  return (
    <LateConfirm
      title={isMerge ? 'Merge duplicates?' : `Delete ${count}?`}
      action={isMerge ? `Merge and delete ${count}` : `Delete ${count}`}
      {...answers}
    >
      <p>{namedFew(rows.map(calledOf))}.</p>
      <p>
        {isMerge
          ? 'The oldest stays with its own name and note, and is also sent where the others are sent. What is deleted loses its history.'
          : `${rows.length === 1 ? 'Its' : 'Their'} history goes too.`}
      </p>
    </LateConfirm>
  );
}
