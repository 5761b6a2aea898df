import { isRecord } from '#lib/json.ts';
import {
  NOTICE_ACTIONS,
  NOTICE_ACTION_LABELS,
  type NoticeAction,
  type PushNotice,
} from '#platform/push/rules/notice.ts';

/** What of the worker's scope is used; tests pass their own. */
export type WorkerScope = {
  registration: Pick<ServiceWorkerRegistration, 'scope' | 'showNotification' | 'getNotifications'>;
  clients: Clients;
  fetch(url: string, init: RequestInit): Promise<Response>;
};

/** What a notification keeps for its presses. */
type Kept = { page: string; token: string | null; nonce: string; body: string };

/** Not every browser's types know them yet. */
type Options = NotificationOptions & {
  actions?: { action: string; title: string }[];
  renotify?: boolean;
  timestamp?: number;
};

/** How long a window may take to say that it is the one to show a page. */
const ANSWER_MS = 500;

const textOr = (value: unknown, missing: string): string => (typeof value === 'string' ? value : missing);

/** A message, read tolerantly: a browser wants to see something for each, whatever server it is of. */
export function readNotice(value: unknown): PushNotice {
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
  const { page, token, nonce, body } = readNotice(data);
  return { page, token, nonce, body };
}

const isAction = (text: string): text is NoticeAction => NOTICE_ACTIONS.some((one) => one === text);

const optionsOf = ({ body, tag, page, token, nonce }: PushNotice): Options => ({
  body,
  tag,
  icon: '/icon-192.png',
  badge: '/badge-96.png',
  timestamp: Date.now(),
  data: { page, token, nonce, body } satisfies Kept,
  actions:
    token === null ? [] : NOTICE_ACTIONS.map((action) => ({ action, title: NOTICE_ACTION_LABELS[action] })),
});

/** Shows a message. One that is there already, as the server was not sure, does not sound again. */
export async function showNotice({ registration }: WorkerScope, sent: unknown): Promise<void> {
  const notice = readNotice(sent);
  const [shown] = await registration.getNotifications({ tag: notice.tag });
  const isRepeat = shown !== undefined && notice.nonce !== '' && readKept(shown.data).nonce === notice.nonce;
  const options: Options = { ...optionsOf(notice), renotify: !isRepeat, silent: isRepeat };
  await registration.showNotification(notice.title, options);
}

/** Asks a window whether it shows a page: the one with a header does, a window of its own does not. */
const takes = (client: Client, page: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_MS);
    client.postMessage({ type: 'bellbird.open', page }, [port2]);
  });

/** Shows a page in the window that was used last, else in a new one. */
async function open({ clients, registration }: WorkerScope, page: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const client of windows) {
    if (!(await takes(client, page))) continue;
    // A browser that does not let it come to the front has it show the page all the same.
    await client.focus().catch(() => undefined);
    return;
  }
  await clients.openWindow(new URL(`/${page}`, registration.scope).href);
}

/** What the server says to a pressed button, or why there is no answer. */
async function act({ fetch }: WorkerScope, token: string, action: NoticeAction) {
  const failed = (text: string) => ({ isDone: false, text });
  try {
    const response = await fetch('/api/devices/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, action }),
    });
    const answer: unknown = await response.json();
    const said = isRecord(answer) ? answer : {};
    if (response.ok) return { isDone: true, text: textOr(said['text'], 'Done.') };
    return failed(textOr(said['error'], 'The server refused.'));
  } catch {
    return failed('Not done: Bellbird can’t be reached. Press again when you are online.');
  }
}

/** Does what was pressed: a button acts and says what came of it, anything else opens the page. */
export async function pressNotice(scope: WorkerScope, notification: Notification, action: string) {
  const { title, tag, data } = notification;
  const kept = readKept(data);
  notification.close();
  if (!isAction(action) || kept.token === null) return open(scope, kept.page);
  const { isDone, text } = await act(scope, kept.token, action);
  // What could not be done can be pressed again.
  const token = isDone ? null : kept.token;
  const options = optionsOf({ title, tag, ...kept, token });
  const body = isDone ? text : `${text}\n${kept.body}`;
  await scope.registration.showNotification(title, { ...options, body, silent: true });
}
