import { expect, test } from 'bun:test';
import {
  pressNotification,
  readNotification,
  showNotification,
  type WorkerScope,
} from '#subjects/devices/web/worker/notifications.ts';

const NOTIFICATION = {
  title: 'BHP 51',
  body: 'Last > 50',
  tag: 'alert-3',
  page: '#/watchlist?symbol=BHP',
  nonce: 'n1',
  token: 't',
};

type Shown = { title: string; options: NotificationOptions & { actions?: unknown[]; renotify?: boolean } };
type FakeWindow = { takes: boolean; asked: unknown[]; focused: number };

/** A worker’s scope that stores notifications by tag, and windows that report whether they show a page. */
function fakeScope(answer: () => Promise<Response>, windows: FakeWindow[] = []) {
  const shown = new Map<string, Shown>();
  const opened: string[] = [];
  const calls: { url: string; body: unknown }[] = [];
  const clientOf = (one: FakeWindow) => ({
    postMessage(message: unknown, [port]: MessagePort[]) {
      one.asked.push(message);
      if (one.takes) port?.postMessage('taken');
    },
    focus: async () => void (one.focused += 1),
  });
  const scope = {
    registration: {
      scope: 'https://bell.example/',
      showNotification: async (title: string, options: Shown['options']) =>
        void shown.set(options.tag ?? '', { title, options }),
      getNotifications: async ({ tag }: { tag: string }) => {
        const one = shown.get(tag);
        return one ? [{ ...one, data: one.options.data }] : [];
      },
    },
    clients: {
      matchAll: async () => windows.map(clientOf),
      openWindow: async (url: string) => void opened.push(url),
    },
    async fetch(url: string, { body }: RequestInit) {
      calls.push({ url, body: JSON.parse(body as string) });
      return answer();
    },
  } as unknown as WorkerScope;
  const notification = () => {
    const one = shown.get(NOTIFICATION.tag);
    return {
      title: NOTIFICATION.title,
      tag: NOTIFICATION.tag,
      data: one?.options.data,
      close() {},
    } as Notification;
  };
  return { scope, shown, opened, calls, notification };
}

const done = async () => Response.json({ text: 'Snoozed until 10:37 Sydney.' });

test('a message is shown with its buttons, and a repeated one makes no sound', async () => {
  const { scope, shown } = fakeScope(done);
  await showNotification(scope, NOTIFICATION);
  expect(shown.get('alert-3')).toMatchObject({
    title: 'BHP 51',
    options: { body: 'Last > 50', renotify: true, silent: false },
  });
  expect(shown.get('alert-3')?.options.actions).toEqual([
    { action: 'snooze', title: 'Snooze 15 min' },
    { action: 'today', title: 'Off today' },
  ]);
  await showNotification(scope, { ...NOTIFICATION, body: 'Last > 50\n(may be a repeat)' });
  expect(shown.get('alert-3')?.options).toMatchObject({ renotify: false, silent: true });
  await showNotification(scope, { ...NOTIFICATION, nonce: 'n2' });
  expect(shown.get('alert-3')?.options).toMatchObject({ renotify: true, silent: false });
});

test('an unreadable payload still shows a notification, without a link', () => {
  for (const sent of [null, undefined, 'text', [], 7]) {
    expect(readNotification(sent)).toMatchObject({
      title: 'Bellbird',
      body: expect.stringMatching(/\w/),
      page: '',
    });
  }
  expect(readNotification({ title: 'a', page: 'https://elsewhere.example' }).page).toBe('');
  expect(readNotification({ title: 'a', page: '//elsewhere.example' }).page).toBe('');
});

test('a button uses the notification’s token and shows the result silently', async () => {
  const { scope, shown, calls, notification } = fakeScope(done);
  await showNotification(scope, NOTIFICATION);
  await pressNotification(scope, notification(), 'snooze');
  expect(calls).toEqual([{ url: '/api/devices/act', body: { token: 't', action: 'snooze' } }]);
  expect(shown.get('alert-3')?.options).toMatchObject({
    body: 'Snoozed until 10:37 Sydney.',
    actions: [],
    silent: true,
  });
});

for (const [name, answer] of [
  ['refused', async () => Response.json({ error: 'This alert no longer exists.' }, { status: 404 })],
  ['offline', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answered by a proxy', async () => new Response('<html>', { status: 502 })],
] as const) {
  test(`a click that is ${name} shows that, keeps the message, and can be repeated`, async () => {
    const { scope, shown, notification } = fakeScope(answer);
    await showNotification(scope, NOTIFICATION);
    await pressNotification(scope, notification(), 'today');
    expect(shown.get('alert-3')?.options.body).toContain('Last > 50');
    expect(shown.get('alert-3')?.options.actions).toHaveLength(2);
  });
}

test('a click shows the stock in the first window that accepts it, otherwise in a new one', async () => {
  const windows = [
    { takes: false, asked: new Array<unknown>(), focused: 0 },
    { takes: true, asked: new Array<unknown>(), focused: 0 },
  ];
  const first = fakeScope(done, windows);
  await showNotification(first.scope, NOTIFICATION);
  await pressNotification(first.scope, first.notification(), '');
  expect(windows.map(({ focused }) => focused)).toEqual([0, 1]);
  expect(windows[1]?.asked).toEqual([{ type: 'bellbird.open', page: NOTIFICATION.page }]);
  expect(first.opened).toEqual([]);
  const alone = fakeScope(done);
  await showNotification(alone.scope, NOTIFICATION);
  await pressNotification(alone.scope, alone.notification(), '');
  expect(alone.opened).toEqual(['https://bell.example/#/watchlist?symbol=BHP']);
});
