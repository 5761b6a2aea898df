import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { listenToAlerts } from '#subjects/alerts/web/shared/alertStream.ts';
import { forgetAlert, requestedAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { aStock } from '#support/aStock.ts';
import { appByHand } from '#support/appByHand.tsx';

await import('#subjects/scanners/web/ScannerPage.tsx');

const LIST = 'GET /api/watchlist';
const ADD = 'POST /api/watchlist';
const market = [aStock({ code: 'SML' }), aStock({ code: 'TNY', name: 'Tiny Limited' })];

const page = appByHand();
beforeEach(() => {
  page.server.answers[LIST] = { body: { items: [] } };
  page.server.answers[ADD] = { body: { id: 1, symbol: 'SML', alertCount: 0 } };
});
afterEach(forgetAlert);

/** The scanner with the keyboard focus on a row. */
async function openAtRow(code: string) {
  await page.open('/intra-day-small', 1);
  page.live.show(market);
  const row = () => document.querySelector<HTMLElement>(`tr[data-id="${code}"]`);
  await waitFor(() => expect(row() === null).toBe(false));
  act(() => row()?.focus());
}
const added = () => page.server.to('/api/watchlist').filter(({ method }) => method === 'POST');
const note = (text: string) =>
  waitFor(() => expect(document.querySelector('.snackbar')?.textContent).toBe(text));

describe('the w key', () => {
  test('adds the row’s symbol to the watchlist, confirms it, and notifies other views', async () => {
    const received: unknown[] = [];
    const stop = listenToAlerts((event) => received.push(event));
    await openAtRow('TNY');
    await userEvent.keyboard('w');
    await note('TNY added to your watchlist');
    expect(added().map(({ body }) => body)).toEqual([{ symbol: 'TNY' }]);
    expect(received).toEqual([{ type: 'changed', alertId: null, symbol: 'TNY' }]);
    stop();
  });

  test('shows why it was not added', async () => {
    const answer = { status: 400, body: { error: 'The list is full.' } };
    const text = 'Failed to add SML: The list is full.';
    page.server.answers[ADD] = answer;
    page.server.answers[LIST] = answer;
    await openAtRow('SML');
    await userEvent.keyboard('w');
    await note(text);
  });
});

test('the a key and Enter save a price alert on the row’s stock, and the toast can undo it', async () => {
  page.server.answers['GET /api/settings/linked-chats'] = { body: [] };
  page.server.answers['POST /api/alerts'] = { body: { id: 5, active: true, arms_in_ms: 5000 } };
  page.server.answers['DELETE /api/alerts/5'] = { body: { success: true } };
  await openAtRow('TNY');
  const shown = window.location.hash;
  await userEvent.keyboard('a');
  const price = await screen.findByLabelText<HTMLInputElement>('Alert price');
  await waitFor(() => expect(document.activeElement).toBe(price));
  expect([price.value, price.selectionEnd]).toEqual(['0.555', 5]);
  await userEvent.keyboard('0.55');
  await screen.findByText('When it rises to 0.550 · Already true: fires immediately');
  await userEvent.clear(price);
  await userEvent.keyboard('0.5{Enter}');
  await screen.findByText(/^Alert set: TNY falls to 0\.500\. It is already true/);
  await waitFor(() => expect(screen.queryByLabelText('Alert price') === null).toBe(true));
  const made = page.server.to('/api/alerts').find(({ method }) => method === 'POST');
  expect(made?.body).toMatchObject({
    symbol: 'TNY',
    logic_json: { conditions: [{ lhs: { key: 'last' }, op: '<=', rhs: { value: 0.5 } }] },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await note('Alert on TNY removed');
  expect(page.server.to('/api/alerts/5')).toHaveLength(1);
  expect(window.location.hash).toBe(shown);
  expect(requestedAlert.value).toBeNull();
});
