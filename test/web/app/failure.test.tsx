import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { App } from '../../../web/app/App.tsx';
import { ErrorBoundary } from '../../../web/shared/ErrorBoundary.tsx';
import { ScreenFailure } from '../../../web/app/failure/ScreenFailure.tsx';
import { startLive } from '../../../web/live/market.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, patchSettings, startSettings } from '../../../web/shared/settings.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { giveLayout } from '../../support/layout.ts';
import { aSnapshot } from '../../support/market.ts';

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
const logged = console.error;
/** What was reported, in place of the console. */
let reported: unknown[][];
beforeEach(() => {
  reported = [];
  console.error = (...given: unknown[]) => void reported.push(given);
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/test/status': { body: { test: false } },
  });
  window.location.hash = '#/fx-news';
  stops = [
    giveLayout(),
    startRouter(),
    startSettings(),
    startLive((take) => {
      receive = take;
      return () => undefined;
    }),
  ];
});
afterEach(() => {
  cleanup();
  endSession();
  for (const stop of stops) stop();
  server.restore();
  console.error = logged;
});

async function open(path: string): Promise<void> {
  startSession({ accessToken: 'token', accessLevel: 1 }, path);
  await loadSettings();
  render(<App />);
  await waitFor(() => expect(document.querySelector('main .loading-overlay') === null).toBe(true));
}
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.querySelector('p')?.textContent);
const reload = () => screen.getByRole('button', { name: 'Reload' });
const reports = (text: string) =>
  expect(reported.some((given) => given.some((part) => String(part).includes(text)))).toBe(true);

describe('a part that breaks', () => {
  test('a screen: a sentence in its place, the shell stays, the next screen is fine', async () => {
    await open('/settings');
    act(() => patchSettings({ columnPreferences: { preMarket: 7 as never } }));
    expect(alerts()).toEqual(['This screen stopped working.']);
    expect(reload()).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
    reports('A part of the page failed to render.');
    expect(await findings(document.body)).toEqual([]);
    act(() => navigate('/fx-news'));
    await screen.findByRole('heading', { name: 'Economic Calendar' });
    expect(alerts()).toEqual([]);
  });
  test('the header: a line in its place, the screen stays', async () => {
    await open('/fx-news');
    act(() => patchSettings({ username: 7 as never }));
    expect(alerts()).toEqual(['This part of the page could not be shown.']);
    expect(reload()).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Economic Calendar' })).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
  });
  test('the strip: a line in its place, the scanner stays', async () => {
    await open('/intra-day-small');
    const snapshot = aSnapshot(['BHP']);
    const state = fromSnapshot(snapshot, Date.now());
    const feed = { ...snapshot.meta.feed, label: {} as never };
    act(() =>
      receive({ type: 'state', connection: 'live', state: { ...state, meta: { ...state.meta, feed } } }),
    );
    expect(alerts()).toEqual(['This part of the page could not be shown.']);
    expect(screen.getByRole('grid')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });
  test('the shell itself: the last page, which needs nothing of the product', async () => {
    Object.defineProperty(document, 'title', {
      configurable: true,
      set: () => {
        throw new Error('no title');
      },
    });
    try {
      await open('/fx-news');
    } finally {
      Reflect.deleteProperty(document, 'title');
    }
    expect(screen.getByRole('alert').textContent).toStartWith('Bellbird stopped working.');
    expect(screen.queryByRole('banner') === null).toBe(true);
    expect(reload()).toBeTruthy();
    expect(document.body.querySelector('[class]')).toBeNull();
    expect(await findings(document.body)).toEqual([]);
  });
});

describe('code that can not be fetched', () => {
  // The sentences of Chromium, Firefox and Safari.
  test.each([
    'Failed to fetch dynamically imported module: http://127.0.0.1/assets/CallsPage-1.js',
    'error loading dynamically imported module: http://127.0.0.1/assets/CallsPage-1.js',
    'Importing a module script failed.',
  ])('%s', async (message) => {
    const Missing = lazy(() => Promise.reject(new TypeError(message)));
    render(
      <ErrorBoundary fallback={(problem) => <ScreenFailure problem={problem} />}>
        <Suspense fallback="Loading">
          <Missing />
        </Suspense>
      </ErrorBoundary>,
    );
    await screen.findByText('This screen could not be loaded.');
    expect(screen.getByText(/^The server may have been updated/)).toBeTruthy();
    expect(reload()).toBeTruthy();
  });
});

test('a boundary hides what failed from the user, and gives its children another chance with a new key', () => {
  const Broken = (): never => {
    throw new Error('secret detail');
  };
  const fallback = (problem: unknown) => <ScreenFailure problem={problem} />;
  const { rerender } = render(
    <ErrorBoundary resetKey="/a" fallback={fallback}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This screen stopped working.');
  expect(document.body.textContent).not.toContain('secret detail');
  rerender(
    <ErrorBoundary resetKey="/b" fallback={fallback}>
      <p>fine</p>
    </ErrorBoundary>,
  );
  expect(screen.getByText('fine')).toBeTruthy();
});
