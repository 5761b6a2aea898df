import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { ManyDeed } from '../../../../src/domain/alerts/manyAlerts.ts';
import type { ScanAlertView } from '../../../../src/domain/scanAlerts/scanTrigger.ts';
import { requestAlert } from '../../../shared/alerts/requestedAlert.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { LEADS_INTO_TABLE } from '../../../ui/table/rowKeys.ts';
import { useFilterKey } from '../../../ui/useFilterKey.ts';
import './AllAlerts.css';
import { AlertsTable } from './AlertsTable.tsx';
import { type AlertRow, isFound } from './alertRows.ts';
import { ArmingMany } from './ArmingMany.tsx';
import { ManyBar } from './ManyBar.tsx';
import { useAlertRows } from './useAlertRows.ts';
import { useAllAlerts } from './useAllAlerts.ts';
import { useMany } from './useMany.ts';
import { useSelection } from './useSelection.ts';

const ScanAlertDialog = lazy(async () => ({
  default: (await import('../../../shared/scanAlerts/ScanAlertDialog.tsx')).ScanAlertDialog,
}));
const DeleteManyDialog = lazy(async () => ({
  default: (await import('./DeleteManyDialog.tsx')).DeleteManyDialog,
}));

const MAX_SEARCH = 100;

/** All alerts of the user in one table, on stocks and on scans, to be sorted, searched, and changed several at once. */
export function AllAlerts(): ReactNode {
  const { loaded, error, load } = useAllAlerts();
  const many = useMany(load);
  const [typed, setTyped] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  const order = useRef<() => readonly AlertRow[]>(() => []);
  const { selected, toggle, choose } = useSelection(() => order.current().map(({ id }) => id));
  const all = useAlertRows(loaded, many.wanted, selected);
  const rows = useMemo(() => all.filter((row) => isFound(row, typed)), [all, typed]);
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
  const act = (deed: ManyDeed) => (deed === 'delete' ? setDoomed(chosen) : void many.run(chosen, deed));
  return (
    <section className="all-alerts" aria-label="All alerts" data-loading={loaded === null || undefined}>
      {error !== null && (
        <Banner action={<Button onClick={() => void load()}>Retry</Button>}>
          {error}
          {loaded !== null && <span> · Shown are the alerts as they were loaded before</span>}
        </Banner>
      )}
      <div className="list-tools">
        <div className="list-search">
          <TextField
            ref={box}
            label="Search alerts"
            type="search"
            placeholder="Code, name, condition or note"
            value={typed}
            maxLength={MAX_SEARCH}
            autoComplete="off"
            spellCheck={false}
            {...LEADS_INTO_TABLE}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <ManyBar
          shown={rows.length}
          selected={chosen.length}
          running={many.running}
          onAll={(isOn) => choose(isOn ? rows.map(({ id }) => id) : [])}
          onDo={act}
        />
      </div>
      {many.outcome !== null && (
        <Banner look={many.outcome.isWhole ? 'info' : 'error'} onDismiss={many.forget}>
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
    </section>
  );
}
