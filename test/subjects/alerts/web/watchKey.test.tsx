import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { effect } from '@preact/signals-react';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../../../../web/app/App.tsx';
import { listenToAlerts } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import {
  forgetAlert,
  type RequestedAlert,
  requestedAlert,
} from '../../../../src/subjects/alerts/web/shared/showAlert.ts';
import { navigate } from '../../../../web/router/navigate.ts';
import { startRouter } from '../../../../web/router/router.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../../web/shared/settings.ts';
import { aStock } from '../../../support/aStock.ts';
import { liveByHand } from '../../../support/liveByHand.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';
import { giveLayout } from '../../../support/layout.ts';

await import('../../../../src/subjects/scanners/web/ScannerPage.tsx');

const LIST = 'GET /api/watchlist';
const ADD = 'POST /api/watchlist';
const market = [aStock({ code: 'SML' }), aStock({ code: 'TNY', name: 'Tiny Limited' })];

let server: ReturnType<typeof fakeApi>;
let live: ReturnType<typeof liveByHand>;
let stops: (() => void)[];
/** Those that were made: the watchlist takes each up. */
let requests: RequestedAlert[];
beforeEach(() => {
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/app': { body: { test: false, donateUrl: null, version: '0', commit: 'c' } },
    [LIST]: { body: { items: [] } },
    [ADD]: { body: { id: 1, symbol: 'SML', alertCount: 0 } },
  });
  window.location.hash = '#/login';
  requests = [];
  live = liveByHand();
  stops = [
    effect(() => {
      if (requestedAlert.value) requests.push(requestedAlert.value);
    }),
    giveLayout(),
    startRouter(),
    startSettings(),
    live.stop,
  ];
});
afterEach(() => {
  cleanup();
  endSession();
  for (const stop of stops) stop();
  forgetAlert();
  server.restore();
});

/** The scanner, with the keyboard on a row. */
async function openAtRow(code: string | null) {
  startSession({ accessToken: 'token', accessLevel: 1 });
  await loadSettings();
  navigate('/intra-day-small');
  render(<App />);
  live.show(market);
  await waitFor(() => expect(document.querySelector('tr[data-id="SML"]') === null).toBe(false));
  if (code !== null) act(() => document.querySelector<HTMLElement>(`tr[data-id="${code}"]`)?.focus());
}
const added = () => server.to('/api/watchlist').filter(({ method }) => method === 'POST');
const note = (text: string) =>
  waitFor(() => expect(document.querySelector('.snackbar')?.textContent).toBe(text));

describe('w', () => {
  test('adds the row’s symbol to the watchlist, says so, and tells who shows it', async () => {
    const heard: unknown[] = [];
    stops.push(listenToAlerts((event) => heard.push(event)));
    await openAtRow('TNY');
    await userEvent.keyboard('w');
    await note('TNY added to your watchlist');
    expect(added().map(({ body }) => body)).toEqual([{ symbol: 'TNY' }]);
    expect(heard).toEqual([{ type: 'changed', alertId: null, symbol: 'TNY' }]);
  });

  test('says why it was not added', async () => {
    const answer = { status: 400, body: { error: 'The list is full.' } };
    const text = 'Failed to add SML: The list is full.';
    server.answers[ADD] = answer;
    server.answers[LIST] = answer;
    await openAtRow('SML');
    await userEvent.keyboard('w');
    await note(text);
  });
});

test('Alert me in an open row sets an alert in place, with the price filled in, and can undo it', async () => {
  server.answers['GET /api/settings/linked-chats'] = { body: [] };
  server.answers['POST /api/alerts'] = { body: { id: 5, active: true, arms_in_ms: 5000 } };
  server.answers['POST /api/alerts/5/undo'] = { body: { id: 5, active: false } };
  await openAtRow('TNY');
  await userEvent.keyboard('{Enter}');
  const shown = window.location.hash;
  await userEvent.click(await screen.findByRole('button', { name: 'Alert me' }));
  const price = await screen.findByLabelText<HTMLInputElement>('Last price');
  expect(Number(price.value)).toBe(market[1]?.last ?? Number.NaN);
  await userEvent.selectOptions(screen.getByLabelText('Fires when it is'), '<=');
  await screen.findByText('Already true: fires at once');
  await userEvent.click(screen.getByRole('button', { name: 'Set alert' }));
  await screen.findByText(/^Alert set\. It is already true/);
  expect(server.to('/api/alerts')[0]?.body).toMatchObject({
    symbol: 'TNY',
    logic_json: { conditions: [{ lhs: { key: 'last' }, op: '<=', rhs: { value: market[1]?.last } }] },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  expect(server.to('/api/alerts/5/undo')).toHaveLength(1);
  expect(window.location.hash).toBe(shown);
  expect(requests).toEqual([]);
});
