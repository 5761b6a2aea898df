import BellIcon from 'lucide-react/icons/bell-ring';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { IconButton, Button } from '#ui/Button.tsx';
import { formatTime } from '#texts/format.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { showAlert, showScanAlert } from '../shared/showAlert.ts';
import { seenInFull } from '../../rules/seenText.ts';
import { MESSAGES } from '#texts/messages.ts';
import {
  snoozeAlert,
  switchAlert,
  muteStock,
  snoozeScanAlert,
  switchScanAlert,
} from '../shared/alertRequests.ts';
import { messageOf } from '#web/api/client.ts';
import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { readRecord, readText } from '#lib/read.ts';

const CHANNEL = 'bellbird-toasts';

/** Notifies the other windows of this browser that a toast was dismissed; null for all toasts. */
export function showDismissed(key: string | null): void {
  const channel = open();
  channel?.postMessage({ dismissed: key });
  channel?.close();
}

/**
 * @param dismissed receives the key of a toast that is dismissed in another window; null for all
 * @returns the stop function
 */
export function onDismissed(dismissed: (key: string | null) => void): () => void {
  const channel = open();
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => dismissed(readText(readRecord(data).dismissed));
  return () => channel?.close();
}

const open = (): BroadcastChannel | null =>
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export const MAX_LINES = 3;
const MAX_LISTED = 200;
/** How long a toast stays, ms. Counts only while the window is visible and the toasts are not hovered. */
export const TOAST_MS = 30_000;

const NONE: readonly { trigger: AlertTrigger; leftMs: number }[] = [];
const state = signal(NONE);
const listed = signal<readonly AlertTrigger[]>([]);

/** Newest first. */
export const toasts: ReadonlySignal<readonly AlertTrigger[]> = computed(() =>
  state.value.map(({ trigger }) => trigger),
);
/** Everything that fired since the window opened, newest first, including dismissed toasts. */
export const listedTriggers: ReadonlySignal<readonly AlertTrigger[]> = listed;
export const isListOpen = signal(false);

export function addToast(trigger: AlertTrigger): void {
  state.value = [{ trigger, leftMs: TOAST_MS }, ...state.peek()].slice(0, MAX_LISTED);
  listed.value = [trigger, ...listed.peek()].slice(0, MAX_LISTED);
}

export function dropToast(key: string): void {
  state.value = state.peek().filter(({ trigger }) => trigger.key !== key);
}

export function dropToasts(): void {
  state.value = NONE;
}

/** Shows the list instead of the toasts, or closes it. The toasts count as seen. */
export function showList(isOpen: boolean): void {
  isListOpen.value = isOpen;
  dropToasts();
}

export function clearList(): void {
  listed.value = [];
}

/** Counts down the time for which toasts were visible, and removes expired ones. */
export function passToastTime(ms: number): void {
  if (state.peek().length === 0) return;
  state.value = state
    .peek()
    .map(({ trigger, leftMs }) => ({ trigger, leftMs: leftMs - ms }))
    .filter(({ leftMs }) => leftMs > 0);
}

export const triggerTitle = ({ symbol, name }: AlertTrigger): string =>
  [symbol, name].filter((part) => part !== null).join(': ') || 'Alert';

export const triggerSentence = (trigger: AlertTrigger): string =>
  `Alert fired. ${triggerTitle(trigger)}. ${triggerValues(trigger) ?? ''}`.trim();

/** The values without the symbol, which is shown before them. */
export function triggerValues({ symbol, text }: AlertTrigger): string | null {
  return symbol !== null && text?.startsWith(`${symbol} `) ? text.slice(symbol.length + 1) : text;
}

/** The values without the time, which has its own place in the line. */
const lineValues = (trigger: AlertTrigger): string =>
  triggerValues(trigger)?.replace(` · ${formatTime(trigger.marketAt)} Sydney`, '') ?? 'Alert fired';

const ACTIONS = {
  stock: { turn: switchAlert, snooze: snoozeAlert },
  scan: {
    turn: (id: number, active: boolean) => switchScanAlert(id, { active }),
    snooze: snoozeScanAlert,
  },
};

function useActing(isOnFirst: boolean) {
  const [isOn, setOn] = useState(isOnFirst);
  const [announced, setAnnounced] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>, done: string, on: boolean) => {
    setBusy(true);
    try {
      await work();
      setOn(on);
      setAnnounced(done);
    } catch (problem) {
      setAnnounced(messageOf(problem, MESSAGES.watchlist.saveAlert));
    }
    setBusy(false);
  };
  return { isOn, announced, isBusy, act };
}

/** The actions that chats also offer below the message. */
function ToastActions({ trigger }: { trigger: AlertTrigger }): ReactNode {
  const { seen = [] } = trigger;
  const acting = useActing(!trigger.deactivated);
  const [isWhy, setWhy] = useState(false);
  return (
    <>
      <p className="toast-note" role="status">
        {acting.announced ?? (trigger.deactivated && 'It fired once and is now off.')}
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
            // The position is the key, because items have no other identity.
            <li key={index}>{seenInFull(one)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

type SwitchesProps = ReturnType<typeof useActing> & { trigger: AlertTrigger };

function Switches({ trigger, isOn, isBusy, act }: SwitchesProps): ReactNode {
  const { of, alertId, symbol } = trigger;
  const { turn, snooze } = ACTIONS[of];
  const [isMuted, setMuted] = useState(false);
  const mute = (code: string) => async () => {
    await muteStock(alertId, code, true);
    setMuted(true);
  };
  // `disabled` would lose the focus.
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
        action('Not this stock today', mute(symbol), `${symbol} is muted until tomorrow.`, true)}
      {action('Snooze 1 h', () => snooze(alertId), 'Snoozed for an hour.', true)}
      {action('Off', () => turn(alertId, false), 'Switched off.', false)}
    </>
  );
}

type ToastLineProps = {
  trigger: AlertTrigger;
  onFollow(): void;
  onDismiss?: () => void;
};

/** A fired alert in one line. Its actions appear on hover or keyboard focus. Pressing the values expands them. */
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

/** A link to the alert if it is on one stock, otherwise to the watchlist. */
function ToastLink({ trigger: { of, alertId, symbol }, onFollow }: ToastLinkProps): ReactNode {
  if (of === 'scan' || symbol === null) {
    return (
      <a
        className={symbol === null ? undefined : 'strong'}
        href={`#${WATCHLIST_PATH}`}
        title={of === 'scan' ? 'Show the alert' : undefined}
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
