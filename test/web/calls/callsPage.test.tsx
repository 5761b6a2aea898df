import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CallInput } from '../../../src/domain/calls/types.ts';
import { CallsPage } from '../../../web/features/calls/CallsPage.tsx';
import { recentRows, resetCalls } from '../../../web/features/calls/state.ts';
import { type AppInPage, listed, openAppInPage } from '../../support/appInPage.ts';
import { findings } from '../../support/axe.ts';

let page: AppInPage;
const call: CallInput = {
  symbol: 'BHP',
  callType: 'bought',
  entryPrice: 40,
  targetPrice: 44,
  stopLossType: 'TRAILING_PCT',
  stopLoss: 5,
};

beforeEach(() => {
  page = openAppInPage();
  page.quote(listed('BHP', 40), listed('CBA', 170));
});
afterEach(() => {
  cleanup();
  page.close();
  resetCalls();
});

const submit = async (username: string, change: Partial<CallInput> = {}) => {
  const user = await page.app.addUser(username);
  return { user, call: page.app.parts.calls.service.submit(user, { ...call, ...change }) };
};
const table = (name: string) => within(screen.getByRole('grid', { name }));
const headings = (name: string) =>
  table(name)
    .getAllByRole('columnheader')
    .map((head) => head.querySelector('.table-sort-label')?.textContent ?? head.textContent);

test('a visitor sees both tables, their columns and empty texts, and no buttons of members', async () => {
  render(<CallsPage />);
  await screen.findByText('No calls yet.');
  expect(screen.getByText('No calls recorded.')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Calls' })).toBeTruthy();
  expect(screen.getByText(/^Updated 11:00:00$/)).toBeTruthy();
  expect(screen.getByText('General information only, not financial advice')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add Call' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Manage My Calls' })).toBeNull();
  expect(headings('Submitter Overview').slice(0, 8)).toEqual([
    'Submitter',
    'Total',
    'Pending',
    'Open',
    'Closed',
    'Cancelled',
    'Pocketed $',
    'Avg Pocketed',
  ]);
  expect(headings('Recent Calls').slice(0, 11)).toEqual([
    'Symbol',
    'Type',
    'Status',
    'Last',
    'Entry',
    'Target',
    'Stop',
    'Pocketed',
    'Submitted',
    'Closed',
    'Submitter',
  ]);
});

test('says that it failed, empties the lists, and loads again', async () => {
  await submit('ann');
  render(<CallsPage />);
  await waitFor(() => expect(recentRows.value).toHaveLength(1));
  page.fail(() => 'offline');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Failed to load calls');
  expect(recentRows.value).toHaveLength(0);
  expect(screen.getByText('No calls recorded.')).toBeTruthy();
  page.fail(null);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(recentRows.value).toHaveLength(1));
  expect(screen.queryByText('Failed to load calls')).toBeNull();
});

test('the live price moves its own row and no other', async () => {
  await submit('ann');
  await submit('bob', { symbol: 'CBA', entryPrice: 170, targetPrice: 180 });
  render(<CallsPage />);
  await waitFor(() => expect(recentRows.value.map((row) => row.last).sort()).toEqual([170, 40]));
  const before = recentRows.value;
  act(() => page.quote({ code: 'BHP', last: 41.5, volume: 2000 }));
  const after = recentRows.value;
  expect(after.find(({ call: one }) => one.symbol === 'BHP')?.last).toBe(41.5);
  expect(after.filter((row, index) => row === before[index])).toHaveLength(1);
});

test('a member adds a call and sees it on the board', async () => {
  await page.signIn('olive');
  render(<CallsPage />);
  await screen.findByText('No calls yet.');
  await userEvent.click(screen.getByRole('button', { name: 'Add Call' }));
  await userEvent.type(await screen.findByRole('combobox', { name: 'Symbol' }), 'cba');
  await userEvent.tab();
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  await waitFor(() => expect(recentRows.value.map(({ call: one }) => one.symbol)).toEqual(['CBA']));
  await userEvent.click(screen.getByRole('button', { name: 'Manage My Calls' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'My Calls' }));
  await dialog.findByRole('rowheader', { name: 'CBA' });
});

test('opened again, the dialog starts afresh', async () => {
  await page.signIn('olive');
  render(<CallsPage />);
  for (const text of ['b', 'c']) {
    await userEvent.click(await screen.findByRole('button', { name: 'Add Call' }));
    const symbol = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Symbol' });
    expect(symbol.value).toBe('');
    await userEvent.type(symbol, text);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  }
});

test('axe finds nothing', async () => {
  await submit('ann');
  await page.signIn('olive');
  const { container } = render(<CallsPage />);
  await waitFor(() => expect(recentRows.value).toHaveLength(1));
  expect(await findings(container)).toEqual([]);
});

test('the page watches the symbols of its calls and no others; while a call is filled in, every symbol', async () => {
  await page.signIn('maggie');
  await submit('anna');
  await submit('bert');
  render(<CallsPage />);
  await waitFor(() => expect(page.watched()).toEqual({ all: false, codes: ['BHP'], scanners: [] }));
  await userEvent.click(await screen.findByRole('button', { name: 'Add Call' }));
  await screen.findByRole('combobox', { name: 'Symbol' });
  expect(page.watched()?.all).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(page.watched()?.all).toBe(false));
});
