import { type ReactNode, type RefObject, useEffect, useState, useRef } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { scanAlertTitle, EVENT_PAST } from '../../rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView, ScanTriggerView } from '../../rules/scanAlerts/scanAlert.ts';
import { isMissing, messageOf, request } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import {
  fetchScanAlerts,
  snoozeScanAlert,
  switchScanAlert,
  useWork,
  muteStock,
  newNewsAlert,
} from '../shared/alertRequests.ts';
import { ScanAlertDialog } from '../shared/lateAlertDialogs.tsx';
import { forgetScanAlert, requestedScanAlert } from '../shared/showAlert.ts';
import { deleteWithUndo } from '../shared/scanAlertToasts.ts';
import { scanAlertsChanged, scanAlertTurns } from '../shared/alertStream.ts';
import { Banner, FormError } from '#ui/Banner.tsx';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import { Button, IconButton } from '#ui/Button.tsx';
import { late } from '#web/shared/lateStyles.ts';
import { counted, formatMoment, formatTime } from '#texts/format.ts';
import { eventFilterChoiceText } from '../../rules/eventFilter.ts';
import { untilOpenText } from '../../rules/alertState.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { StackedTable } from '#ui/StackedTable.tsx';
import { Toggle } from '#ui/Field.tsx';
import { useAnchor } from '#ui/useAnchor.ts';
import { seenInFull } from '../../rules/seenText.ts';
import { scanTriggersAnswer, type WatchedScan } from '../../answers/scanAlert.ts';
import { isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';

function ScanTriggers({ alert }: { alert: ScanAlertView }): ReactNode {
  const { data, error } = useLoaded(
    () =>
      request('GET /api/scan-alerts/:id/triggers', {
        params: { id: alert.id },
        read: scanTriggersAnswer.read,
      }),
    'Failed to load the history',
    // Reloads together with the list, which reloads after every change and drops deleted alerts first.
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
      {data === null && failure === null && <p className="muted">Loading history…</p>}
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
  onTell: onAnnounce,
}: {
  symbols: readonly string[];
  onTell(symbol: string): void;
}): ReactNode => (
  <p>
    Muted today:{' '}
    {symbols.map((symbol) => (
      <Button
        key={symbol}
        variant="quiet"
        aria-label={`Unmute ${symbol}`}
        title={`Unmute ${symbol}`}
        onClick={() => onAnnounce(symbol)}
      >
        {symbol} <span aria-hidden>×</span>
      </Button>
    ))}
  </p>
);

function TriggerLine({ trigger }: { trigger: ScanTriggerView }): ReactNode {
  const { symbol, symbols, announcements, event, marketTime, seen, silent, guard } = trigger;
  const isNews = announcements.length > 0;
  const what =
    symbol ??
    (isNews
      ? counted(announcements.length, 'announcement')
      : `${symbols.length} more: ${symbols.join(', ')}`);
  return (
    <details>
      <summary>
        {formatMoment(Date.parse(marketTime))} <strong>{what}</strong>{' '}
        {isNews ? symbol !== null && announcements[0]?.headline : EVENT_PAST[event].toLowerCase()}
        {guard !== null && <span className="muted"> · {guard}</span>}
        {silent && <span className="muted"> (snoozed)</span>}
      </summary>
      {announcements.map((one, index) => (
        // The position is the key, because items have no other identity.
        <p key={index}>
          {symbol === null && <strong>{one.code} </strong>}
          <Headline {...one} />
        </p>
      ))}
      {seen.map((one) => (
        <p key={seenInFull(one)}>{seenInFull(one)}</p>
      ))}
    </details>
  );
}

const Headline = ({ headline, url }: ScanTriggerView['announcements'][number]): ReactNode =>
  isWebAddress(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {headline}
    </a>
  ) : (
    headline
  );

type ScanAlertActions = {
  onEdit(alert: ScanAlertView): void;
  onDelete(alert: ScanAlertView): void;
  onActive(alert: ScanAlertView, active: boolean): void;
  onSnooze(alert: ScanAlertView, isQuiet: boolean): void;
};

type ScanAlertTableProps = ScanAlertActions & {
  alerts: readonly ScanAlertView[];
  table: RefObject<HTMLTableElement | null>;
};

function ScanAlertTable({ alerts, table, ...actions }: ScanAlertTableProps): ReactNode {
  return (
    <StackedTable ref={table} label="Alerts on scans and announcements">
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
          <AlertRows key={alert.id} alert={alert} called={alert.name ?? scanAlertTitle(alert)} {...actions} />
        ))}
      </tbody>
    </StackedTable>
  );
}

const rowIdOf = ({ id }: Pick<ScanAlertView, 'id'>): string => `scan-alert-${id}`;

