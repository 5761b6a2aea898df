import BellIcon from 'lucide-react/icons/bell-ring';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { IconButton, Button } from '#ui/Button.tsx';
import { formatTime } from '#texts/format.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { showAlert, showScanAlert } from '../shared/showAlert.ts';
import { lineValues, triggerTitle } from './triggerWords.ts';
import { seenInFull } from '#subjects/alerts/rules/seenText.ts';
import { MESSAGES } from '#texts/messages.ts';
import {
  snoozeAlert,
  switchAlert,
  muteStock,
  snoozeScanAlert,
  switchScanAlert,
} from '../shared/scanAlerts/api.ts';
import { messageOf } from '#web/api/client.ts';

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
function ToastActions({ trigger }: { trigger: AlertTrigger }): ReactNode {
  const { seen = [] } = trigger;
  const acting = useActing(!trigger.deactivated);
  const [isWhy, setWhy] = useState(false);
  return (
    <>
      <p className="toast-note" role="status">
        {acting.said ?? (trigger.deactivated && 'It fired once and is off now.')}
      </p>
      <div className="toast-actions cluster">
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

type ToastLineProps = {
  trigger: AlertTrigger;
  /** Its link was followed. */
  onFollow(): void;
  /** Left out where it is not dismissed by itself. */
  onDismiss?: () => void;
};

/**
 * An alert that fired, in one line. What can be done with it is beside it while it is pointed at or has the focus of a
 * keyboard; a press on its values shows them in full, with the same.
 */
export function ToastLine({ trigger, onFollow, onDismiss }: ToastLineProps): ReactNode {
  const { key, name, marketAt } = trigger;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={isOpen ? 'toast is-open' : 'toast'} data-toast={key}>
      <BellIcon size={14} aria-hidden />
      <time className="muted" dateTime={new Date(marketAt).toISOString()}>
        {formatTime(marketAt)}
      </time>
      <p className="toast-title">
        <ToastLink trigger={trigger} onFollow={onFollow} />
        {name !== null && <span className="ellipsis strong">{name}</span>}
      </p>
      <button type="button" className="toast-text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {lineValues(trigger)}
      </button>
      <ToastActions trigger={trigger} />
      {onDismiss && (
        <IconButton label={`Dismiss ${triggerTitle(trigger)}`} onClick={onDismiss}>
          <XIcon size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

type ToastLinkProps = Pick<ToastLineProps, 'trigger' | 'onFollow'>;

/** Leads to the alert of one stock, else to the watchlist. */
function ToastLink({ trigger: { of, alertId, symbol }, onFollow }: ToastLinkProps): ReactNode {
  if (of === 'scan' || symbol === null) {
    return (
      <a
        className={symbol === null ? undefined : 'strong'}
        href={`#${WATCHLIST_PATH}`}
        title={of === 'scan' ? 'Show the alert on the scan' : undefined}
        onClick={(event) => {
          if (of === 'scan') {
            event.preventDefault();
            showScanAlert(alertId);
          }
          onFollow();
        }}
      >
        {symbol ?? 'Alert fired'}
      </a>
    );
  }
  return (
    <a
      className="strong"
      href={`#${WATCHLIST_PATH}`}
      title={`Show ${symbol} in the watchlist`}
      onClick={(event) => {
        event.preventDefault();
        showAlert(symbol, alertId);
        onFollow();
      }}
    >
      {symbol}
    </a>
  );
}
