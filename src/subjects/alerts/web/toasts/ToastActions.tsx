import { type ReactNode, useState } from 'react';
import { seenInFull } from '../../rules/seenText.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import { snoozeAlert, switchAlert } from '../shared/actOnAlert.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { muteStock, snoozeScanAlert, switchScanAlert } from '../shared/scanAlerts/api.ts';
import { messageOf } from '../../../../../web/api/client.ts';
import { Button } from '../../../../../web/ui/Button.tsx';

const ACTIONS = {
  stock: { turn: switchAlert, snooze: snoozeAlert },
  scan: {
    turn: (id: number, active: boolean) => switchScanAlert(id, { active }),
    snooze: snoozeScanAlert,
  },
};

/** What can be done with an alert that fired: what chats offer under its message, too. */
export function ToastActions({ trigger }: { trigger: AlertTrigger }): ReactNode {
  const { of, alertId, symbol, deactivated, seen = [] } = trigger;
  const { turn, snooze: quieten } = ACTIONS[of];
  const [isOn, setOn] = useState(!deactivated);
  const [said, setSaid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isWhy, setWhy] = useState(false);
  const [isMuted, setMuted] = useState(false);
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
  const off = () => void act(() => turn(alertId, false), 'Switched off.', false);
  const on = () => void act(() => turn(alertId, true), 'Switched on.', true);
  const snooze = () => void act(() => quieten(alertId), 'Snoozed for an hour.', true);
  const mute = (code: string) => async () => {
    await muteStock(alertId, code, true);
    setMuted(true);
  };
  // Not `disabled`, which would lose the focus.
  const guarded = (run: () => void) => ({
    'aria-disabled': isBusy || undefined,
    onClick: () => !isBusy && run(),
  });
  return (
    <>
      {isWhy && (
        <ul className="toast-why" aria-label="Why it fired">
          {seen.map((one, index) => (
            // Their order is all that tells them apart.
            <li key={index}>{seenInFull(one)}</li>
          ))}
        </ul>
      )}
      <p className="toast-note" role="status">
        {said}
      </p>
      <div className="toast-actions">
        {isOn ? (
          <>
            {of === 'scan' && symbol !== null && !isMuted && (
              <Button
                variant="quiet"
                {...guarded(() => void act(mute(symbol), `${symbol} is not told again today.`, true))}
              >
                Not this stock today
              </Button>
            )}
            <Button variant="quiet" {...guarded(snooze)}>
              Snooze 1 h
            </Button>
            <Button variant="quiet" {...guarded(off)}>
              Off
            </Button>
          </>
        ) : (
          <Button variant="quiet" {...guarded(on)}>
            On
          </Button>
        )}
        {seen.length > 0 && (
          <Button variant="quiet" aria-expanded={isWhy} onClick={() => setWhy(!isWhy)}>
            Why
          </Button>
        )}
      </div>
    </>
  );
}
