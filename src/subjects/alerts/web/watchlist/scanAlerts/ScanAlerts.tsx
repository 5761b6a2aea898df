import { type ReactNode, useEffect, useState } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { isMissing, messageOf } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import {
  deleteScanAlert,
  fetchScanAlerts,
  snoozeScanAlert,
  switchScanAlert,
} from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { ScanAlertDialog, LateConfirm } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { forgetScanAlert, requestedScanAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { scanAlertsChanged, scanAlertTurns } from '#subjects/alerts/web/shared/alertStream.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { rowIdOf, ScanAlertTable, type ScanAlertActions } from './ScanAlertTable.tsx';

const FIRST_SCAN = { type: 'scanner', key: 'intraDaySmall' } as const;

/** Switches, snoozes and deletes alerts on scans. A refusal stands until the next action: the list that is read after it knows nothing of it. */
function useActions() {
  const [refusal, setRefusal] = useState<string | null>(null);
  async function act(work: Promise<void>, failure: string): Promise<void> {
    setRefusal(null);
    try {
      await work;
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    scanAlertsChanged();
  }
  const { saveAlert, toggleActive, deleteAlert } = MESSAGES.watchlist;
  return {
    refusal,
    dismiss: () => setRefusal(null),
    onActive: ({ id }: ScanAlertView, active: boolean) =>
      void act(switchScanAlert(id, { active }), toggleActive),
    onSnooze: ({ id }: ScanAlertView, isQuiet: boolean) =>
      void act(isQuiet ? snoozeScanAlert(id) : switchScanAlert(id, { snoozed_until: null }), saveAlert),
    remove: ({ id }: ScanAlertView) => void act(deleteScanAlert(id), deleteAlert),
  };
}

/** Brings the alert that another page asks for into sight, and puts the focus on it. */
function useRequested(alerts: readonly ScanAlertView[] | undefined): void {
  const wanted = requestedScanAlert.value;
  useEffect(() => {
    if (wanted === null || !alerts?.some(({ id }) => id === wanted)) return;
    const row = document.getElementById(rowIdOf({ id: wanted }));
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
    forgetScanAlert();
  }, [wanted, alerts]);
  useEffect(() => forgetScanAlert, []);
}

/** The alerts on whole scans: what they wait for, what they told, and what can be done with them. */
export function ScanAlerts(): ReactNode {
  const listed = useLoaded(fetchScanAlerts, MESSAGES.watchlist.loadAlerts, { again: scanAlertTurns.value });
  const { refusal, dismiss, remove, ...actions } = useActions();
  const [edited, setEdited] = useState<ScanAlertView | 'new' | null>(null);
  const [deleted, setDeleted] = useState<ScanAlertView | null>(null);
  useRequested(listed.data?.scan_alerts);
  // A server that knows only what the specification names has none.
  if (isMissing(listed.problem)) return null;
  return (
    <section className="scan-alerts stack gap-2" aria-labelledby="scan-alerts-title">
      <header className="row justify-between">
        <h2 id="scan-alerts-title">Alerts on scans</h2>
        <Button onClick={() => setEdited('new')}>New alert on a scan</Button>
      </header>
      <List
        listed={listed}
        refusal={refusal !== null && <Banner onDismiss={dismiss}>{refusal}</Banner>}
        {...actions}
        onEdit={setEdited}
        onDelete={setDeleted}
      />
      {edited !== null && (
        <ScanAlertDialog
          alert={edited === 'new' ? null : edited}
          scan={FIRST_SCAN}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted !== null && (
        <DeleteDialog
          alert={deleted}
          onCancel={() => setDeleted(null)}
          onConfirm={() => {
            setDeleted(null);
            remove(deleted);
          }}
        />
      )}
    </section>
  );
}

type DeleteDialogProps = { alert: ScanAlertView; onConfirm(): void; onCancel(): void };

const DeleteDialog = ({ alert, ...answers }: DeleteDialogProps): ReactNode => (
  <LateConfirm title="Delete alert" action="Delete" {...answers}>
    <p>Delete “{alert.name ?? scanAlertTitle(alert)}”, and what it told?</p>
  </LateConfirm>
);

type ListProps = ScanAlertActions & {
  listed: Pick<Loaded<Awaited<ReturnType<typeof fetchScanAlerts>>>, 'data' | 'error' | 'reload' | 'set'>;
  refusal: ReactNode;
};

/** The alerts, or why there are none to see. What was loaded before a failure stays. */
function List({ listed: { data, error, reload, set }, refusal, ...actions }: ListProps): ReactNode {
  return (
    <>
      {error !== null && (
        <Banner
          action={<Button onClick={() => void reload()}>Retry</Button>}
          {...(data === null ? {} : { onDismiss: () => set(data) })}
        >
          {error}
        </Banner>
      )}
      {refusal}
      {data === null ? (
        error === null && <p className="muted">Loading alerts on scans…</p>
      ) : data.scan_alerts.length === 0 ? (
        <p className="muted">
          No alerts on scans yet. They tell you when any stock enters or leaves a scan; your plan has{' '}
          {data.limit}.
        </p>
      ) : (
        <ScanAlertTable alerts={data.scan_alerts} {...actions} />
      )}
    </>
  );
}
