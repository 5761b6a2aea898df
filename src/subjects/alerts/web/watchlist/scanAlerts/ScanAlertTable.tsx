import { type ReactNode, useRef, useState } from 'react';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { formatTime } from '#texts/format.ts';
import { guardChoiceText } from '#subjects/alerts/rules/eventGuard.ts';
import { scanAlertTitle, EVENT_PAST } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import type { ScanAlertView, ScanTriggerView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { Button } from '#ui/Button.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { useWork } from '#subjects/alerts/web/shared/useWork.ts';
import { seenInFull } from '#subjects/alerts/rules/seenText.ts';
import { request } from '#web/api/client.ts';
import { muteStock } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { scanAlertsChanged } from '#subjects/alerts/web/shared/alertStream.ts';
import { FormError } from '#ui/FormError.tsx';
import { scanTriggersAnswer } from '#subjects/alerts/answers/scanAlert.ts';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';

/** What an alert on a scan told, newest first, and the stocks that it is not to tell today. */
function ScanTriggers({ alert }: { alert: ScanAlertView }): ReactNode {
  const { data, error } = useLoaded(
    () =>
      request('GET /api/scan-alerts/:id/triggers', {
        params: { id: alert.id },
        read: scanTriggersAnswer.read,
      }),
    'Failed to load the history',
    // With every reading of the list, which comes after whatever was told or changed: one that was deleted is gone by then.
    { of: alert.id, again: alert },
  );
  const { error: refusal, work } = useWork(MESSAGES.watchlist.saveAlert);
  const mute = (symbol: string, isMuted: boolean) =>
    void work(async () => {
      await muteStock(alert.id, symbol, isMuted);
      scanAlertsChanged();
    });
  const failure = refusal ?? error;
  return (
    <div>
      {failure !== null && <FormError>{failure}</FormError>}
      {alert.muted_today.length > 0 && (
        <Muted symbols={alert.muted_today} onTell={(symbol) => mute(symbol, false)} />
      )}
      {data === null && failure === null && <p className="muted">Loading what this alert fired on…</p>}
      {data?.triggers.length === 0 && <p className="muted">It has not fired yet.</p>}
      {data !== null && data.triggers.length > 0 && (
        <ol className="scan-trigger-list scrolls">
          {data.triggers.map((trigger) => (
            <li key={trigger.id}>
              <TriggerLine trigger={trigger} />
              {trigger.symbol !== null && !alert.muted_today.includes(trigger.symbol) && (
                <MuteButton symbol={trigger.symbol} onMute={(symbol) => mute(symbol, true)} />
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const MuteButton = ({ symbol, onMute }: { symbol: string; onMute(symbol: string): void }): ReactNode => (
  <Button variant="quiet" aria-label={`Not this stock today: ${symbol}`} onClick={() => onMute(symbol)}>
    Not this stock today
  </Button>
);

const Muted = ({
  symbols,
  onTell,
}: {
  symbols: readonly string[];
  onTell(symbol: string): void;
}): ReactNode => (
  <p>
    Not told today:{' '}
    {symbols.map((symbol) => (
      <Button
        key={symbol}
        variant="quiet"
        aria-label={`Tell ${symbol} again`}
        title={`Tell ${symbol} again`}
        onClick={() => onTell(symbol)}
      >
        {symbol} <span aria-hidden>×</span>
      </Button>
    ))}
  </p>
);

function TriggerLine({ trigger }: { trigger: ScanTriggerView }): ReactNode {
  const { symbol, symbols, event, marketTime, seen, silent, guard } = trigger;
  const what = symbol ?? `${symbols.length} more: ${symbols.join(', ')}`;
  return (
    <details>
      <summary>
        {formatMoment(Date.parse(marketTime))} <strong>{what}</strong> {EVENT_PAST[event].toLowerCase()}
        {guard !== null && <span className="muted"> · {guard}</span>}
        {silent && <span className="muted"> (snoozed)</span>}
      </summary>
      {seen.map((one) => (
        <p key={seenInFull(one)}>{seenInFull(one)}</p>
      ))}
    </details>
  );
}

export type ScanAlertActions = {
  onEdit(alert: ScanAlertView): void;
  onDelete(alert: ScanAlertView): void;
  onActive(alert: ScanAlertView, active: boolean): void;
  /** Begins a snooze, or ends it. */
  onSnooze(alert: ScanAlertView, isQuiet: boolean): void;
};

/** The alerts on whole scans, each with what can be done with it. */
export function ScanAlertTable({
  alerts,
  ...actions
}: ScanAlertActions & { alerts: readonly ScanAlertView[] }): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <TakeDrawnButton label="Alerts on scans" table={table} />
      <StackedTable ref={table} label="Alerts on scans">
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
            <AlertRows
              key={alert.id}
              alert={alert}
              called={alert.name ?? scanAlertTitle(alert)}
              {...actions}
            />
          ))}
        </tbody>
      </StackedTable>
    </>
  );
}

/** What an alert's row is found by, to be shown. */
export const rowIdOf = ({ id }: Pick<ScanAlertView, 'id'>): string => `scan-alert-${id}`;

type RowProps = ScanAlertActions & {
  alert: ScanAlertView;
  /** Its name, else what it tells. */
  called: string;
};

/** The row of an alert, and below it its history while that is open. */
function AlertRows(props: RowProps): ReactNode {
  const { alert } = props;
  const [isOpen, setOpen] = useState(false);
  const firedAt = alert.last_triggered_market_time ?? alert.last_triggered_at;
  return (
    <>
      <tr id={rowIdOf(alert)} tabIndex={-1}>
        <th scope="row">
          <Title {...props} />
        </th>
        <td data-heading="In scan" className="is-number">
          {alert.in_scan ?? '–'}
        </td>
        <td data-heading="Limits">
          {alert.cooldown_minutes} min, {alert.day_maximum} a day, {alert.minute_maximum} messages a minute
        </td>
        <td data-heading="Last fired" data-time={firedAt ?? undefined}>
          {firedAt === null ? 'Never' : formatMoment(Date.parse(firedAt))}
        </td>
        <td data-heading="Actions">
          <Actions {...props} isOpen={isOpen} onHistory={() => setOpen(!isOpen)} />
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

/** How an alert is called, with what is to be known of it: a problem, a snooze. */
const Title = ({ alert, called, onSnooze }: RowProps): ReactNode => (
  <>
    {called}
    {alert.name !== null && <span className="muted"> {scanAlertTitle(alert)}</span>}
    {alert.event_guard !== null && <p className="muted">{guardChoiceText(alert.event_guard)}</p>}
    {alert.problem !== null && <p className="warn-text">{alert.problem}</p>}
    {alert.active && alert.until_open && <p className="muted">On {untilOpenText(sessionPhase.value)}</p>}
    {alert.snoozed_until !== null && (
      <p className="muted">
        Snoozed until {formatTime(Date.parse(alert.snoozed_until))} Sydney: it sends nothing until then.{' '}
        <Button variant="quiet" aria-label={`End snooze of ${called}`} onClick={() => onSnooze(alert, false)}>
          End snooze
        </Button>
      </p>
    )}
  </>
);

type ActionsProps = RowProps & { isOpen: boolean; onHistory(): void };

function Actions({ alert, called, isOpen, onHistory, ...actions }: ActionsProps): ReactNode {
  return (
    <div className="row">
      <Toggle
        label="On"
        name={`${called}: on`}
        checked={alert.active}
        onChange={(active) => actions.onActive(alert, active)}
      />
      {alert.active && alert.snoozed_until === null && (
        <Button aria-label={`Snooze 1 h: ${called}`} onClick={() => actions.onSnooze(alert, true)}>
          Snooze 1 h
        </Button>
      )}
      <Button aria-label={`Edit ${called}`} onClick={() => actions.onEdit(alert)}>
        Edit
      </Button>
      <Button aria-expanded={isOpen} aria-label={`History of ${called}`} onClick={onHistory}>
        History
      </Button>
      <Button aria-label={`Delete ${called}`} onClick={() => actions.onDelete(alert)}>
        Delete
      </Button>
    </div>
  );
}
