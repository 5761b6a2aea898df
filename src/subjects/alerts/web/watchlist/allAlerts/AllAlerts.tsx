import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { BulkAction } from '../../../rules/manyAlerts.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { requestAlert } from '../../shared/requestedAlert.ts';
import { ScanAlertDialog } from '../../shared/scanAlerts/lateScanAlertDialog.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { AlertList } from '../parts/AlertList.tsx';
import { ListFailure } from '../parts/ListFailure.tsx';
import { isFound, ListSearch } from '../parts/ListSearch.tsx';
import { AlertsTable } from './AlertsTable.tsx';
import { type AlertRow, textsOf } from './alertRows.ts';
import { ArmingMany } from './ArmingMany.tsx';
import { ManyBar } from './ManyBar.tsx';
import { useAlertRows } from './useAlertRows.ts';
import { useAllAlerts } from './useAllAlerts.ts';
import { useMany } from './useMany.ts';
import { useSelection } from './useSelection.ts';

const DeleteManyDialog = lazy(async () => ({
  default: (await import('./DeleteManyDialog.tsx')).DeleteManyDialog,
}));

/** All alerts of the user in one table, on stocks and on scans, to be sorted, searched, and changed several at once. */
export function AllAlerts(): ReactNode {
  const { loaded, error, load } = useAllAlerts();
  const many = useMany(load);
  const [typed, setTyped] = useState('');
  const order = useRef<() => readonly AlertRow[]>(() => []);
  const { selected, toggle, choose } = useSelection(() => order.current().map(({ id }) => id));
  const all = useAlertRows(loaded, many.wanted, selected);
  const rows = useMemo(() => all.filter((row) => isFound(textsOf(row), typed)), [all, typed]);
  const [edited, edit] = useState<ScanAlertView | null>(null);
  const [doomed, setDoomed] = useState<readonly AlertRow[]>([]);
  const open = useCallback(
    (id: string) => {
      const row = all.find((one) => one.id === id);
      if (row?.of.kind === 'alert') requestAlert(row.of.alert.symbol, row.of.alert.id);
      else if (row) edit(row.of.alert);
    },
    [all],
  );
  // What the search hides is left alone.
  const chosen = rows.filter(({ isSelected }) => isSelected);
  const act = (action: BulkAction) =>
    action === 'delete' ? setDoomed(chosen) : void many.run(chosen, action);
  return (
    <AlertList label="All alerts" isLoading={loaded === null}>
      <ListFailure error={error} what="alerts" hasOld={loaded !== null} onRetry={load} />
      <div className="list-tools">
        <ListSearch
          label="Search alerts"
          placeholder="Code, name, condition or note"
          typed={typed}
          onType={setTyped}
        />
        <ManyBar
          shown={rows.length}
          selected={chosen.length}
          running={many.running}
          onAll={(isOn) => choose(isOn ? rows.map(({ id }) => id) : [])}
          onDo={act}
        />
      </div>
      {many.outcome !== null && (
        <Banner variant={many.outcome.isWhole ? 'info' : 'error'} onDismiss={many.forget}>
          {many.outcome.text}
        </Banner>
      )}
      <ArmingMany rows={all} load={load} />
      {(loaded !== null || error === null) && (
        <AlertsTable
          rows={rows}
          isLoading={loaded === null}
          typed={typed.trim()}
          order={order}
          onOpen={open}
          onToggle={toggle}
          onAll={() => choose(rows.map(({ id }) => id))}
        />
      )}
      <Suspense fallback={null}>
        {edited !== null && <ScanAlertDialog alert={edited} scan={edited.scan} onClose={() => edit(null)} />}
        {doomed.length > 0 && (
          <DeleteManyDialog
            rows={doomed}
            onCancel={() => setDoomed([])}
            onConfirm={() => {
              setDoomed([]);
              void many.run(doomed, 'delete');
            }}
          />
        )}
      </Suspense>
    </AlertList>
  );
}
