import { type ReactNode, useState } from 'react';
import { seenInFull } from '#subjects/alerts/rules/seenText.ts';
import { MESSAGES } from '#texts/messages.ts';
import {
  snoozeAlert,
  switchAlert,
  muteStock,
  snoozeScanAlert,
  switchScanAlert,
} from '../shared/scanAlerts/api.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { messageOf } from '#web/api/client.ts';
import { Button } from '#ui/Button.tsx';

const ACTIONS = {
  stock: { turn: switchAlert, snooze: snoozeAlert },
  scan: {
    turn: (id: number, active: boolean) => switchScanAlert(id, { active }),
    snooze: snoozeScanAlert,
  },
};

/** What was done with an alert that fired, one thing at a time, and what is to be said of it. */
function useActing(isOnFirst: boolean) {
  const [isOn, setOn] = useState(isOnFirst);
  const [said, setSaid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>, done: string, on: boolean) => {
    setBusy(true);
    try {
      await work();
      setOn(on);
      setSaid(done);
    } catch (problem) {
      setSaid(messageOf(problem, MESSAGES.watchlist.saveAlert));
    }
    setBusy(false);
  };
  return { isOn, said, isBusy, act };
}

/** What can be done with an alert that fired: what chats offer under its message, too. */
export function ToastActions({ trigger }: { trigger: AlertTrigger }): ReactNode {
  const { seen = [] } = trigger;
  const acting = useActing(!trigger.deactivated);
  const [isWhy, setWhy] = useState(false);
  return (
    <>
      <p className="toast-note" role="status">
        {acting.said ?? (trigger.deactivated && 'It fired once and is off now.')}
      </p>
      <div className="toast-actions">
        <Switches trigger={trigger} {...acting} />
        {seen.length > 0 && (
          <Button variant="quiet" aria-expanded={isWhy} onClick={() => setWhy(!isWhy)}>
            Why
          </Button>
        )}
      </div>
      {isWhy && (
        <ul className="toast-why" aria-label="Why it fired">
          {seen.map((one, index) => (
            // Their order is all that tells them apart.
            <li key={index}>{seenInFull(one)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

type SwitchesProps = ReturnType<typeof useActing> & { trigger: AlertTrigger };

/** The buttons that mute, snooze and switch the alert. */
function Switches({ trigger, isOn, isBusy, act }: SwitchesProps): ReactNode {
  const { of, alertId, symbol } = trigger;
  const { turn, snooze } = ACTIONS[of];
  const [isMuted, setMuted] = useState(false);
  const mute = (code: string) => async () => {
    await muteStock(alertId, code, true);
    setMuted(true);
  };
  // Not `disabled`, which would lose the focus.
  const action = (label: string, work: () => Promise<void>, done: string, on: boolean) => (
    <Button
      variant="quiet"
      aria-disabled={isBusy || undefined}
      onClick={() => void (isBusy || act(work, done, on))}
    >
      {label}
    </Button>
  );
  if (!isOn) return action('On', () => turn(alertId, true), 'Switched on.', true);
  return (
    <>
      {of === 'scan' &&
        symbol !== null &&
        !isMuted &&
        action('Not this stock today', mute(symbol), `${symbol} is not told again today.`, true)}
      {action('Snooze 1 h', () => snooze(alertId), 'Snoozed for an hour.', true)}
      {action('Off', () => turn(alertId, false), 'Switched off.', false)}
    </>
  );
}
