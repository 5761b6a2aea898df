import { isRecord } from '#lib/json.ts';
import {
  NOTIFICATION_ACTIONS,
  NOTIFICATION_ACTION_LABELS,
  type NotificationAction,
  type PushNotification,
} from '#platform/push/rules/notification.ts';

/** The used members of the worker's scope, so that tests can pass their own. */
export type WorkerScope = {
  registration: Pick<ServiceWorkerRegistration, 'scope' | 'showNotification' | 'getNotifications'>;
  clients: Clients;
  fetch(url: string, init: RequestInit): Promise<Response>;
};

/** Data that a notification stores for its buttons. */
type Kept = { page: string; token: string | null; nonce: string; body: string };

/** Members that some browsers' type definitions lack. */
type Options = NotificationOptions & {
  actions?: { action: string; title: string }[];
  renotify?: boolean;
  timestamp?: number;
};

/** Time that a window has to accept a page, ms. */
const ANSWER_MS = 500;

const textOr = (value: unknown, missing: string): string => (typeof value === 'string' ? value : missing);

/** Reads a message; missing members get defaults, so that messages of other server versions are shown too. */
export function readNotification(value: unknown): PushNotification {
  const sent = isRecord(value) ? value : {};
  const page = textOr(sent['page'], '');
  return {
    title: textOr(sent['title'], '') || 'Bellbird',
    body: textOr(sent['body'], isRecord(value) ? '' : 'Open Bellbird to see what happened.'),
    tag: textOr(sent['tag'], '') || 'bellbird',
    page: page.startsWith('#/') ? page : '',
    nonce: textOr(sent['nonce'], ''),
    token: typeof sent['token'] === 'string' ? sent['token'] : null,
  };
}

function readKept(data: unknown): Kept {
  const { page, token, nonce, body } = readNotification(data);
  return { page, token, nonce, body };
}

const isAction = (text: string): text is NotificationAction =>
  NOTIFICATION_ACTIONS.some((one) => one === text);

const optionsOf = ({ body, tag, page, token, nonce }: PushNotification): Options => ({
  body,
  tag,
  icon: '/icon-192.png',
  badge: '/badge-96.png',
  timestamp: Date.now(),
  data: { page, token, nonce, body } satisfies Kept,
  actions:
    token === null
      ? []
      : NOTIFICATION_ACTIONS.map((action) => ({ action, title: NOTIFICATION_ACTION_LABELS[action] })),
});

/** Shows a message. A repeat of a message that is shown makes no sound. */
export async function showNotification({ registration }: WorkerScope, sent: unknown): Promise<void> {
  const notification = readNotification(sent);
  const [shown] = await registration.getNotifications({ tag: notification.tag });
  const isRepeat =
    shown !== undefined && notification.nonce !== '' && readKept(shown.data).nonce === notification.nonce;
  const options: Options = { ...optionsOf(notification), renotify: !isRepeat, silent: isRepeat };
  await registration.showNotification(notification.title, options);
}

/** Asks a window to show a page. Main windows accept, popups do not. */
const takes = (client: Client, page: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_MS);
    client.postMessage({ type: 'bellbird.open', page }, [port2]);
  });

/** Shows the page in the last used window, otherwise in a new one. */
async function open({ clients, registration }: WorkerScope, page: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const client of windows) {
    if (!(await takes(client, page))) continue;
    // If the browser refuses the focus, the window still shows the page.
    await client.focus().catch(() => undefined);
    return;
  }
  await clients.openWindow(new URL(`/${page}`, registration.scope).href);
}

/** The server's answer to a button, or why there is none. */
async function act({ fetch }: WorkerScope, token: string, action: NotificationAction) {
  const failed = (text: string) => ({ isDone: false, text });
  try {
    const response = await fetch('/api/devices/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, action }),
    });
    const answer: unknown = await response.json();
    const record = isRecord(answer) ? answer : {};
    if (response.ok) return { isDone: true, text: textOr(record['text'], 'Done.') };
    return failed(textOr(record['error'], 'The server refused.'));
  } catch {
    return failed('Bellbird can’t be reached. Press again when you are online.');
  }
}

/** Handles a press: a button acts and shows the result, anything else opens the page. */
export async function pressNotification(scope: WorkerScope, notification: Notification, action: string) {
  const { title, tag, data } = notification;
  const kept = readKept(data);
  notification.close();
  if (!isAction(action) || kept.token === null) return open(scope, kept.page);
  const { isDone, text } = await act(scope, kept.token, action);
  // A failed action can be tried again.
  const token = isDone ? null : kept.token;
  const options = optionsOf({ title, tag, ...kept, token });
  const body = isDone ? text : `${text}\n${kept.body}`;
  await scope.registration.showNotification(title, { ...options, body, silent: true });
}
