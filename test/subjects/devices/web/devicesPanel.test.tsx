import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DevicesPanel } from '#subjects/devices/web/shared/DevicesPanel.tsx';
import { DeviceToggles } from '#subjects/devices/web/shared/DeviceToggles.tsx';
import { devicesAnswer } from '#subjects/devices/answers/devices.ts';
import type { DeviceChoice } from '#subjects/devices/rules/device.ts';
import { pageApi } from '#support/fakeApi.ts';

const PHONE = {
  id: 1,
  name: 'Chrome on Android',
  created_at: '2026-11-20T00:00:00Z',
  delivered_at: null,
  status: 'registered',
  failure: null,
  test: null,
};
const own = (...devices: object[]) => ({ publicKey: 'BKey', devices, adminMessages: true });

const server = pageApi(() => ({ 'GET /api/devices': { body: own() } }), 1);
const real = { permission: '', isSecure: window.isSecureContext, agent: navigator.userAgent };

/** Fakes the browser’s features, which a page under test does not have. */
function pretend({
  secure = true,
  permission = 'default',
  push = true,
  agent = 'Firefox on Linux',
  answer = 'granted',
} = {}) {
  const define = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  define(window, 'isSecureContext', secure);
  define(navigator, 'userAgent', agent);
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  };
  const registration = {
    pushManager: {
      getSubscription: async () => null,
      subscribe: async () => (push ? subscription : Promise.reject(new Error('no push'))),
    },
    getNotifications: async () => [],
  };
  define(navigator, 'serviceWorker', {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  });
  define(window, 'PushManager', class {});
  define(window, 'Notification', { permission, requestPermission: async () => answer });
  define(globalThis, 'Notification', window.Notification);
}

beforeEach(() => pretend());
afterEach(() => {
  Object.defineProperty(window, 'isSecureContext', { value: real.isSecure, configurable: true });
  Object.defineProperty(navigator, 'userAgent', { value: real.agent, configurable: true });
});

const panel = () => within(screen.getByRole('region', { name: 'Notifications on this device' }));
const allowButton = () => panel().findByRole('button', { name: 'Allow notifications on this device' });

for (const [name, browser, sentence] of [
  ['an insecure address', { secure: false }, /need a secure address/],
  ['an iPhone', { agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }, /Add to Home Screen/],
  ['a browser that blocks', { permission: 'denied' }, /This browser blocks notifications/],
] as const) {
  test(`${name} explains what to do, and offers nothing that can't work`, async () => {
    pretend(browser);
    render(<DevicesPanel />);
    await panel().findByText(sentence);
    expect(panel().queryByRole('button', { name: /Allow/ })).toBeNull();
  });
}

test('allowing registers this browser and shows it, and its row shows the result of a test', async () => {
  render(<DevicesPanel />);
  const allow = await allowButton();
  server.answers['POST /api/devices'] = { body: { device: PHONE } };
  server.answers['GET /api/devices'] = { body: own(PHONE) };
  await userEvent.click(allow);
  await panel().findByText(/Notifications are on/);
  expect(server.to('/api/devices').find(({ method }) => method === 'POST')?.body).toEqual({
    endpoint: 'https://fcm.googleapis.com/x',
    p256dh: 'p',
    auth: 'a',
  });
  await panel().findByText('This browser');
  // The focused button is gone.
  expect(document.activeElement?.textContent).toContain('Logging out here removes it.');
  server.answers['POST /api/devices/1/test'] = {
    body: { device: { ...PHONE, test: { status: 'failed', reason: 'The browser has ended it.' } } },
  };
  await userEvent.click(panel().getByRole('button', { name: 'Test Chrome on Android' }));
  await panel().findByText('Test failed: The browser has ended it.');
  expect(document.activeElement).toBe(panel().getByRole('button', { name: 'Test Chrome on Android' }));
});

test('removing asks first with an explanation, and a refusal keeps the row', async () => {
  server.answers['GET /api/devices'] = { body: own(PHONE) };
  render(<DevicesPanel />);
  const press = async (name: 'Remove' | 'Cancel') => {
    await userEvent.click(panel().getByRole('button', { name: 'Remove Chrome on Android' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Chrome on Android”?' }));
    dialog.getByText(/will get no more notifications/);
    await userEvent.click(dialog.getByRole('button', { name }));
  };
  await panel().findByText('Chrome on Android');
  await press('Cancel');
  expect(server.calls.some(({ method }) => method === 'DELETE')).toBe(false);
  server.answers['DELETE /api/devices/1'] = { status: 500, body: { error: 'The disk is full.' } };
  await press('Remove');
  await panel().findByText('The disk is full.');
  server.answers['DELETE /api/devices/1'] = { body: { success: true } };
  await press('Remove');
  await panel().findByText('“Chrome on Android” was removed.');
  expect(panel().queryByText('This browser')).toBeNull();
});

test('a name is edited in place; a refusal keeps the text, and Cancel restores the old name', async () => {
  server.answers['GET /api/devices'] = { body: own(PHONE) };
  render(<DevicesPanel />);
  const rename = () => panel().findByRole('button', { name: /^Rename/ });
  await userEvent.click(await rename());
  server.answers['PUT /api/devices/1/name'] = { status: 400, body: { error: 'Another name.' } };
  await userEvent.keyboard('Kitchen{Enter}');
  await panel().findByText('Another name.');
  const box = panel().getByRole<HTMLInputElement>('textbox', { name: 'Name of the device' });
  expect(box.value).toBe('Kitchen');
  server.answers['PUT /api/devices/1/name'] = { body: { device: { ...PHONE, name: 'Kitchen' } } };
  await userEvent.type(box, '{Enter}');
  await panel().findByText('Kitchen');
  expect(panel().queryByText('Another name.')).toBeNull();
  expect(document.activeElement).toBe(await rename());
  await userEvent.click(await rename());
  await userEvent.keyboard('Hall{Escape}');
  expect(document.activeElement).toBe(await rename());
  await userEvent.click(await rename());
  await userEvent.click(panel().getByRole('button', { name: 'Cancel renaming Kitchen' }));
  panel().getByText('Kitchen');
});

const known = (...devices: object[]) => devicesAnswer.read(own(...devices));

test('an alert goes to this device, to all, or shows that its only device was removed', async () => {
  localStorage.setItem('bellbird.device', '{"id":1}');
  const chosen: DeviceChoice[] = [];
  const toggles = (choice: DeviceChoice, hasChat = false) => (
    <DeviceToggles
      own={known(PHONE, { ...PHONE, id: 2, name: 'Firefox' })}
      choice={choice}
      hasChat={hasChat}
      onChange={(next) => chosen.push(next)}
    />
  );
  const view = render(toggles([]));
  await userEvent.click(screen.getByRole('switch', { name: 'This device' }));
  await userEvent.click(screen.getByRole('switch', { name: 'All my devices' }));
  view.rerender(toggles([1, 2]));
  await userEvent.click(screen.getByRole('switch', { name: 'Firefox' }));
  view.rerender(toggles('all'));
  expect(screen.queryByRole('switch', { name: 'This device' })).toBeNull();
  await userEvent.click(screen.getByRole('switch', { name: 'All my devices' }));
  expect(chosen).toEqual([[1], 'all', [1], []]);
  view.rerender(toggles([9]));
  expect(screen.getByText(/was removed. It is shown only in the browser/)).toBeTruthy();
  view.rerender(toggles([9], true));
  expect(screen.getByText('Its device was removed.')).toBeTruthy();
  view.rerender(toggles([9, 2]));
  expect(screen.queryByText(/was removed/)).toBeNull();
});
