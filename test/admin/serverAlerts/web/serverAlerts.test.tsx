import { describe, expect, test } from 'bun:test';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { WaitingCount } from '#admin/serverAlerts/web/shared/WaitingCount.tsx';
import { ServerAlerts } from '#admin/serverAlerts/web/ServerAlerts.tsx';
import { results } from '#support/axe.ts';
import { adminApi } from '#support/adminApi.ts';

const SERVER_ALERTS = 'GET /api/admin/notices';
const WANTED = 'PUT /api/admin/notices/wanted';
const SINCE = Date.UTC(2026, 10, 18, 0);
const PRICES = {
  key: 'prices',
  title: 'No prices are arriving',
  detail: 'ASX answers 500.',
  remedy: 'Look at Logs.',
  since: SINCE,
  wellSince: null,
  isUrgent: true,
};
const UPDATE = {
  ...PRICES,
  key: 'update',
  title: 'A new version waits',
  detail: '',
  wellSince: SINCE + 60_000,
  isUrgent: false,
};
const checks = (states: Record<string, string>) =>
  Object.entries(states).map(([what, state]) => ({ what, state }));
const answer = (more: object = {}) => ({
  body: { notices: [PRICES, UPDATE], checks: [], isWanted: true, isReachable: true, ...more },
});

const server = adminApi(() => ({ [SERVER_ALERTS]: answer(), [WANTED]: { body: { isWanted: false } } }));

const list = () => screen.findByRole('list', { name: 'Current problems' });
const wanted = () => screen.findByRole<HTMLInputElement>('switch', { name: /^Message me when a problem/ });
const isOn = async () => (await wanted()).checked;

describe('problems', () => {
  test('are listed with reason, fix and start', async () => {
    render(<ServerAlerts />);
    expect(screen.getByRole('status', { name: 'Loading server alerts…' })).toBeTruthy();
    const items = within(await list()).getAllByRole('listitem');
    expect(items.map((item) => [...item.children].map(({ textContent }) => textContent))).toEqual([
      [
        'No prices are arriving Urgent',
        'ASX answers 500.',
        'Look at Logs.',
        expect.stringMatching(/^Since 18 Nov.* 11:00 Sydney\.$/),
      ],
      [
        'A new version waits ',
        'Look at Logs.',
        expect.stringMatching(
          /^Since 18 Nov.* 11:00 Sydney; working again since .* 11:01, not yet confirmed\.$/,
        ),
      ],
    ]);
    expect(await results(document.body)).toEqual([]);
  });
  test('are not reported as none before everything was checked', async () => {
    server.answers[SERVER_ALERTS] = answer({
      notices: [],
      checks: checks({ Prices: 'unknown', Disk: 'well', 'Discord bot': 'unchecked', Model: 'unchecked' }),
    });
    render(<ServerAlerts />);
    await screen.findByText('No problems found so far.');
    await screen.findByText('Not checked yet: Discord bot, Model.');
    await screen.findByText('Unknown: Prices.');
    expect(screen.queryByText('No problems found.')).toBe(null);
    expect(await results(document.body)).toEqual([]);
  });
});

describe('the switch', () => {
  test('shows whether the user is notified', async () => {
    render(<ServerAlerts />);
    expect(await isOn()).toBe(true);
    await userEvent.click(await wanted());
    expect(await isOn()).toBe(false);
    expect(server.to('/api/admin/notices/wanted').map(({ body }) => body)).toEqual([{ isWanted: false }]);
  });
  test('stays as it was if the server refuses, and shows the reason', async () => {
    server.answers[WANTED] = { status: 429, body: { error: 'Too many changes to your messages.' } };
    render(<ServerAlerts />);
    await userEvent.click(await wanted());
    expect((await screen.findByRole('alert')).textContent).toContain('Too many changes to your messages.');
    expect(await isOn()).toBe(true);
  });
});

test('the count next to Admin adds up what waits, also after it loads elsewhere', async () => {
  server.answers[SERVER_ALERTS] = answer({ waiting: { upgradeRequests: 3, calls: 1 } });
  render(<WaitingCount />);
  await screen.findByText(/^6/);
  expect(document.body.textContent).toBe('6 things wait');
  server.answers[SERVER_ALERTS] = answer({ notices: [PRICES] });
  render(<ServerAlerts />);
  await screen.findByText('thing waits');
});
