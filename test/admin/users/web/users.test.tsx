import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AllUsers } from '#admin/users/web/AllUsers.tsx';
import '#admin/users/web/EditUserDialog.tsx';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf } from '#support/adminApi.ts';

const USERS = 'GET /api/admin/users';
const USER = 'GET /api/admin/users/7';
const SAVE = 'PUT /api/admin/users/7';
const AUDIT = 'GET /api/admin/audit';

const aUser = (change: Record<string, unknown> = {}) => ({
  id: 7,
  username: 'maggie',
  email: 'maggie@example.com',
  subscriptionType: 'basic',
  requestedSubscriptionType: 'premium',
  promptTokens: 12_000,
  completionTokens: 300,
  isAdmin: false,
  telegramCount: 1,
  discordCount: 0,
  created_at: '2026-11-01T00:00:00Z',
  ...change,
});
const aDetail = (change: Record<string, unknown> = {}) => ({
  user: aUser({ telegramId: '4711', discordId: null, ...change }),
  linkedChats: [
    { platform: 'telegram', id: '4711', display_name: null, label: '4711', confirmed: false, broken: null },
  ],
});
const noEntries = { entries: [], next: null, actions: [], administrators: [] };

const server = adminApi(() => ({
  [USERS]: { body: { users: [aUser()], next: null, total: 1 } },
  [USER]: { body: aDetail() },
  [AUDIT]: { body: noEntries },
}));
let fetching: ReturnType<typeof spyOn<typeof globalThis, 'fetch'>>;
beforeEach(() => {
  fetching = spyOn(globalThis, 'fetch');
});
afterEach(() => fetching.mockRestore());
/** The requests, with their query. */
const asked = () =>
  fetching.mock.calls.map(([input]) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return decodeURIComponent(pathname + search);
  });

const table = (name: string) => screen.findByRole('table', { name });
const searchBox = () => screen.getByRole('searchbox', { name: 'Search users' });

test('search waits for a pause in typing, and drops an outdated answer', async () => {
  render(<AllUsers />);
  await table('All users');
  let answerFirst: () => void = () => {};
  server.answers[USERS] = () =>
    new Promise((resolve) => {
      answerFirst = () => resolve({ body: { users: [aUser({ username: 'the first' })], total: 1 } });
    });
  await userEvent.type(searchBox(), 'ma');
  await waitFor(() => expect(asked().at(-1)).toBe('/api/admin/users?q=ma'));
  server.answers[USERS] = { body: { users: [aUser({ username: 'the second' })], total: 1 } };
  await userEvent.type(searchBox(), 'g%');
  await screen.findByText('the second');
  answerFirst();
  await Bun.sleep(10);
  expect(screen.queryByText('the first') === null).toBe(true);
  // Not one request per letter.
  expect(asked().filter((path) => path.startsWith('/api/admin/users'))).toEqual([
    '/api/admin/users?q=',
    '/api/admin/users?q=ma',
    '/api/admin/users?q=mag%',
  ]);
});

describe('editing', () => {
  const open = async () => {
    render(<AllUsers />);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit maggie' }));
    return screen.findByRole('dialog');
  };
  const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const sent = () => server.calls.find(({ method }) => method === 'PUT')?.body;

  test('shows current values, and sends changes with the values seen; a blank ID is sent as null', async () => {
    const dialog = await open();
    expect((await field('Telegram ID')).value).toBe('4711');
    expect((await field('Discord ID')).value).toBe('');
    expect((await field('Requested Upgrade')).value).toBe('premium');
    expect((await field('Current plan')).value).toBe('basic');
    expect(within(dialog).getByText('Telegram 4711: waiting for confirmation')).toBeTruthy();
    expect(await results(document.body)).toEqual([]);
    await userEvent.clear(await field('Telegram ID'));
    await userEvent.selectOptions(await field('Requested Upgrade'), 'None');
    await userEvent.selectOptions(await field('Current plan'), 'Premium');
    server.answers[SAVE] = {
      body: aDetail({ subscriptionType: 'premium', requestedSubscriptionType: null }),
    };
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    const seen = {
      telegramId: '4711',
      discordId: null,
      requestedSubscriptionType: 'premium',
      subscriptionType: 'basic',
    };
    expect(sent()).toEqual({
      telegramId: null,
      discordId: null,
      requestedSubscriptionType: null,
      subscriptionType: 'premium',
      seen,
    });
    expect(rowsOf('All users')[0]?.slice(3, 5)).toEqual(['Premium', '–']);
    // The audit shows the action by now.
    await waitFor(() => expect(server.to('/api/admin/audit')).toHaveLength(2));
  });

  test('keeps the input after a failure and shows the reason', async () => {
    const error = 'That chat is linked to another account.';
    await open();
    const box = await field('Telegram ID');
    await userEvent.clear(box);
    await userEvent.type(box, '4712');
    server.answers[SAVE] = { status: 400, body: { error, field: 'telegramId' } };
    await save();
    await screen.findByText(error);
    expect(box.value).toBe('4712');
  });
});
