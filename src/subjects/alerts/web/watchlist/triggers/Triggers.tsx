import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { requestAlert } from '../../shared/requestedAlert.ts';
import { messageOf } from '../../../../../../web/api/client.ts';
import { fetchScanAlerts } from '../../shared/scanAlerts/api.ts';
import { ScanAlertDialog } from '../../shared/scanAlerts/lateScanAlertDialog.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../../../web/ui/EmptyState.tsx';
import { AlertList } from '../parts/AlertList.tsx';
import { ListFailure } from '../parts/ListFailure.tsx';
import { isFound, ListSearch } from '../parts/ListSearch.tsx';
import { textsOf } from './triggerColumns.tsx';
import { TriggersTable } from './TriggersTable.tsx';
import { useTriggerRows } from './useTriggerRows.ts';
import { useTriggers } from './useTriggers.ts';

const GONE = 'That alert does not exist any more.';

/** An alert on a scan as it stands; a sentence where it can't be had. */
async function findScanAlert(id: number): Promise<ScanAlertView | string> {
  try {
    return (await fetchScanAlerts()).scan_alerts.find((alert) => alert.id === id) ?? GONE;
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.loadAlerts);
  }
}

/** What all alerts told, those on stocks and those on scans, newest first. */
export function Triggers(): ReactNode {
  const { list, error, isOffered, isLoadingMore, load, more } = useTriggers();
  const [typed, setTyped] = useState('');
  const all = useTriggerRows(list);
  const rows = useMemo(() => all.filter((row) => isFound(textsOf(row), typed)), [all, typed]);
  const [edited, edit] = useState<ScanAlertView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = useCallback(
    async (id: string) => {
      const row = all.find(({ rowId }) => rowId === id);
      if (!row) return;
      if (row.kind === 'alert' && row.symbol !== null) return requestAlert(row.symbol, row.alertId);
      const found = await findScanAlert(row.alertId);
      if (typeof found === 'string') setRefusal(found);
      else edit(found);
    },
    [all],
  );
  if (!isOffered) return <EmptyState>This server keeps no list of all triggers.</EmptyState>;
  return (
    <AlertList label="Triggers" isLoading={list === null}>
      <ListFailure error={error} what="triggers" hasOld={list !== null} onRetry={load} />
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
      <div className="list-tools">
        <ListSearch
          label="Search triggers"
          placeholder="Code, alert or reason"
          typed={typed}
          onType={setTyped}
        />
      </div>
      {(list !== null || error === null) && (
        <TriggersTable
          rows={rows}
          loaded={all.length}
          isLoading={list === null}
          hasMore={list?.next !== null}
          typed={typed.trim()}
          onOpen={(id) => void open(id)}
        />
      )}
      {list !== null && list.next !== null && (
        <Button
          className="list-more"
          aria-disabled={isLoadingMore}
          onClick={() => void (isLoadingMore || more())}
        >
          {isLoadingMore ? 'Loading…' : 'Load more'}
        </Button>
      )}
      {edited !== null && (
        <Suspense fallback={null}>
          <ScanAlertDialog alert={edited} scan={edited.scan} onClose={() => edit(null)} />
        </Suspense>
      )}
    </AlertList>
  );
}
