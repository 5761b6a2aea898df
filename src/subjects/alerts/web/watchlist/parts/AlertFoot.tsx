import { type ReactNode, useState } from 'react';
import { expiryText } from '#subjects/alerts/rules/expiry.ts';
import { formatMoment, formatTime, DASH } from '#texts/format.ts';
import { zoneMark } from '#web/shared/zoneMark.ts';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { loadAlerts, removeAlert } from '../alerts/alertStore.ts';
import { snoozeAlert } from '../../shared/alertRequests.ts';
import { endSnooze, fetchTriggers, type PastTrigger } from '../api.ts';
import { type SavedAlert } from '../alerts/editorState.ts';
import { showFailure } from '../state.ts';
import { LateConfirm } from '#web/shared/lateStyles.ts';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { type LinkedChat, linkedChats } from '#subjects/chats/web/shared/linkedChats.ts';

type TriggerHistoryProps = { saved: SavedAlert };

/** The trigger history; it loads when opened and after each trigger. */
function TriggerHistory({ saved }: TriggerHistoryProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure label="History" onToggle={setOpen}>
      {isOpen && <Triggers saved={saved} />}
    </Disclosure>
  );
}

function Triggers({ saved }: TriggerHistoryProps): ReactNode {
  const { id, last_triggered_at: lastTriggeredAt } = saved;
  const {
    data: triggers,
    error,
    reload,
  } = useLoaded(() => fetchTriggers(id), 'The history could not be loaded.', {
    of: id,
    again: lastTriggeredAt,
  });
  if (error !== null) return <RetryBanner onRetry={reload}>{error}</RetryBanner>;
  if (triggers === null) return <SkeletonRows rows={2} label="Loading the history…" />;
  if (triggers.length === 0) return <p className="muted">This alert has not fired yet.</p>;
  return <TriggerTable triggers={triggers} destinations={saved.destinations} />;
}

type TriggerTableProps = Pick<SavedAlert, 'destinations'> & { triggers: readonly PastTrigger[] };

function TriggerTable({ triggers, destinations }: TriggerTableProps): ReactNode {
  return (
    <table className="trigger-table data-table full-width">
      <thead>
        <tr>
          <th scope="col">Time (Sydney)</th>
          <th scope="col">Values</th>
          <th scope="col">Delivered</th>
        </tr>
      </thead>
      <tbody>
        {triggers.map((trigger) => (
          <tr key={trigger.id}>
            <th scope="row">{formatMoment(trigger.marketTime ?? trigger.timestamp)}</th>
            <td>{seenLine(trigger)}</td>
            <td>
              {deliveryText(
                trigger,
                linkedChats.value?.filter(({ platform }) => destinations[platform]) ?? [],
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const heldText = ({ seen }: PastTrigger): string =>
  seen
    .filter(({ holds }) => holds !== false)
    .map(seenText)
    .join(' · ');

const seenLine = (trigger: PastTrigger): string =>
  [heldText(trigger) || DASH, trigger.guard, trigger.deactivated ? 'then switched off' : null]
    .filter((part) => part !== null)
    .join(' · ');

/** @param linked chats of the platforms that the alert is sent to */
function deliveryText({ silent, delivery }: PastTrigger, linked: readonly LinkedChat[]): string {
  if (silent) return 'No: snoozed';
  if (delivery === null) return 'No chat or device to send to';
  if (delivery === 'sent') return 'Yes';
  if (delivery === 'waiting') return 'On its way';
  const reason = linked.find(({ broken }) => broken !== null)?.broken;
  return reason ? `No: ${reason}` : 'No';
}

export function AlertFoot({ editor }: { editor: AlertEditor }): ReactNode {
  const { saved } = editor.state.value;
  return (
    <>
      {saved !== null && <TriggerHistory saved={saved} />}
      {saved !== null && <Facts saved={saved} />}
      <Deletion editor={editor} />
    </>
  );
}

const marketMoment = (time: string): string => `${formatMoment(time)}${zoneMark(Date.parse(time))}`;

function Facts({ saved }: { saved: SavedAlert }): ReactNode {
  return (
    <div className="table-text">
      <p>
        {saved.last_triggered_at === null
          ? 'Never triggered'
          : `Last triggered ${marketMoment(saved.last_triggered_market_time ?? saved.last_triggered_at)}`}
        {saved.delivery === 'failed' && <span className="down"> · not delivered</span>}
        {saved.delivery === 'waiting' && ' · on its way'}
      </p>
      {saved.stopped_reason && <p className="warn-text">Stopped: {saved.stopped_reason}</p>}
      {saved.active && saved.expires_at !== null && (
        <p>Expires {expiryText(Date.parse(saved.expires_at))}, then switched off.</p>
      )}
      {saved.snoozed_until && (
        <p>
          Snoozed until {formatTime(saved.snoozed_until)}: no messages until then.{' '}
          <Button onClick={() => void changeSnooze(saved, endSnooze)}>End snooze</Button>
        </p>
      )}
    </div>
  );
}

async function changeSnooze(
  { id, symbol }: SavedAlert,
  change: (id: number) => Promise<void>,
): Promise<void> {
  try {
    await change(id);
  } catch (problem) {
    showFailure(messageOf(problem, MESSAGES.watchlist.saveAlert));
  }
  await loadAlerts(symbol);
}

function Deletion({ editor }: { editor: AlertEditor }): ReactNode {
  const [failure, setFailure] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { saved } = editor.state.value;
  const remove = async () => {
    setAsking(false);
    setFailure(null);
    setBusy(true);
    const reason = await removeAlert(editor);
    setBusy(false);
    setFailure(reason);
  };
  return (
    <>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      <div className="cluster justify-end">
        {saved?.active && !saved.snoozed_until && (
          <Button onClick={() => void changeSnooze(saved, snoozeAlert)}>Snooze 1 h</Button>
        )}
        <Button
          variant="danger"
          disabled={isBusy}
          onClick={() => (saved === null ? void remove() : setAsking(true))}
        >
          {saved === null ? 'Discard' : 'Delete alert'}
        </Button>
      </div>
      {isAsking && (
        <LateConfirm
          open
          title="Delete this alert?"
          action="Delete"
          onCancel={() => setAsking(false)}
          onConfirm={() => void remove()}
        >
          <p>Its history is also deleted.</p>
        </LateConfirm>
      )}
    </>
  );
}
