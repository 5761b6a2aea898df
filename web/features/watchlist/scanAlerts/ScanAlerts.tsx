import { type ReactNode, lazy, Suspense, useEffect, useState } from 'react';
import { formatMoment } from '../../../../src/domain/calls/callFormat.ts';
import { formatTime } from '../../../../src/domain/format.ts';
import { scanAlertTitle } from '../../../../src/domain/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '../../../../src/domain/scanAlerts/scanTrigger.ts';
import { ApiError, messageOf } from '../../../shared/api/client.ts';
import { deleteScanAlert, fetchScanAlerts, switchScanAlert } from '../../../shared/scanAlerts/api.ts';
import { scanAlertsChanged, scanAlertTurns } from '../../../shared/scanAlerts/scanAlertTurns.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { StackedTable } from '../../../ui/StackedTable.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { ScanTriggers } from './ScanTriggers.tsx';
import './ScanAlerts.css';

const ScanAlertDialog = lazy(async () => ({
  default: (await import('../../../shared/scanAlerts/ScanAlertDialog.tsx')).ScanAlertDialog,
}));
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

const FIRST_SCAN = { type: 'scanner', key: 'intraDaySmall' } as const;

type Loaded = { alerts: readonly ScanAlertView[]; limit: number };

/** The user's scan alerts as they stand; what was loaded stays when a later load fails. */
function useScanAlerts() {
  const turn = scanAlertTurns.value;
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  /** A server that knows only what the specification names has none. */
  const [isOffered, setOffered] = useState(true);
  useEffect(() => {
    let isWanted = true;
    fetchScanAlerts().then(
      ({ scan_alerts: alerts, limit }) => {
        if (!isWanted) return;
        setLoaded({ alerts, limit });
        setError(null);
      },
      (problem: unknown) => {
        if (!isWanted) return;
        if (problem instanceof ApiError && problem.status === 404) setOffered(false);
        else setError(messageOf(problem, 'Failed to load alerts'));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [turn, tries]);
  return { isOffered, loaded, error, setError, retry: () => setTries((count) => count + 1) };
}

/** The alerts on whole scans: what they wait for, what they told, and what can be done with them. */
export function ScanAlerts(): ReactNode {
  const { isOffered, loaded, error, setError, retry } = useScanAlerts();
  const [edited, setEdited] = useState<ScanAlertView | 'new' | null>(null);
  const [deleted, setDeleted] = useState<ScanAlertView | null>(null);

  async function act(work: Promise<void>, failure: string): Promise<void> {
    try {
      await work;
    } catch (problem) {
      setError(messageOf(problem, failure));
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
        <Banner action={<Button onClick={retry}>Retry</Button>} onDismiss={() => setError(null)}>
          {error}
        </Banner>
      )}
      {loaded === null ? (
        error === null && <p className="muted">Loading alerts on scans…</p>
      ) : loaded.alerts.length === 0 ? (
        <p className="muted">
          No alerts on scans. One tells you when any stock enters or leaves a scan; your plan has{' '}
          {loaded.limit}.
        </p>
      ) : (
        <AlertTable
          alerts={loaded.alerts}
          onEdit={setEdited}
          onDelete={setDeleted}
          onActive={(alert, active) =>
            void act(switchScanAlert(alert.id, { active }), 'Failed to toggle active')
          }
          onWake={(alert) =>
            void act(switchScanAlert(alert.id, { snoozed_until: null }), 'Failed to save alert')
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

type AlertTableProps = {
  alerts: readonly ScanAlertView[];
  onEdit(alert: ScanAlertView): void;
  onDelete(alert: ScanAlertView): void;
  onActive(alert: ScanAlertView, active: boolean): void;
  onWake(alert: ScanAlertView): void;
};

function AlertTable({ alerts, ...deeds }: AlertTableProps): ReactNode {
  return (
    <StackedTable className="scan-alerts-table" label="Alerts on scans">
      <thead>
        <tr>
          <th scope="col">Alert</th>
          <th scope="col">In scan</th>
          <th scope="col">Limits</th>
          <th scope="col">Last fired</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} {...deeds} />
        ))}
      </tbody>
    </StackedTable>
  );
}

/** Where the market's time is told, as everywhere. */
const timeOf = (iso: string): string => formatMoment(Date.parse(iso));

function AlertRow({
  alert,
  onEdit,
  onDelete,
  onActive,
  onWake,
}: Omit<AlertTableProps, 'alerts'> & { alert: ScanAlertView }) {
  const [isOpen, setOpen] = useState(false);
  const title = scanAlertTitle(alert);
  const called = alert.name ?? title;
  return (
    <>
      <tr>
        <th scope="row">
          {called}
          {alert.name !== null && <span className="muted"> {title}</span>}
          {alert.problem !== null && <p className="scan-alert-problem">{alert.problem}</p>}
          {alert.snoozed_until !== null && (
            <p className="muted">
              Snoozed until {formatTime(Date.parse(alert.snoozed_until))} Sydney.{' '}
              <Button look="quiet" onClick={() => onWake(alert)}>
                Wake
              </Button>
            </p>
          )}
        </th>
        <td data-heading="In scan" className="is-number">
          {alert.in_scan ?? '–'}
        </td>
        <td data-heading="Limits">
          {alert.cooldown_minutes} min, {alert.day_maximum} a day, {alert.minute_maximum} messages a minute
        </td>
        <td data-heading="Last fired">
          {alert.last_triggered_at === null ? 'Never' : timeOf(alert.last_triggered_at)}
        </td>
        <td data-heading="Actions">
          <div className="scan-alert-actions">
            <Toggle
              label="On"
              name={`${called}: on`}
              checked={alert.active}
              onChange={(active) => onActive(alert, active)}
            />
            <Button aria-label={`Edit ${called}`} onClick={() => onEdit(alert)}>
              Edit
            </Button>
            <Button
              aria-expanded={isOpen}
              aria-label={`What ${called} told`}
              onClick={() => setOpen(!isOpen)}
            >
              History
            </Button>
            <Button aria-label={`Delete ${called}`} onClick={() => onDelete(alert)}>
              Delete
            </Button>
          </div>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <ScanTriggers alert={alert} />
          </td>
        </tr>
      )}
    </>
  );
}
