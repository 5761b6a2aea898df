import { type ReactNode, lazy, Suspense, useState } from 'react';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { scanAlertTitle } from '../../../rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { messageOf } from '../../../../../../web/api/client.ts';
import { deleteScanAlert, snoozeScanAlert, switchScanAlert } from '../../shared/scanAlerts/api.ts';
import { ScanAlertDialog } from '../../shared/scanAlerts/lateScanAlertDialog.ts';
import { scanAlertsChanged } from '../../shared/scanAlerts/scanAlertTurns.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { ScanAlertTable } from './ScanAlertTable.tsx';
import './ScanAlerts.css';
import { useScanAlerts } from './useScanAlerts.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../../../../web/ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

const FIRST_SCAN = { type: 'scanner', key: 'intraDaySmall' } as const;

/** The alerts on whole scans: what they wait for, what they told, and what can be done with them. */
export function ScanAlerts(): ReactNode {
  const { isOffered, loaded, error, setError, retry } = useScanAlerts();
  /** Stands until the next action: the list that is read after it knows nothing of it. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const [edited, setEdited] = useState<ScanAlertView | 'new' | null>(null);
  const [deleted, setDeleted] = useState<ScanAlertView | null>(null);

  async function act(work: Promise<void>, failure: string): Promise<void> {
    setRefusal(null);
    try {
      await work;
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    scanAlertsChanged();
  }

  if (!isOffered) return null;
  return (
    <section className="scan-alerts" aria-labelledby="scan-alerts-title">
      <header className="scan-alerts-head">
        <h2 id="scan-alerts-title">Alerts on scans</h2>
        <Button onClick={() => setEdited('new')}>New alert on a scan</Button>
      </header>
      {error !== null && (
        <Banner
          action={<Button onClick={retry}>Retry</Button>}
          {...(loaded === null ? {} : { onDismiss: () => setError(null) })}
        >
          {error}
        </Banner>
      )}
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
      {loaded === null ? (
        error === null && <p className="muted">Loading alerts on scans…</p>
      ) : loaded.alerts.length === 0 ? (
        <p className="muted">
          No alerts on scans yet. They tell you when any stock enters or leaves a scan; your plan has{' '}
          {loaded.limit}.
        </p>
      ) : (
        <ScanAlertTable
          alerts={loaded.alerts}
          onEdit={setEdited}
          onDelete={setDeleted}
          onActive={(alert, active) =>
            void act(switchScanAlert(alert.id, { active }), 'Failed to toggle active')
          }
          onSnooze={({ id }, isQuiet) =>
            void act(
              isQuiet ? snoozeScanAlert(id) : switchScanAlert(id, { snoozed_until: null }),
              MESSAGES.watchlist.saveAlert,
            )
          }
        />
      )}
      <Suspense fallback={null}>
        {edited !== null && (
          <ScanAlertDialog
            alert={edited === 'new' ? null : edited}
            scan={FIRST_SCAN}
            onClose={() => setEdited(null)}
          />
        )}
        {deleted !== null && (
          <ConfirmDialog
            open
            title="Delete alert"
            action="Delete"
            onCancel={() => setDeleted(null)}
            onConfirm={() => {
              setDeleted(null);
              void act(deleteScanAlert(deleted.id), 'Failed to delete alert');
            }}
          >
            <p>Delete “{deleted.name ?? scanAlertTitle(deleted)}”, and what it told?</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  );
}
