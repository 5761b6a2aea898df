import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../../../web/app/App.tsx';
import { watchVersion } from '../../../web/app/newVersion/newVersion.ts';
import { watchTyping } from '../../../web/app/newVersion/typedText.ts';
import { startLive } from '../../../web/live/market.ts';
import type { Connection, ToWindow } from '../../../web/live/stream/protocol.ts';
import { startRouter } from '../../../web/router/router.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi } from '../../support/fakeApi.ts';

const MINUTE = 60_000;

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
let now: number;
let hidden: boolean;
let reloads: number;
const { dataset } = document.documentElement;
const reload = Object.getOwnPropertyDescriptor(window.location, 'reload');

const serves = (commit: unknown) => {
  server.answers['GET /api/app'] = { body: { test: false, donateUrl: null, version: '1.0.0', commit } };
};
const asked = () => server.to('/api/app').length;
const isOffered = () => screen.queryByRole('button', { name: 'Reload for the new version' }) !== null;
const link = (connection: Connection) => act(() => receive({ type: 'connection', connection }));
/** The stream breaks and comes back, as when the server is restarted. */
const restart = () => {
  link('reconnecting');
  link('live');
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
  server = fakeApi({
    'GET /api/calls/leaderboard': { body: { calls: [], leaderboard: [], fetchedAt: Date.now() } },
    'GET /api/test/status': { body: { test: false } },
  });
  window.location.hash = '#/login';
  stops = [];
});
afterEach(() => {
  cleanup();
  for (const stop of stops) stop();
  server.restore();
  delete dataset.commit;
  Reflect.deleteProperty(document, 'hidden');
  if (reload) Object.defineProperty(window.location, 'reload', reload);
  else Reflect.deleteProperty(window.location, 'reload');
});

/** Opens the page while the server runs a commit. */
async function open(commit: unknown): Promise<void> {
  serves(commit);
  stops = [
    startRouter(),
    startLive((take) => {
      receive = take;
      return () => undefined;
    }),
    watchVersion(() => now),
    watchTyping(),
  ];
  render(<App />);
  link('live');
  await screen.findByRole('heading', { name: 'Login' });
  await waitFor(() => expect(asked()).toBe(1));
}
const settle = async (requests: number) => {
  await waitFor(() => expect(asked()).toBe(requests));
  await act(() => Bun.sleep(5));
};

describe('the offer of a new version', () => {
  test('comes when the stream is back and the server is of another commit; nothing reloads by itself', async () => {
    await open('aaa');
    serves('bbb');
    restart();
    await settle(2);
    expect(isOffered()).toBe(true);
    expect(screen.getByText('Bellbird was updated.').getAttribute('role')).toBe('status');
    expect(reloads).toBe(0);
    expect(await findings(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
    expect(reloads).toBe(1);
  });
  test('goes when the server is of the page’s commit again', async () => {
    await open('bbb');
    await settle(1);
    expect(isOffered()).toBe(true);
    serves('aaa');
    restart();
    await settle(2);
    expect(isOffered()).toBe(false);
  });
  test.each(['aaa', 'unknown', 'development', '', undefined, null, {}])(
    'is not made for a server of commit %p',
    async (commit) => {
      await open('aaa');
      serves(commit);
      restart();
      await settle(2);
      expect(isOffered()).toBe(false);
    },
  );
  test.each(['unknown', 'development', undefined])('is not made to a page of commit %p', async (commit) => {
    if (commit === undefined) delete dataset.commit;
    else dataset.commit = commit;
    await open('bbb');
    await settle(1);
    expect(isOffered()).toBe(false);
  });
  test('is not made while the server can not be reached, and comes afterwards', async () => {
    const warned = console.warn;
    console.warn = () => {};
    try {
      await open('aaa');
      server.answers['GET /api/app'] = 'offline';
      restart();
      await settle(2);
      expect(isOffered()).toBe(false);
      server.answers['GET /api/app'] = { status: 503, body: {} };
      restart();
      await settle(3);
      expect(isOffered()).toBe(false);
      serves('bbb');
      restart();
      await settle(4);
      expect(isOffered()).toBe(true);
    } finally {
      console.warn = warned;
    }
  });
  test('can be dismissed, and comes back for the next commit only', async () => {
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

describe('what was typed', () => {
  test('stays when the offer comes, and is not thrown away without a question', async () => {
    await open('aaa');
    const box = screen.getByLabelText<HTMLInputElement>('Username');
    await userEvent.type(box, 'maggie');
    serves('bbb');
    restart();
    await settle(2);
    expect(box.value).toBe('maggie');
    expect(document.activeElement).toBe(box);
    await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
    expect(reloads).toBe(0);
    expect(screen.getByText('What you typed here is not saved: reloading loses it.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Reload anyway' }));
    expect(reloads).toBe(1);
  });
  test('and taken away again needs no question', async () => {
    await open('bbb');
    await settle(1);
    const box = screen.getByLabelText('Username');
    await userEvent.type(box, 'maggie');
    await userEvent.clear(box);
    await userEvent.click(screen.getByRole('button', { name: 'Reload for the new version' }));
    expect(reloads).toBe(1);
  });
});

describe('the server is asked', () => {
  test('once at the start, and not for a stream that only begins', async () => {
    await open('aaa');
    link('connecting');
    link('live');
    await settle(1);
  });
  test.each(['reconnecting', 'disconnected'] as const)(
    'when the stream was %s and is back',
    async (state) => {
      await open('aaa');
      link(state);
      link('connecting');
      await settle(1);
      link('live');
      await settle(2);
    },
  );
  test('at most once a minute when the window is shown again, and never while it is hidden', async () => {
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
});
