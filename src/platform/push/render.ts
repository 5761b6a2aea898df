import { ALERT_ACTIONS, type ChatMessage, SCAN_ALERT_ACTIONS } from '../chatClients/rules/chatMessage.ts';
import { MAX_NOTICE, type PushNotice } from './rules/notice.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../chatClients/messageText.ts';
import type { ActionTarget } from './actionToken.ts';

/** Together less than the 4,096 bytes that every push service takes, whatever three-byte characters they are. */
const MAX_TITLE = 100;
const MAX_PAGE = 200;

/** What the buttons of a message act on; null where it has none that end on their own. */
export function actionTargetOf({ buttons }: Pick<ChatMessage, 'buttons'>): ActionTarget | null {
  for (const { action, target } of buttons) {
    if (action === 'snooze') return { kind: 'alert', alertId: target };
    if (action === 'scansnooze') return { kind: 'scan', alertId: target };
  }
  return null;
}

/** What makes a later notification take the place of an earlier one: they are of the same alert. */
function tagOf({ buttons }: ChatMessage, nonce: string): string {
  for (const { action, target } of buttons) {
    if (ALERT_ACTIONS.has(action)) return `alert-${target}`;
    if (SCAN_ALERT_ACTIONS.has(action)) return `scan-${target}`;
  }
  return nonce;
}

export type RenderOptions = {
  nonce: string;
  /** An earlier attempt may have arrived. */
  mayRepeat: boolean;
  /** What lets the notification's buttons act; null where it has none. */
  token: string | null;
};

/** A message as a notification of the service worker. */
export function pushNotice(message: ChatMessage, { nonce, mayRepeat, token }: RenderOptions): PushNotice {
  const lines = message.lines.map(withoutControls);
  return {
    title: fitted(withoutControls(message.title), MAX_TITLE),
    body: fitted([...lines, ...(mayRepeat ? [REPEAT_MARK] : [])].join('\n'), MAX_NOTICE),
    tag: tagOf(message, nonce),
    page: (message.page ?? '').slice(0, MAX_PAGE),
    nonce,
    token,
  };
}

/** How many characters of a message a notification would not show. */
export const pushOverflow = ({ lines }: Pick<ChatMessage, 'lines'>): number =>
  Math.max(0, lines.map(withoutControls).join('\n').length - MAX_NOTICE);
