import { ALERT_ACTIONS, type ChatMessage, SCAN_ALERT_ACTIONS } from '../chatClients/rules/chatMessage.ts';
import { MAX_NOTIFICATION, type PushNotification } from './rules/notification.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../chatClients/messageText.ts';
import type { ActionTarget } from './actionToken.ts';

/** Together below the 4,096 bytes that every push service accepts, even with three-byte characters. */
const MAX_TITLE = 100;
const MAX_PAGE = 200;

/** The alert that a message's buttons act on; null if there is none. */
export function actionTargetOf({ buttons }: Pick<ChatMessage, 'buttons'>): ActionTarget | null {
  for (const { action, target } of buttons) {
    if (action === 'snooze') return { kind: 'alert', alertId: target };
    if (action === 'scansnooze') return { kind: 'scan', alertId: target };
  }
  return null;
}

/** Notifications of the same alert replace each other. */
function tagOf({ buttons }: ChatMessage, nonce: string): string {
  for (const { action, target } of buttons) {
    if (ALERT_ACTIONS.has(action)) return `alert-${target}`;
    if (SCAN_ALERT_ACTIONS.has(action)) return `scan-${target}`;
  }
  return nonce;
}

export type RenderOptions = {
  nonce: string;
  mayRepeat: boolean;
  /** Authorises the notification's buttons; null if it has none. */
  token: string | null;
};

export function pushNotification(
  message: ChatMessage,
  { nonce, mayRepeat, token }: RenderOptions,
): PushNotification {
  const lines = message.lines.map(withoutControls);
  return {
    title: fitted(withoutControls(message.title), MAX_TITLE),
    body: fitted([...lines, ...(mayRepeat ? [REPEAT_MARK] : [])].join('\n'), MAX_NOTIFICATION),
    tag: tagOf(message, nonce),
    page: (message.page ?? '').slice(0, MAX_PAGE),
    nonce,
    token,
  };
}

export const pushOverflow = ({ lines }: Pick<ChatMessage, 'lines'>): number =>
  Math.max(0, lines.map(withoutControls).join('\n').length - MAX_NOTIFICATION);
