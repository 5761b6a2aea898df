import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { EMPTY_CALL_FORM } from '../../../src/subjects/calls/rules/callForm.ts';
import type { Refusal } from '../../../src/lib/result.ts';
import { useCallForm } from '../../../src/subjects/calls/web/parts/useCallForm.ts';
import { ErrorBoundary } from '../../../web/shared/ErrorBoundary.tsx';
import { codeAttempt, fetched } from '../../../web/app/fetched.tsx';
import { loadScans, loadError, resetScans } from '../../../src/subjects/scanners/web/custom/state.ts';
import { SettingsPage } from '../../../src/subjects/settings/web/SettingsPage.tsx';
import {
  catalogError,
  forgetCatalogs,
  hasCatalog,
  loadCatalogs,
} from '../../../src/subjects/indicators/web/shared/catalog.ts';
import { startLive } from '../../../web/live/market.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { forgetWaiting, onReconnect } from '../../../web/shared/onReconnect.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { settingsError, startSettings } from '../../../web/shared/settings.ts';
import { CATALOGS } from '../../support/catalogs.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { NO_CHATS } from '../../support/linkedChats.ts';

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
const connect = (connection: 'live' | 'reconnecting') =>
  act(() => receive({ type: 'connection', connection }));
const online = () => act(() => void window.dispatchEvent(new Event('online')));
const settled = () => act(() => new Promise((done) => setTimeout(done, 5)));

beforeEach(() => {
  server = fakeApi({ 'GET /api/settings': 'offline', ...CATALOGS, ...NO_CHATS });
  stops = [
    startLive((take) => {
      receive = take;
      return () => {};
    }),
    startSettings(),
  ];
});
afterEach(() => {
  cleanup();
  endSession();
  forgetWaiting();
  window.dispatchEvent(new Event('online'));
  for (const stop of stops) stop();
  forgetCatalogs();
  resetScans();
  server.restore();
});

test('runs once, when the browser is online again or the stream is back; a stream that was there is no return', async () => {
  connect('live');
  let times = 0;
  const run = () => (times += 1);
  onReconnect(run);
  onReconnect(run);
  connect('live');
  await settled();
  expect(times).toBe(0);
  connect('reconnecting');
  connect('live');
  await settled();
  expect(times).toBe(1);
});

test('a return while it was under way counts, once', async () => {
  connect('live');
  let times = 0;
  const run = () => (times += 1);
  onReconnect(run);
  online();
  expect(times).toBe(1);
  // The stream comes back while the first attempt is under way, which then fails.
  connect('reconnecting');
  connect('live');
  await settled();
  expect(times).toBe(1);
  onReconnect(run);
  await settled();
  expect(times).toBe(2);
  onReconnect(run);
  await settled();
  expect(times).toBe(2);
  online();
  expect(times).toBe(3);
});

test('what fails although the browser says that it is online has another chance 3, 10 and 30 s later', async () => {
  jest.useFakeTimers();
  let times = 0;
  const run = () => {
    times += 1;
    if (times < 4) onReconnect(run);
  };
  onReconnect(run);
  online();
  expect(times).toBe(1);
  jest.advanceTimersByTime(2999);
  expect(times).toBe(1);
  jest.advanceTimersByTime(1);
  expect(times).toBe(2);
  jest.advanceTimersByTime(7000);
  expect(times).toBe(3);
  jest.advanceTimersByTime(20_000);
  expect(times).toBe(4);
  jest.useRealTimers();
});

for (const [how, comeBack] of [
  ['the browser is online again', online],
  [
    'the stream is back',
    () => {
      connect('reconnecting');
      connect('live');
    },
  ],
] as const) {
  test(`Settings that were opened without a network are filled in when ${how}`, async () => {
    connect('live');
    startSession({ accessToken: 't', accessLevel: 2 });
    render(<SettingsPage />);
    expect((await screen.findByText('Network error. Try again.')).textContent).toBeTruthy();
    comeBack();
    await settled();
    expect(screen.getByText('Network error. Try again.')).toBeDefined();
    server.answers['GET /api/settings'] = { body: MAGGIE };
    comeBack();
    await waitFor(() => expect(screen.getByText('maggie')).toBeDefined());
    expect(screen.queryByText('Network error. Try again.') === null).toBe(true);
    expect(settingsError.value).toBeNull();
  });
}

test('of somebody who logged out meanwhile nothing is asked', async () => {
  startSession({ accessToken: 't', accessLevel: 2 });
  await settled();
  endSession();
  const before = server.to('/api/settings').length;
  online();
  await settled();
  expect(server.to('/api/settings')).toHaveLength(before);
});

test('the indicator catalogs and the saved scans come too', async () => {
  const catalog = 'GET /api/indicators/catalog/tv';
  const whole = server.answers[catalog];
  server.answers[catalog] = 'offline';
  server.answers['GET /api/indicators/scans'] = 'offline';
  await Promise.all([loadCatalogs(), loadScans()]);
  expect([catalogError.value, loadError.value]).toEqual([
    'Network error. Try again.',
    'Network error. Try again.',
  ]);
  if (whole) server.answers[catalog] = whole;
  server.answers['GET /api/indicators/scans'] = { body: { scans: [] } };
  server.answers['GET /api/indicators/prefs'] = { body: { prefs: { refs: [] } } };
  online();
  await settled();
  expect([catalogError.value, loadError.value, hasCatalog.value]).toEqual([null, null, true]);
});

test('a screen whose code did not come is shown after all', async () => {
  const quiet = spyOn(console, 'error').mockImplementation(() => {});
  let isReachable = false;
  const Page = fetched(async () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
    return () => <p>here</p>;
  });
  const shell = () => (
    <ErrorBoundary resetKey={`${codeAttempt.value}`} fallback={() => <p>failed</p>}>
      <Page />
    </ErrorBoundary>
  );
  const { rerender } = render(shell());
  expect(await screen.findByText('failed')).toBeDefined();
  isReachable = true;
  online();
  rerender(shell());
  expect(await screen.findByText('here')).toBeDefined();
  quiet.mockRestore();
});

test('a list of symbols that has not come marks no field of the call form; a symbol that is missing does', async () => {
  const refusals: Refusal[] = [];
  let form: ReturnType<typeof useCallForm> | undefined;
  function Form() {
    form = useCallForm(null, (refusal) => refusals.push(refusal));
    return null;
  }
  render(<Form />);
  await act(async () => void (await form?.submit()));
  act(() => form?.setForm({ ...EMPTY_CALL_FORM, symbol: 'BHP' }));
  await act(async () => void (await form?.submit()));
  expect(refusals).toEqual([
    { field: 'symbol', message: 'Symbol is required' },
    { field: null, message: 'Live symbol list unavailable. Try again shortly.' },
  ]);
});
