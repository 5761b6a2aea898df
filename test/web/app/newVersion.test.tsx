import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { watchTyping, watchVersion } from '#web/app/newVersion.ts';
import { results } from '#support/axe.ts';
import { appByHand } from '#support/appByHand.tsx';

const MINUTE = 60_000;

const app = appByHand();
let stops: (() => void)[] = [];
let now: number;
let hidden: boolean;
let reloads: number;
const { dataset } = document.documentElement;
const reload = Object.getOwnPropertyDescriptor(window.location, 'reload');

const serves = (commit: unknown) => {
  app.server.answers['GET /api/app'] = { body: { test: false, donateUrl: null, version: '1.0.0', commit } };
};
const asked = () => app.server.to('/api/app').length;
const isOffered = () => screen.queryByRole('button', { name: 'Reload for the new version' }) !== null;
/** The stream breaks and returns, as when the server restarts. */
const restart = () => {
  app.live.connect('reconnecting');
  app.live.connect('live');
};
const show = () => {
  hidden = false;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};
const hide = () => {
  hidden = true;
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  now = 1_000_000;
  hidden = false;
  reloads = 0;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.defineProperty(window.location, 'reload', { configurable: true, value: () => void reloads++ });
  dataset.commit = 'aaa';
});
afterEach(() => {
  for (const stop of stops) stop();
  delete dataset.commit;
  Reflect.deleteProperty(document, 'hidden');
  if (reload) Object.defineProperty(window.location, 'reload', reload);
  else Reflect.deleteProperty(window.location, 'reload');
});

/** Opens the page while the server runs a commit. */
async function open(commit: unknown): Promise<void> {
  serves(commit);
  stops = [watchVersion(() => now), watchTyping()];
  await app.open('/login');
  app.live.connect('live');
  await screen.findByRole('heading', { name: 'Login' });
  await waitFor(() => expect(asked()).toBe(1));
}
const settle = async (requests: number) => {
  await waitFor(() => expect(asked()).toBe(requests));
  await act(() => Bun.sleep(5));
};

describe('the offer of a new version', () => {
  test('appears when the stream returns from a server with another commit; nothing reloads automatically', async () => {
    await open('aaa');
    serves('bbb');
    restart();
    await settle(2);
    expect(isOffered()).toBe(true);
    expect(screen.getByText('Bellbird was updated.').getAttribute('role')).toBe('status');
    expect(reloads).toBe(0);
    expect(await results(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
    expect(reloads).toBe(1);
  });
  test.each(['aaa', 'unknown', 'development', '', undefined, null, {}])(
    'is not shown for a server with commit %p',
    async (commit) => {
      await open('aaa');
      serves(commit);
      restart();
      await settle(2);
      expect(isOffered()).toBe(false);
    },
  );
  test('can be dismissed, and returns only for the next commit', async () => {
    await open('bbb');
    await settle(1);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(isOffered()).toBe(false);
    restart();
    await settle(2);
    expect(isOffered()).toBe(false);
    serves('ccc');
    restart();
    await settle(3);
    expect(isOffered()).toBe(true);
  });
});

test('a reload asks before it discards typed input, but not for input that was removed again', async () => {
  await open('aaa');
  const box = screen.getByLabelText<HTMLInputElement>('Username');
  await userEvent.type(box, 'maggie');
  serves('bbb');
  restart();
  await settle(2);
  expect([box.value, document.activeElement === box]).toEqual(['maggie', true]);
  await userEvent.clear(box);
  await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
  expect(reloads).toBe(1);
  await userEvent.type(box, 'bruce');
  await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
  expect(reloads).toBe(1);
  await userEvent.click(screen.getByRole('button', { name: 'Reload anyway' }));
  expect(reloads).toBe(2);
});

test('the version is checked at most once a minute when the window is shown, never while hidden', async () => {
  await open('aaa');
  now += MINUTE - 1;
  hide();
  show();
  await settle(1);
  now += 1;
  hide();
  await settle(1);
  show();
  await settle(2);
  hide();
  show();
  await settle(2);
  now += MINUTE;
  hide();
  show();
  await settle(3);
});
