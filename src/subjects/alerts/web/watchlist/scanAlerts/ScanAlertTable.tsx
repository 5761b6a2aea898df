import { type ReactNode, useState } from 'react';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { formatTime } from '../../../../../texts/format.ts';
import { scanAlertTitle } from '../../../rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { StackedTable } from '../../../../../../web/ui/StackedTable.tsx';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import { ScanTriggers } from './ScanTriggers.tsx';

type ScanAlertTableProps = {
  alerts: readonly ScanAlertView[];
  onEdit(alert: ScanAlertView): void;
  onDelete(alert: ScanAlertView): void;
  onActive(alert: ScanAlertView, active: boolean): void;
  /** Begins a snooze, or ends it. */
  onSnooze(alert: ScanAlertView, isQuiet: boolean): void;
};

/** The alerts on whole scans, each with what can be done with it. */
export function ScanAlertTable({ alerts, ...actions }: ScanAlertTableProps): ReactNode {
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
          <AlertRow key={alert.id} alert={alert} {...actions} />
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
  onSnooze,
}: Omit<ScanAlertTableProps, 'alerts'> & { alert: ScanAlertView }) {
  const [isOpen, setOpen] = useState(false);
  const title = scanAlertTitle(alert);
  const called = alert.name ?? title;
  const firedAt = alert.last_triggered_market_time ?? alert.last_triggered_at;
  return (
    <>
      <tr>
        <th scope="row">
          {called}
          {alert.name !== null && <span className="muted"> {title}</span>}
          {alert.problem !== null && <p className="scan-alert-problem">{alert.problem}</p>}
          {alert.snoozed_until !== null && (
            <p className="muted">
              Snoozed until {formatTime(Date.parse(alert.snoozed_until))} Sydney: it sends nothing until then.{' '}
              <Button
                variant="quiet"
                aria-label={`End snooze of ${called}`}
                onClick={() => onSnooze(alert, false)}
              >
                End snooze
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
        <td data-heading="Last fired">{firedAt === null ? 'Never' : timeOf(firedAt)}</td>
        <td data-heading="Actions">
          <div className="scan-alert-actions">
            <Toggle
              label="On"
              name={`${called}: on`}
              checked={alert.active}
              onChange={(active) => onActive(alert, active)}
            />
            {alert.active && alert.snoozed_until === null && (
              <Button aria-label={`Snooze 1 h: ${called}`} onClick={() => onSnooze(alert, true)}>
                Snooze 1 h
              </Button>
            )}
            <Button aria-label={`Edit ${called}`} onClick={() => onEdit(alert)}>
              Edit
            </Button>
            <Button
              aria-expanded={isOpen}
              aria-label={`History of ${called}`}
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
