import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState, useMemo } from 'react';
import { alertCount, type BulkAction, namedFew } from '#subjects/alerts/rules/manyAlerts.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ScanAlertDialog, LateConfirm } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { requestAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { fetchScanAlerts } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { fetchAllAlerts } from '../api.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { followChanges } from '#subjects/alerts/web/shared/alertStream.ts';
import { AlertList, ListFailure, ListSearch, useSearch } from '../parts/AlertList.tsx';
import { AlertsTable } from './AlertsTable.tsx';
import { type AlertRow, calledOf, type LoadedAlerts, textsOf, useAlertRows } from './alertRows.ts';
import { ArmingMany, ManyBar, useSelection } from './ManyBar.tsx';
import { useMany } from './requests.ts';
import { compareNames } from '#lib/unicode.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';

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

/** All alerts of the user in one table, on stocks and on scans, to be sorted, searched, and changed several at once. */
export function AllAlerts(): ReactNode {
  const { data: loaded, error, reload } = useLoaded(fetchAll, MESSAGES.watchlist.loadAlerts);
  useEffect(() => followChanges(() => void reload()), [reload]);
  const many = useMany(reload);
  const order = useRef<() => readonly AlertRow[]>(() => []);
  const { selected, toggle, choose } = useSelection(() => order.current().map(({ id }) => id));
  const all = useAlertRows(loaded, many.wanted, selected);
  const groups = useGroups(all);
  const { rows, typed, setTyped } = useSearch(groups.rows, textsOf);
  const { open, edited, close } = useOpening(all);
  const chooseAll = (isOn: boolean) => choose(isOn ? rows.map(({ id }) => id) : []);
  return (
    <AlertList label="All alerts" isLoading={loaded === null}>
      <ListFailure error={error} what="alerts" hasOld={loaded !== null} onRetry={reload} />
      <Tools rows={rows} typed={typed} many={many} groups={groups} onType={setTyped} onAll={chooseAll} />
      <Outcome {...many} />
      <ArmingMany rows={all} load={reload} />
      {(loaded !== null || error === null) && (
        <AlertsTable
          rows={rows}
          isLoading={loaded === null}
          typed={typed.trim()}
          order={order}
          onOpen={open}
          onToggle={toggle}
          onAll={() => chooseAll(true)}
        />
      )}
      {edited !== null && <ScanAlertDialog alert={edited} scan={edited.scan} onClose={close} />}
    </AlertList>
  );
}

type ToolsProps = Pick<ManyProps, 'rows' | 'many' | 'onAll'> & {
  typed: string;
  groups: ReturnType<typeof useGroups>;
  onType(typed: string): void;
};

/** The search, the groups, and what is done with several. */
const Tools = ({ rows, typed, many, groups, onType, onAll }: ToolsProps): ReactNode => (
  <div className="gap-2-4 align-end row">
    <ListSearch
      label="Search alerts"
      placeholder="Code, name, group, condition or note"
      typed={typed}
      onType={onType}
    />
    <GroupFilter {...groups} />
    <Many rows={rows} many={many} groups={groups.names} onAll={onAll} />
  </div>
);

const Outcome = ({ outcome, forget }: Pick<ReturnType<typeof useMany>, 'outcome' | 'forget'>): ReactNode =>
  outcome && (
    <Banner variant={outcome.isWhole ? 'info' : 'error'} onDismiss={forget}>
      {outcome.text}
    </Banner>
  );

type ManyProps = {
  rows: readonly AlertRow[];
  many: ReturnType<typeof useMany>;
  groups: readonly string[];
  onAll(isOn: boolean): void;
};

const GroupDialog = lazy(() =>
  withStyles(import('./GroupDialog.tsx')).then((code) => ({ default: code.GroupDialog })),
);

/** What is done with those that are selected and shown; asks before it deletes. What the search hides is left alone. */
function Many({ rows, many, groups, onAll }: ManyProps): ReactNode {
  const [filed, setFiled] = useState<readonly AlertRow[]>([]);
  const [doomed, setDoomed] = useState<readonly AlertRow[]>([]);
  const chosen = rows.filter(({ isSelected }) => isSelected);
  const act = (action: BulkAction) => {
    if (action === 'delete') setDoomed(chosen);
    else if (action === 'group') setFiled(chosen);
    else void many.run(chosen, action);
  };
  return (
    <>
      <ManyBar shown={rows.length} selected={chosen.length} running={many.running} onAll={onAll} onDo={act} />
      <FiledDialog
        rows={filed}
        groups={groups}
        onClose={() => setFiled([])}
        onChoose={(group) => void many.run(filed, 'group', group)}
      />
      <DoomedDialog
        rows={doomed}
        onClose={() => setDoomed([])}
        onConfirm={() => void many.run(doomed, 'delete')}
      />
    </>
  );
}

type FiledDialogProps = {
  rows: readonly AlertRow[];
  groups: readonly string[];
  onClose(): void;
  onChoose(group: string | null): void;
};

/** Asks under which group; nothing while there is nothing to file. */
const FiledDialog = ({ rows, groups, onClose, onChoose }: FiledDialogProps): ReactNode =>
  rows.length > 0 && (
    <Suspense fallback={null}>
      <GroupDialog
        count={rows.length}
        groups={groups}
        onClose={onClose}
        onChoose={(group) => {
          onClose();
          onChoose(group);
        }}
      />
    </Suspense>
  );

type DoomedDialogProps = { rows: readonly AlertRow[]; onClose(): void; onConfirm(): void };

/** Asks before alerts are deleted; nothing while there are none. */
function DoomedDialog({ rows, onClose, onConfirm }: DoomedDialogProps): ReactNode {
  if (rows.length === 0) return null;
  const count = alertCount(rows.length);
  return (
    <LateConfirm
      title={`Delete ${count}?`}
      action={`Delete ${count}`}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
    >
      <p>{namedFew(rows.map(calledOf))}.</p>
      <p>{rows.length === 1 ? 'Its' : 'Their'} history goes too.</p>
    </LateConfirm>
  );
}
