import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AllUsers } from '../../../../src/admin/users/web/AllUsers.tsx';
import '../../../../src/admin/users/web/EditUserDialog.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

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

let server: ReturnType<typeof fakeApi>;
/** What was asked for by GET, with its query. */
let asked: string[];
let restoreFetch: () => void;
beforeEach(() => {
  server = fakeApi({
    [USERS]: { body: { users: [aUser()], next: null, total: 1 } },
    [USER]: { body: aDetail() },
    [AUDIT]: { body: noEntries },
  });
  asked = [];
  const inner = globalThis.fetch;
  globalThis.fetch = Object.assign(
    (input: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : String(input));
      asked.push(decodeURIComponent(pathname + search));
      return inner(input, init);
    },
    { preconnect: inner.preconnect },
  );
  restoreFetch = () => {
    globalThis.fetch = inner;
  };
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  restoreFetch();
  server.restore();
});

const table = (name: string) => screen.findByRole('table', { name });
const rowsOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent.trim()));
const searchBox = () => screen.getByRole('searchbox', { name: 'Search users' });

describe('the list', () => {
  test('shows plan, request, tokens and linked chats of each', async () => {
    server.answers[USERS] = {
      body: { users: [aUser(), aUser({ id: 1, username: 'boss', email: null, isAdmin: true })], total: 2 },
    };
    render(<AllUsers />);
    expect(screen.getByRole('status', { name: 'Loading users…' })).toBeTruthy();
    const rows = rowsOf(await table('All users'));
    expect(rows[0]?.slice(0, 8)).toEqual([
      '7',
      'maggie',
      'maggie@example.com',
      'Basic',
      'Premium',
      '12,000 / 300',
      '1',
      '0',
    ]);
    expect(rows[1]?.slice(0, 3)).toEqual(['1', 'boss Administrator', '–']);
    expect(screen.getByText('2 users')).toBeTruthy();
    await screen.findByText('No entries yet.');
    expect(await findings(document.body)).toEqual([]);
  });

  test('is searched once the typing rests, and an answer that was overtaken is dropped', async () => {
    render(<AllUsers />);
    await table('All users');
    let answerFirst: () => void = () => {};
    server.answers[USERS] = () =>
      new Promise((resolve) => {
        answerFirst = () => resolve({ body: { users: [aUser({ username: 'the first' })], total: 1 } });
      });
    await userEvent.type(searchBox(), 'ma');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/admin/users?q=ma'));
    server.answers[USERS] = { body: { users: [aUser({ username: 'the second' })], total: 1 } };
    await userEvent.type(searchBox(), 'g%');
    await screen.findByText('the second');
    answerFirst();
    await Bun.sleep(10);
    expect(screen.queryByText('the first') === null).toBe(true);
    // Not one request a letter.
    expect(asked.filter((path) => path.startsWith('/api/admin/users'))).toEqual([
      '/api/admin/users?q=',
      '/api/admin/users?q=ma',
      '/api/admin/users?q=mag%',
    ]);
  });

  test('says when nobody matches', async () => {
    server.answers[USERS] = { body: { users: [], total: 0 } };
    render(<AllUsers />);
    fireEvent.change(searchBox(), { target: { value: 'nobody' } });
    await screen.findByText('No user matches that name or email.');
  });

  test('shows more on request; a failure of that leaves what is there', async () => {
    server.answers[USERS] = { body: { users: [aUser()], next: 7, total: 2 } };
    render(<AllUsers />);
    server.answers[USERS] = { body: { users: [aUser()], next: 7, total: 2 } };
    const more = await screen.findByRole('button', { name: 'Show more users' });
    server.answers[USERS] = { status: 500, body: {} };
    await userEvent.click(more);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load users');
    server.answers[USERS] = { body: { users: [aUser({ id: 3, username: 'olive' })], next: null, total: 2 } };
    await userEvent.click(more);
    await waitFor(async () =>
      expect(rowsOf(await table('All users')).map(([, name]) => name)).toEqual(['maggie', 'olive']),
    );
    expect(asked.at(-1)).toBe('/api/admin/users?q=&before=7');
    expect(screen.queryByRole('button', { name: 'Show more users' }) === null).toBe(true);
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to load users'],
    ['offline', 'Network error. Try again.'],
  ] as const)(
    'says why it could not be loaded, without taking the audit along: %j',
    async (answer, message) => {
      server.answers[USERS] = answer;
      render(<AllUsers />);
      expect((await screen.findByRole('alert')).textContent).toContain(message);
      await screen.findByText('No entries yet.');
      server.answers[USERS] = { body: { users: [aUser()], total: 1 } };
      await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
      await table('All users');
    },
  );
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

  test('shows what there is, and sends what was changed beside what was seen; a blank ID as null', async () => {
    const dialog = await open();
    expect((await field('Telegram ID')).value).toBe('4711');
    expect((await field('Discord ID')).value).toBe('');
    expect((await field('Requested Upgrade')).value).toBe('premium');
    expect((await field('Current plan')).value).toBe('basic');
    expect(within(dialog).getByText('Telegram 4711: waiting for confirmation')).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
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
      ...{ telegramId: null, discordId: null, requestedSubscriptionType: null },
      ...{ subscriptionType: 'premium', seen },
    });
    expect(rowsOf(await table('All users'))[0]?.slice(3, 5)).toEqual(['Premium', '–']);
    // What was done is in the audit by now.
    await waitFor(() => expect(server.to('/api/admin/audit')).toHaveLength(2));
  });

  test('offers the four requests; Free is none', async () => {
    await open();
    const select = await field('Requested Upgrade');
    expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'None',
      'Free',
      'Basic',
      'Premium',
    ]);
    await userEvent.selectOptions(select, 'Free');
    expect(screen.getByText('Free is not an upgrade, so it means no request.')).toBeTruthy();
    server.answers[SAVE] = { body: {} };
    await save();
    await waitFor(() => expect(sent()).toMatchObject({ requestedSubscriptionType: null }));
  });

  test('says what an ID looks like, without asking the server', async () => {
    await open();
    await userEvent.type(await field('Discord ID'), '12');
    await save();
    await screen.findByText(/^A Discord ID is a number of 17 to 20 digits/);
    expect(document.activeElement === (await field('Discord ID'))).toBe(true);
    expect(sent()).toBeUndefined();
  });

  test('refuses a request for what the person has', async () => {
    await open();
    await userEvent.selectOptions(await field('Requested Upgrade'), 'Basic');
    await save();
    await screen.findByText('The requested upgrade must be above the current plan');
    expect(sent()).toBeUndefined();
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to save changes'],
    [{ body: { success: false } }, 'Failed to save changes'],
    [
      { status: 400, body: { error: 'That chat is linked to another account.', field: 'telegramId' } },
      'That chat is linked to another account.',
    ],
    ['offline', 'Network error. Try again.'],
  ] as const)('that fails keeps what was typed and says why: %j', async (answer, message) => {
    await open();
    const box = await field('Telegram ID');
    await userEvent.clear(box);
    await userEvent.type(box, '4712');
    server.answers[SAVE] = answer;
    await save();
    await screen.findByText(message);
    expect(box.value).toBe('4712');
  });

  test('says why the user could not be loaded', async () => {
    server.answers[USER] = { status: 500, body: {} };
    const dialog = await open();
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Failed to load user');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    server.answers[USER] = { body: aDetail() };
    await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
    await field('Telegram ID');
  });
});

