import { type ReactNode, useState } from 'react';
import { expiryText } from '#subjects/alerts/rules/alertState.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { formatTime } from '#texts/format.ts';
import { zoneMark } from '#web/shared/zoneMark.ts';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { loadAlerts, removeAlert } from '../alerts/alertStore.ts';
import { snoozeAlert } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { endSnooze } from '../api.ts';
import type { SavedAlert } from '../savedAlert.ts';
import { showFailure } from '../state.ts';
import { LateConfirm } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { TriggerHistory } from './TriggerHistory.tsx';

/** When an alert fired, what became of it, its history, and its deletion. */
export function AlertFoot({ editor }: { editor: AlertEditor }): ReactNode {
  const { saved } = editor.state.value;
  return (
    <>
      {saved !== null && <Facts saved={saved} />}
      {saved !== null && <TriggerHistory saved={saved} />}
      <Deletion editor={editor} />
    </>
  );
}

/** @param time ISO 8601, by the market's clock */
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
      {saved.snoozed_until ? (
        <p>
          Snoozed until {formatTime(saved.snoozed_until)}: no messages until then.{' '}
          <Button onClick={() => void changeSnooze(saved, endSnooze)}>End snooze</Button>
        </p>
      ) : (
        saved.active && <Button onClick={() => void changeSnooze(saved, snoozeAlert)}>Snooze 1 h</Button>
      )}
    </div>
  );
}

/** Begins or ends a snooze; a failure is shown above the list. */
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
          title="Delete this alert?"
          action="Delete"
          onCancel={() => setAsking(false)}
          onConfirm={() => void remove()}
        >
          <p>Its history goes too.</p>
        </LateConfirm>
      )}
    </>
  );
}
