import { lazy, type ReactNode, Suspense, useState } from 'react';
import { expiryText } from '../../../rules/expiry.ts';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { formatTime } from '../../../../../texts/format.ts';
import { zoneMark } from '../../../../../../web/shared/zoneMark.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { messageOf } from '../../../../../../web/api/client.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { loadAlerts, removeAlert } from '../alerts/alertStore.ts';
import { snoozeAlert } from '../../shared/actOnAlert.ts';
import { endSnooze } from '../api.ts';
import type { SavedAlert } from '../readAlerts.ts';
import { showFailure } from '../state.ts';
import './AlertFoot.css';
import { TriggerHistory } from './TriggerHistory.tsx';

const DeleteDialog = lazy(async () => ({
  default: (await import('./DeleteDialog.tsx')).DeleteDialog,
}));

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
    <div className="alert-facts">
      <p>
        {saved.last_triggered_at === null
          ? 'Never triggered'
          : `Last triggered ${marketMoment(saved.last_triggered_market_time ?? saved.last_triggered_at)}`}
        {saved.delivery === 'failed' && <strong> · not delivered</strong>}
        {saved.delivery === 'waiting' && ' · on its way'}
      </p>
      {saved.stopped_reason && <p className="alert-stopped">Stopped: {saved.stopped_reason}</p>}
      {saved.active && saved.expires_at !== null && (
        <p>Expires {expiryText(Date.parse(saved.expires_at))}, then switched off.</p>
      )}
      {saved.snoozed_until ? (
        <Snooze id={saved.id} symbol={saved.symbol} until={saved.snoozed_until} />
      ) : (
        saved.active && <Button onClick={() => void snoozeHere(saved)}>Snooze 1 h</Button>
      )}
    </div>
  );
}

async function snoozeHere({ id, symbol }: SavedAlert): Promise<void> {
  try {
    await snoozeAlert(id);
  } catch (problem) {
    showFailure(messageOf(problem, MESSAGES.watchlist.saveAlert));
  }
  await loadAlerts(symbol);
}

function Snooze({ id, symbol, until }: { id: number; symbol: string; until: string }): ReactNode {
  const end = async () => {
    try {
      await endSnooze(id);
    } catch (problem) {
      showFailure(messageOf(problem, MESSAGES.watchlist.saveAlert));
    }
    await loadAlerts(symbol);
  };
  return (
    <p>
      Snoozed until {formatTime(until)}: no messages until then.{' '}
      <Button onClick={() => void end()}>End snooze</Button>
    </p>
  );
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
      <div className="alert-deletion">
        <Button
          variant="danger"
          disabled={isBusy}
          onClick={() => (saved === null ? void remove() : setAsking(true))}
        >
          {saved === null ? 'Discard' : 'Delete alert'}
        </Button>
      </div>
      {isAsking && (
        <Suspense fallback={null}>
          <DeleteDialog onCancel={() => setAsking(false)} onConfirm={() => void remove()} />
        </Suspense>
      )}
    </>
  );
}
