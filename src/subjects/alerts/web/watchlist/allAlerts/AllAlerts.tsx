import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { alertCount, type BulkAction, namedFew } from '../../../rules/manyAlerts.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { ScanAlertDialog, LateConfirm } from '../../shared/lateAlertDialogs.tsx';
import { requestAlert } from '../../shared/showAlert.ts';
import { fetchScanAlerts } from '../../shared/scanAlerts/api.ts';
import { isMissing } from '../../../../../../web/api/client.ts';
import { useLoaded } from '../../../../../../web/shared/useLoaded.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { fetchAllAlerts } from '../api.ts';
import { followChanges } from '../../shared/alertStream.ts';
import { AlertList, ListFailure, ListSearch, useSearch } from '../parts/AlertList.tsx';
import { AlertsTable } from './AlertsTable.tsx';
import { type AlertRow, calledOf, type LoadedAlerts, textsOf, useAlertRows } from './alertRows.ts';
import { ArmingMany, ManyBar, useSelection } from './ManyBar.tsx';
import { useMany } from './requests.ts';

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
  const { rows, typed, setTyped } = useSearch(all, textsOf);
  const { open, edited, close } = useOpening(all);
  const chooseAll = (isOn: boolean) => choose(isOn ? rows.map(({ id }) => id) : []);
  return (
    <AlertList label="All alerts" isLoading={loaded === null}>
      <ListFailure error={error} what="alerts" hasOld={loaded !== null} onRetry={reload} />
      <div className="list-tools row">
        <ListSearch
          label="Search alerts"
          placeholder="Code, name, condition or note"
          typed={typed}
          onType={setTyped}
        />
        <Many rows={rows} many={many} onAll={chooseAll} />
      </div>
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

const Outcome = ({ outcome, forget }: Pick<ReturnType<typeof useMany>, 'outcome' | 'forget'>): ReactNode =>
  outcome && (
    <Banner variant={outcome.isWhole ? 'info' : 'error'} onDismiss={forget}>
      {outcome.text}
    </Banner>
  );

type ManyProps = { rows: readonly AlertRow[]; many: ReturnType<typeof useMany>; onAll(isOn: boolean): void };

/** What is done with those that are selected and shown; asks before it deletes. What the search hides is left alone. */
function Many({ rows, many, onAll }: ManyProps): ReactNode {
  const [doomed, setDoomed] = useState<readonly AlertRow[]>([]);
  const chosen = rows.filter(({ isSelected }) => isSelected);
  const act = (action: BulkAction) =>
    action === 'delete' ? setDoomed(chosen) : void many.run(chosen, action);
  const count = alertCount(doomed.length);
  return (
    <>
      <ManyBar shown={rows.length} selected={chosen.length} running={many.running} onAll={onAll} onDo={act} />
      {doomed.length > 0 && (
        <LateConfirm
          title={`Delete ${count}?`}
          action={`Delete ${count}`}
          onCancel={() => setDoomed([])}
          onConfirm={() => {
            setDoomed([]);
            void many.run(doomed, 'delete');
          }}
        >
          <p>{namedFew(doomed.map(calledOf))}.</p>
          <p>{doomed.length === 1 ? 'Its' : 'Their'} history goes too.</p>
        </LateConfirm>
      )}
    </>
  );
}