type RowProps = ScanAlertActions & {
  alert: ScanAlertView;
  called: string;
};

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
          {alert.scan.type !== 'announcements' && `${alert.cooldown_minutes} min, `}
          {alert.day_maximum} a day, {counted(alert.minute_maximum, 'message')} per minute
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

const Title = ({ alert, called, onSnooze }: RowProps): ReactNode => (
  <>
    {called}
    {alert.name !== null && <span className="muted"> {scanAlertTitle(alert)}</span>}
    {alert.event_guard !== null && <p className="muted">{eventFilterChoiceText(alert.event_guard)}</p>}
    {alert.problem !== null && <p className="warn-text">{alert.problem}</p>}
    {alert.active && alert.until_open && <p className="muted">On {untilOpenText(sessionPhase.value)}</p>}
    {alert.snoozed_until !== null && (
      <p className="muted">
        Snoozed until {formatTime(Date.parse(alert.snoozed_until))} Sydney: no messages until then.{' '}
        <Button variant="quiet" aria-label={`End snooze of ${called}`} onClick={() => onSnooze(alert, false)}>
          End snooze
        </Button>
      </p>
    )}
  </>
);

type ActionsProps = RowProps & { isOpen: boolean; onHistory(): void };

const ScanAlertMenu = late(() => import('./parts/ListMenu.tsx').then((code) => code.ScanAlertMenu));

function Actions({ alert, called, isOpen, onHistory, ...actions }: ActionsProps): ReactNode {
  const { anchor, open, close } = useAnchor();
  return (
    <div className="row">
      <Toggle
        label="On"
        name={`${called}: on`}
        checked={alert.active}
        onChange={(active) => actions.onActive(alert, active)}
      />
      <Button aria-label={`Edit ${called}`} onClick={() => actions.onEdit(alert)}>
        Edit
      </Button>
      <IconButton
        label={`More for ${called}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
      >
        <EllipsisIcon size={16} aria-hidden />
      </IconButton>
      {anchor && (
        <ScanAlertMenu
          label={called}
          anchor={anchor}
          isOpen={isOpen}
          onHistory={onHistory}
          onSnooze={alert.active && alert.snoozed_until === null ? () => actions.onSnooze(alert, true) : null}
          onDelete={() => actions.onDelete(alert)}
          onClose={close}
        />
      )}
    </div>
  );
}

const FIRST_SCAN = { type: 'scanner', key: 'intraDaySmall' } as const;

/** The actions on scan alerts. A refusal stays until the next action, because reloading the list would hide it. */
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
    onDelete: (alert: ScanAlertView) => void act(deleteWithUndo(alert), deleteAlert),
  };
}

/** Scrolls to the alert that another page requested, and focuses it. */
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

export function ScanAlerts(): ReactNode {
  const listed = useLoaded(fetchScanAlerts, MESSAGES.watchlist.loadAlerts, { again: scanAlertTurns.value });
  const { refusal, dismiss, ...actions } = useActions();
  const [edited, setEdited] = useState<ScanAlertView | WatchedScan | null>(null);
  const table = useRef<HTMLTableElement>(null);
  useRequested(listed.data?.scan_alerts);
  // A server with only the specified routes has no scan alerts.
  if (isMissing(listed.problem)) return null;
  return (
    <section className="scan-alerts stack gap-2" aria-labelledby="scan-alerts-title">
      <header className="row justify-between">
        <div className="cluster">
          <h2 id="scan-alerts-title">Alerts on scans and announcements</h2>
          {(listed.data?.scan_alerts.length ?? 0) > 0 && (
            <ExportDrawnButton label="Alerts on scans and announcements" table={table} />
          )}
        </div>
        <span className="row">
          <Button onClick={() => setEdited(FIRST_SCAN)}>New alert on a scan</Button>
          <Button onClick={() => setEdited(newNewsAlert().scan)}>New alert on announcements</Button>
        </span>
      </header>
      <List
        listed={listed}
        table={table}
        refusal={refusal !== null && <Banner onDismiss={dismiss}>{refusal}</Banner>}
        {...actions}
        onEdit={setEdited}
      />
      {edited !== null && (
        <ScanAlertDialog
          alert={'scan' in edited ? edited : null}
          scan={'scan' in edited ? edited.scan : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}

type ListProps = ScanAlertActions &
  Pick<ScanAlertTableProps, 'table'> & {
    listed: Pick<Loaded<Awaited<ReturnType<typeof fetchScanAlerts>>>, 'data' | 'error' | 'reload' | 'set'>;
    refusal: ReactNode;
  };

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
          No alerts yet. They fire when a stock enters or leaves a scan, or announces something. Your plan
          includes {data.limit}.
        </p>
      ) : (
        <ScanAlertTable alerts={data.scan_alerts} {...actions} />
      )}
    </>
  );
}