describe('the audit', () => {
  const ENTRY = {
    id: 2,
    at: '2026-11-20T00:00:00Z',
    by: { id: 1, display: 'boss' },
    action: 'edit user',
    target: 'maggie',
    before: { telegramId: null, subscriptionType: 'free' },
    after: { telegramId: '4711', subscriptionType: 'premium' },
    reason: 'She paid.',
  };
  const page = (change: object = {}) => ({
    body: {
      entries: [
        ENTRY,
        { ...ENTRY, id: 1, by: null, action: 'roll back', before: null, after: null, reason: null },
      ],
      next: null,
      actions: ['edit user', 'roll back'],
      administrators: [{ id: 1, display: 'boss' }],
      ...change,
    },
  });

  test('tells when, who, what, to whom, what differs and why', async () => {
    server.answers[AUDIT] = page();
    render(<AllUsers />);
    const rows = rowsOf(await table('Audit'));
    expect(rows[0]?.[0]).toStartWith('20 Nov 2026, 11:00:00 Sydney');
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['boss', 'Edit user', 'maggie', 'telegram id: – → 4711subscription type: free → premium', 'She paid.'],
      ['The server', 'Roll back', 'maggie', '–', '–'],
    ]);
    // Nothing there changes anything.
    expect(within(await table('Audit')).queryAllByRole('button')).toEqual([]);
  });

  test('is filtered by action and by administrator, and shows more', async () => {
    server.answers[AUDIT] = page({ next: 1 });
    render(<AllUsers />);
    await table('Audit');
    await userEvent.selectOptions(screen.getByLabelText('Action'), 'Roll back');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/admin/audit?action=roll back'));
    await userEvent.selectOptions(screen.getByLabelText('Administrator'), 'The server');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/admin/audit?action=roll back&by=0'));
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Action').value).toBe('roll back'));
    server.answers[AUDIT] = page({ entries: [] });
    await userEvent.click(screen.getByRole('button', { name: 'Show more entries' }));
    await waitFor(() => expect(asked.at(-1)).toBe('/api/admin/audit?action=roll back&by=0&before=1'));
  });

  test('says why it could not be loaded', async () => {
    server.answers[AUDIT] = { status: 500, body: {} };
    render(<AllUsers />);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load');
    await table('All users');
  });
});
