import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { type AppOnAnswers, openAppOnAnswers, PATIENT, showMarket } from '../../../support/appOnAnswers.tsx';
import { remember, SHOW_ALL } from '../../../support/scannerScreen.tsx';
import { SPECIFIED_EVENTS } from '../../../support/specifiedAnswers.ts';

let page: AppOnAnswers;
beforeEach(() => {
  page = openAppOnAnswers();
});
afterEach(() => page.close());

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name }, PATIENT);
const rowText = (code: string): string => document.querySelector(`tr[data-id="${code}"]`)?.textContent ?? '';
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('with just the members that the specification names', () => {
  test.each([
    ['/login', 0, 'Login'],
    ['/register', 0, 'Register'],
    ['/calls', 0, 'Calls'],
    ['/calls', 2, 'Calls'],
    ['/pre-market', 2, 'Live Pre-Open'],
    ['/intra-day-small', 2, 'Top Movers under $1'],
    ['/intra-day-mid-large', 2, 'Top Movers above $1'],
    ['/intra-day-large-cap', 2, 'Top Movers Large Cap'],
    ['/custom-scanner', 2, 'Custom Scanner'],
    ['/fx-news', 2, 'Economic Calendar'],
    ['/watchlist', 2, 'Watchlist & Alerts'],
    ['/settings', 2, 'Settings'],
    ['/admin', 4, 'Admin Panel'],
  ])('%s shows at level %d', async (route, level, title) => {
    await page.open(route, level);
    showMarket(page);
    page.send('delta_update', SPECIFIED_EVENTS.delta_update);
    page.send('ping', SPECIFIED_EVENTS.ping);
    expect(await heading(title)).toBeTruthy();
    expect(page.errors()).toEqual([]);
  });

  test('the scanner shows prices, chosen columns and news; the source is simply not named', async () => {
    await page.open('/intra-day-mid-large', 2);
    showMarket(page);
    await waitFor(() => expect(rowText('BHP')).toContain('42.500'));
    expect(rowText('BHP')).toContain('55.10');
    expect(screen.getByRole('link', { name: /BHP/ }).getAttribute('href')).toContain('hotcopper');
    expect(screen.getByTitle(/^Market status and time in Sydney/)).toBeTruthy();
    expect(document.querySelector('.state-feed') === null).toBe(true);
    await userEvent.click(button('News for BHP'));
    expect(screen.getByText('Price Sensitive')).toBeTruthy();
    expect(screen.getByText('Generated 10:30')).toBeTruthy();
    page.send('delta_update', SPECIFIED_EVENTS.delta_update);
    await waitFor(() => expect(rowText('BHP')).toContain('42.600'));
    expect(page.errors()).toEqual([]);
  });

  test('the pre-market scanner shows both of its tables', async () => {
    await page.open('/pre-market', 2);
    showMarket(page);
    await waitFor(() => expect(rowText('XYZ')).toContain('+10.0%'));
    expect(screen.getByRole('heading', { name: 'Live Pre-Open' })).toBeTruthy();
    expect(page.errors()).toEqual([]);
  });

  test('the calls and their dialogs', async () => {
    await page.open('/calls', 2);
    showMarket(page);
    await screen.findByText('Updated 12:00:00');
    expect(within(screen.getByRole('grid', { name: 'Submitter Overview' })).getByText('maggie')).toBeTruthy();
    expect(rowText('c1')).toContain('45.5');
    await userEvent.click(button('Manage My Calls'));
    await userEvent.click((await screen.findAllByRole('button', { name: 'Cancel' }))[0] as HTMLElement);
    await userEvent.click(button('Cancel call'));
    await waitFor(() => expect(page.server.to('/api/calls/c1/cancel')).toHaveLength(1));
    await userEvent.click(button('Done'));
    await userEvent.click(button('Add Call'));
    await userEvent.type(await screen.findByRole('combobox', { name: 'Symbol' }), 'bh{Enter}');
    await userEvent.click(button('Submit'));
    await waitFor(() => expect(page.server.calls.some(({ method }) => method === 'POST')).toBe(true));
    expect(page.errors()).toEqual([]);
  });

  test('the settings, and an indicator with its parameters', async () => {
    await page.open('/settings', 2);
    const table = within(await screen.findByRole('region', { name: 'Intra-day ≥ $1' }));
    expect(table.getByText('RSI(14) 1h')).toBeTruthy();
    await waitFor(() =>
      expect(table.getByRole('button', { name: 'Add Indicator' })).toHaveProperty('disabled', false),
    );
    await userEvent.click(table.getByRole('button', { name: 'Add Indicator' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(await dialog.findByRole('button', { name: /^RSI/ }));
    expect(dialog.getByLabelText<HTMLSelectElement>('Length').value).toBe('14');
    expect(dialog.getByLabelText<HTMLInputElement>('Factor').value).toBe('2');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(table.getAllByText(/RSI/)).toHaveLength(2));
    await userEvent.click(table.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.to('/api/settings/table-columns')).toHaveLength(1));
    expect(page.errors()).toEqual([]);
  });

  test('the custom scanner, its scan and its editor', async () => {
    await page.open('/custom-scanner', 2);
    showMarket(page);
    await userEvent.selectOptions(await screen.findByLabelText('Scan'), 'Over forty');
    await screen.findByText('1 of 2 match');
    await waitFor(() => expect(rowText('BHP')).toContain('55.10'));
    await userEvent.click(button('Edit'));
    expect(await screen.findByRole('dialog', { name: 'Edit scan' })).toBeTruthy();
    expect(page.errors()).toEqual([]);
  });

  test('the watchlist, an alert, its history and its rehearsal', async () => {
    page.answer('GET /api/settings/linked-chats', [{ platform: 'telegram', id: '42', label: 'Maggie' }]);
    await page.open('/watchlist', 2);
    showMarket(page);
    await waitFor(() => expect(rowText('BHP')).toContain('42.500'));
    await waitFor(() => expect(rowText('XYZ')).toContain('0.550'));
    await userEvent.click(button('Alerts for BHP'));
    const panel = within(await screen.findByRole('region', { name: 'Alerts on BHP' }, PATIENT));
    expect(((await panel.findByLabelText('Number')) as HTMLInputElement).value).toBe('50');
    expect(panel.getByRole('switch', { name: 'Telegram' })).toBeTruthy();
    expect(panel.queryByRole('switch', { name: 'Discord' }) === null).toBe(true);
    expect(panel.getByText(/^Last triggered 20 Nov(?: 2026)? 10:42$/)).toBeTruthy();
    await userEvent.click(panel.getByRole('switch', { name: 'Repeat each time' }));
    await waitFor(() =>
      expect(page.server.to('/api/alerts/7').map(({ method }) => method)).toEqual(['PATCH']),
    );
    await userEvent.click(panel.getByText('History'));
    await panel.findByText('Yes');
    expect(await panel.findAllByText(/Once in 5 trading days/)).not.toEqual([]);
    expect(page.errors()).toEqual([]);
  });

  test('login and seeding sign in', async () => {
    await page.open('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Seed Demo Data (Test Mode)' }));
    await waitFor(() => expect(session.value).toMatchObject({ accessToken: 'seeded', accessLevel: 3 }));
    expect(page.errors()).toEqual([]);
  });
});

test('a market without anything but names shows dashes', async () => {
  remember('custom', SHOW_ALL);
  await page.open('/custom-scanner', 2);
  page.send('snapshot', { stocks: { ABC: {} }, meta: {} });
  await waitFor(() => expect(rowText('ABC')).toContain('ABC'));
  expect(rowText('ABC')).toContain('–');
  expect(page.errors()).toEqual([]);
});

test('an answer that is no object at all, as of a proxy, is a failed load and no empty table', async () => {
  page.server.answers['GET /api/calls/leaderboard'] = { text: '<html>Log in to the network</html>' };
  await page.open('/calls');
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load calls');
  expect(page.errors()).toEqual([]);
});
