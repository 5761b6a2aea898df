import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { effect } from '@preact/signals-react';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../../../../web/app/App.tsx';
import { listenToAlerts } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import {
  forgetAlert,
  type RequestedAlert,
  requestedAlert,
} from '../../../../src/subjects/alerts/web/shared/showAlert.ts';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { navigate } from '../../../../web/router/navigate.ts';
import { startRouter } from '../../../../web/router/router.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../../web/shared/settings.ts';
import { aStock } from '../../../support/aStock.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';
import { giveLayout } from '../../../support/layout.ts';
import { aMeta } from '../../../support/market.ts';

await import('../../../../src/subjects/scanners/web/ScannerPage.tsx');

const LIST = 'GET /api/watchlist';
const ADD = 'POST /api/watchlist';
const market = [aStock({ code: 'SML' }), aStock({ code: 'TNY', name: 'Tiny Limited' })];

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
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
  stops = [
    effect(() => {
      if (requestedAlert.value) requests.push(requestedAlert.value);
    }),
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
  forgetAlert();
  server.restore();
});

/** The scanner, with the keyboard on a row. */
async function openAtRow(code: string | null) {
  startSession({ accessToken: 'token', accessLevel: 1 });
  await loadSettings();
  navigate('/intra-day-small');
  render(<App />);
  const stocks = Object.fromEntries(market.map((stock) => [stock.code, { ...stock }]));
  const snapshot = {
    stocks,
    meta: aMeta({ stockCount: market.length }),
    fx: { data: {}, lastUpdated: null },
  };
  act(() => receive({ type: 'state', connection: 'live', state: fromSnapshot(snapshot, Date.now()) }));
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

  test('says of a symbol that is there already that it is', async () => {
    server.answers[LIST] = { body: { items: [{ id: 1, symbol: 'SML', alertCount: 2 }] } };
    await openAtRow('SML');
    await userEvent.keyboard('w');
    await note('SML is already on your watchlist');
    expect(added()).toEqual([]);
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to add SML'],
    [{ status: 400, body: { error: 'The list is full.' } }, 'Failed to add SML: The list is full.'],
    ['offline', 'Failed to add SML: Network error. Try again.'],
  ] as const)('says why it was not added: %j', async (answer, text) => {
    server.answers[ADD] = answer;
    server.answers[LIST] = answer;
    await openAtRow('SML');
    await userEvent.keyboard('w');
    await note(text);
  });

  test('without a row says how to get to one', async () => {
    await openAtRow(null);
    await userEvent.keyboard('w');
    await note('Go to a row first, with ↓ or j');
    expect(added()).toEqual([]);
  });

  test('in a text box is a letter, and after g goes to the watchlist', async () => {
    await openAtRow('SML');
    await userEvent.keyboard('/w');
    expect(document.activeElement).toBeInstanceOf(HTMLInputElement);
    expect((document.activeElement as HTMLInputElement).value).toBe('w');
    await userEvent.keyboard('{Backspace}');
    await waitFor(() => expect(document.querySelector('tr[data-id="SML"]') === null).toBe(false));
    act(() => document.querySelector<HTMLElement>('tr[data-id="SML"]')?.focus());
    await userEvent.keyboard('gw');
    expect(window.location.hash).toBe('#/watchlist');
    expect(added()).toEqual([]);
  });

  test('is in the list of the keys', async () => {
    await openAtRow('SML');
    await userEvent.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
    const keys = [...dialog.querySelectorAll('dl > div')].map((one) => one.textContent);
    expect(keys).toContain('wAdd the row’s symbol to your watchlist');
    expect(keys).toContain('F6Go to the alerts that fired, and back; Esc dismisses one');
  });
});

test('the palette adds the row’s symbol, or sets an alert on it in place', async () => {
  await openAtRow('TNY');
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Symbol, screen or action' });
  await userEvent.keyboard('tny watchlist');
  await userEvent.click(screen.getByRole('option', { name: /Add TNY to your watchlist/ }));
  await note('TNY added to your watchlist');
  act(() => document.querySelector<HTMLElement>('tr[data-id="TNY"]')?.focus());
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Symbol, screen or action' });
  await userEvent.keyboard('alert tny');
  await userEvent.click(screen.getByRole('option', { name: /Set an alert on TNY/ }));
  const price = await screen.findByLabelText<HTMLInputElement>('Last price');
  expect(Number(price.value)).toBe(market[1]?.last ?? Number.NaN);
  expect(screen.queryByRole('dialog', { name: 'Go to' })).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('TNY'));
  expect(requests).toEqual([]);
});

test('Alert me in a row’s menu sets an alert in place and leaves the row where it was', async () => {
  await openAtRow('TNY');
  const shown = window.location.hash;
  const row = document.querySelector<HTMLElement>('tr[data-id="TNY"]');
  if (!row) throw new Error('There is no row.');
  fireEvent.contextMenu(row, { clientX: 10, clientY: 10 });
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Alert me' }));
  const price = await screen.findByLabelText<HTMLInputElement>('Last price');
  expect(Number(price.value)).toBe(market[1]?.last ?? Number.NaN);
  expect(screen.queryByRole('menu')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('TNY'));
  expect(window.location.hash).toBe(shown);
  expect(requests).toEqual([]);
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
