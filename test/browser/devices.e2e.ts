import { afterAll, expect, test } from 'bun:test';
import type { BrowserContext, Worker } from 'playwright-core';
import type { PushNotification } from '#platform/push/rules/notification.ts';
import type { Subscription } from '#subjects/devices/rules/pushEndpoint.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { mover } from '../support/fedMovers.ts';
import { openPushService } from '../support/pushService.ts';
import { callApi, expectQuiet, openFixture, seedSession, until } from '../support/fixture.ts';

/** A browser that subscribes to our push service, because the real ones are on the internet. */
function subscribeHere(subscription: Subscription): void {
  const kept = 'test.subscribed';
  const made = (applicationServerKey: ArrayBuffer | null) => ({
    endpoint: subscription.endpoint,
    options: { applicationServerKey },
    toJSON: () => ({
      endpoint: subscription.endpoint,
      keys: { p256dh: subscription.p256dh, auth: subscription.auth },
    }),
    unsubscribe: async () => localStorage.removeItem(kept) === undefined,
  });
  Object.assign(PushManager.prototype, {
    async getSubscription() {
      const key = localStorage.getItem(kept);
      return key === null ? null : made(Uint8Array.from(atob(key), (c) => c.charCodeAt(0)).buffer);
    },
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      const key = applicationServerKey.replaceAll('-', '+').replaceAll('_', '/');
      localStorage.setItem(kept, key);
      return made(null);
    },
  });
}

const allowed = async (context: BrowserContext, subscription: Subscription): Promise<void> => {
  await context.grantPermissions(['notifications']);
  await context.addInitScript(subscribeHere, subscription);
};

const service = await openPushService();
const fixture = await openFixture({ ...FED, BELLBIRD_PUSH_SERVICES: service.origin });
afterAll(async () => {
  await fixture.close();
  service.stop();
});
service.setClock(fixture.now);
await feed(fixture.url, mover('AAX', 2), mover('BBX', 1));
const { subscription } = await service.browser();
const visitor = await fixture.visit('/settings/notifications', {
  as: 'premium-devices',
  browser: { serviceWorkers: 'allow' },
  first: (context) => allowed(context, subscription),
});
const { page } = visitor;
let token = await page.evaluate(() => localStorage.getItem('accessToken') ?? '');
const cdp = await visitor.context.newCDPSession(page);
let registrationId = '';
cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
  registrationId = registrations.at(-1)?.registrationId ?? registrationId;
});
await cdp.send('ServiceWorker.enable');

const call = <T>(path: string, method = 'GET', body?: unknown): Promise<T> =>
  callApi<T>(`${fixture.url}/api${path}`, { token, method, body });

const panel = () => page.getByRole('region', { name: 'Notifications on this device' });

async function worker(): Promise<Worker> {
  const [running] = visitor.context.serviceWorkers();
  return running ?? visitor.context.waitForEvent('serviceworker');
}

type ShowingScope = ServiceWorkerGlobalScope & { hasShown?: Promise<unknown> };

/**
 * Passes a message to the worker, as the browser does for its push service, and waits until it is shown. A browser asked for its notifications
 * earlier forgets one that is not on the screen yet.
 */
async function deliver(notification: PushNotification): Promise<void> {
  const running = await worker();
  await running.evaluate(() => {
    const scope = globalThis as unknown as ShowingScope;
    const { registration } = scope;
    const show = ServiceWorkerRegistration.prototype.showNotification;
    scope.hasShown = new Promise((resolve) => {
      registration.showNotification = async (...shown) => {
        await show.apply(registration, shown);
        resolve(null);
      };
    });
  });
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: fixture.url,
    registrationId,
    data: JSON.stringify(notification),
  });
  await running.evaluate(() => (globalThis as unknown as ShowingScope).hasShown);
}

