import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AlertMeDialog } from '../../../../src/subjects/alerts/web/shared/AlertMeDialog.tsx';
import { allOf, anyOf, field, is, LAST } from '../../../support/conditions.ts';
import { aStock } from '../../../support/aStock.ts';
import { openRow, openWatchlist, rowOf, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

const MATCH = is(field('match_price'), 'crosses_above', 125);
const EITHER = allOf(anyOf(MATCH, is(LAST, 'crosses_above', 125)));

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
  page.watch('XRO');
});
afterEach(() => page.close());

const logicOfFirst = () => page.alerts()[0]?.logic;

test('after the open an alert on the match price says in its row and its editor that it waits for the pre-open', async () => {
  page.app.parts.alerts.service.create(page.userId, { symbol: 'XRO', logic_json: allOf(MATCH) });
  await page.open();
  expect(rowOf('XRO').textContent).toContain('1 from the next pre-open');
  const panel = await openRow('XRO');
  expect(await panel.findByText('From the next pre-open')).toBeDefined();
});

test('the editor offers Last beside the match price, and the alert goes on after the open', async () => {
  page.app.parts.alerts.service.create(page.userId, { symbol: 'XRO', logic_json: allOf(MATCH) });
  await page.open();
  const panel = await openRow('XRO');
  await userEvent.click(await panel.findByRole('button', { name: 'Also Last (from the open)' }));
  await waitFor(() => expect(logicOfFirst()).toEqual(EITHER));
  await waitFor(() => expect(panel.queryByText('From the next pre-open')).toBeNull());
  expect(panel.queryByText(/not checked from the open/)).toBeNull();
  await waitFor(() => expect(rowOf('XRO').textContent).not.toContain('pre-open'));
});

test('Alert me offers the match price until the open, the last price from the open, and both', async () => {
  cleanup();
  const row = aStock({ code: 'XRO', status: 'Pre Open', last: null, match_price: 121.5 });
  render(<AlertMeDialog row={row} crossing={{ op: 'crosses_above', price: 125 }} onClose={() => {}} />);
  const dialog = within(screen.getByRole('dialog', { name: 'Alert me on XRO' }));
  const prices = dialog.getByLabelText<HTMLSelectElement>('Price');
  expect([...prices.options].map(({ text }) => text)).toEqual([
    'Match price, until the open',
    'Last price, from the open',
    'Both, before and after the open',
  ]);
  expect(prices.value).toBe('match_price');
  await userEvent.selectOptions(prices, 'both');
  await userEvent.click(dialog.getByRole('button', { name: 'Set alert' }));
  await dialog.findByText('Alert set. It fires once.');
  expect(logicOfFirst()).toEqual(EITHER);
});

test('Alert me says that an alert on the match price is set until the open', async () => {
  cleanup();
  const row = aStock({ code: 'XRO', status: 'Pre Open', last: null, match_price: 121.5 });
  render(<AlertMeDialog row={row} crossing={{ op: 'crosses_above', price: 125 }} onClose={() => {}} />);
  await userEvent.click(screen.getByRole('button', { name: 'Set alert' }));
  await screen.findByText('Alert set until the open. It fires once.');
  expect(logicOfFirst()).toEqual(allOf(MATCH));
});

test('Alert me on a stock that trades asks only for the last price', () => {
  cleanup();
  render(<AlertMeDialog row={aStock({ code: 'BHP', last: 40 })} onClose={() => {}} />);
  expect(screen.queryByLabelText('Price')).toBeNull();
  expect(screen.getByLabelText('Last price')).toBeDefined();
});