const shown = async () =>
  (await worker()).evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope;
    const all = await scope.registration.getNotifications();
    return all.map((one) => ({
      title: one.title,
      body: one.body,
      actions: (one as unknown as { actions: { title: string }[] }).actions.map(({ title }) => title),
    }));
  });

/** Presses the notification or one of its buttons, as a user would. */
const press = async (action: string) =>
  (await worker()).evaluate(async (pressed) => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('There is no notification.');
    const event = new NotificationEvent('notificationclick', { notification, action: pressed });
    let work: Promise<unknown> = Promise.resolve();
    Object.assign(event, { waitUntil: (promise: Promise<unknown>) => void (work = promise) });
    scope.dispatchEvent(event);
    await work;
  }, action);

test('a user allows notifications, tests them, is alerted, snoozes the alert, and opens the stock', async () => {
  await panel().getByRole('button', { name: 'Allow notifications on this device' }).click();
  const line = panel().getByRole('row').filter({ hasText: 'This browser' });
  await line.getByRole('button', { name: /^Test/ }).click();
  await line.getByText('The push service accepted the test').waitFor();
  expect(service.arrivals.map(({ notification: notice }) => notice.title)).toEqual(['Bellbird test']);

  const { devices } = await call<{ devices: { id: number }[] }>('/devices/');
  const condition = { lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 5 } };
  const { id } = await call<{ id: number }>('/alerts', 'POST', {
    symbol: 'AAX',
    name: 'Breakout',
    persistent: true,
    logic_json: { op: 'AND', conditions: [condition] },
    destinations: { devices: devices.map((one) => one.id) },
  });
  await feed(fixture.url, { code: 'AAX' });
  await until('the alert was evaluated', async () => {
    const { at } = await call<{ at: string | null }>(`/alerts/${id}/evaluation`);
    return at !== null;
  });
  await feed(fixture.url, { code: 'AAX', last: 6, volume: 9_000_000 });
  await until('it arrived', async () => service.arrivals.length === 2);
  const notification = service.arrivals[1]?.notification;
  if (!notification) throw new Error('There is no message.');
  expect(service.faults).toEqual([]);

  await deliver(notification);
  await until('it is shown', async () => (await shown()).length === 1);
  expect(await shown()).toEqual([
    { title: notification.title, body: notification.body, actions: ['Snooze 15 min', 'Off today'] },
  ]);

  await press('snooze');
  const { alerts } = await call<{ alerts: { snoozed_until: string | null }[] }>('/alerts?symbol=AAX');
  const leftMs = Date.parse(alerts[0]?.snoozed_until ?? '') - fixture.now();
  expect(leftMs).toBeGreaterThan(14 * 60_000);
  expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
  expect(await shown()).toMatchObject([
    { body: expect.stringMatching(/^Snoozed until \d\d:\d\d Sydney\.$/) },
  ]);

  const loaded = page.waitForResponse((answer) => answer.url().endsWith(`/alerts/${id}/triggers`));
  await press('');
  await page.waitForURL(/#\/watchlist\?symbol=AAX|#\/watchlist$/);
  await page.getByRole('textbox', { name: 'Name (optional)' }).waitFor();
  await page.getByText('This device', { exact: true }).waitFor();
  // A user who logs out before the answer arrives is shown the refusal.
  await loaded;
});

test('logging out removes the device', async () => {
  await deliver({ title: 'Later', body: '', tag: 'later', page: '', nonce: 'n', token: null });
  await until('it is shown', async () => (await shown()).some(({ title }) => title === 'Later'));
  await page.getByRole('button', { name: 'Logout' }).click();
  await until('it is gone', async () => (await shown()).length === 0);
  expect(await page.evaluate(() => localStorage.getItem('bellbird.device'))).toBeNull();
  token = (await seedSession(fixture.url, 'premium-devices')).accessToken;
  expect(await call<{ devices: unknown[] }>('/devices/')).toMatchObject({ devices: [] });
  expectQuiet(fixture, visitor);
});
