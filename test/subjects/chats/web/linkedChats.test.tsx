import { describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LinkedChatsPanel } from '#subjects/chats/web/shared/LinkedChatsPanel.tsx';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { aChat, NO_CHATS } from '#support/linkedChats.ts';

const CHATS = 'GET /api/settings/linked-chats';
const LINK = 'POST /api/settings/link-chat';
const UNLINK = 'POST /api/settings/unlink-chat';

const server = pageApi(() => ({ ...NO_CHATS }), 1);

const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Platform ID' });
const link = () => userEvent.click(screen.getByRole('button', { name: 'Link' }));
const rows = () =>
  within(screen.getByRole('table', { name: 'Linked accounts' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
const show = async (chats?: readonly unknown[]) => {
  if (chats) server.answers[CHATS] = { body: chats };
  render(<LinkedChatsPanel />);
  if (chats) await screen.findByRole('table', { name: 'Linked accounts' });
  else await screen.findByText('No accounts are linked yet.');
};

describe('the table', () => {
  test('shows platform and status of each chat', async () => {
    await show([
      aChat(),
      aChat({ platform: 'discord', id: '123456789012345678', label: null, display_name: null }),
      aChat({ id: '5', confirmed: false }),
      aChat({ id: '6', broken: 'The bot was blocked in this chat.' }),
    ]);
    expect(rows()).toEqual([
      ['Telegram', 'Maggie', '123456789', 'Confirmed', 'Unlink'],
      ['Discord', '–', '123456789012345678', 'Confirmed', 'Unlink'],
      [
        'Telegram',
        'Maggie',
        '5',
        'Waiting for confirmationPress Yes, send alerts here in that chat. No alerts are sent there until then.',
        'Unlink',
      ],
      ['Telegram', 'Maggie', '6', 'Not deliveredThe bot was blocked in this chat.', 'Unlink'],
    ]);
    expect(await results(document.body)).toEqual([]);
  });

  test('shows loading, empty and failed states', async () => {
    server.answers[CHATS] = { status: 500, body: { error: 'The database is busy.' } };
    render(<LinkedChatsPanel />);
    expect(screen.getByRole('status', { name: 'Loading linked accounts…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('The database is busy.');
    server.answers[CHATS] = { body: [] };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('No accounts are linked yet.');
    expect(screen.queryByRole('alert') === null).toBe(true);
  });

  test('refreshes while a chat is unconfirmed, and shows its confirmation', async () => {
    await show([aChat({ confirmed: false })]);
    server.answers[CHATS] = { body: [aChat()] };
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await screen.findByText('Confirmed');
  });
});

describe('unlinking', () => {
  test('removes the chat and confirms it', async () => {
    await show([aChat({ id: '1', label: 'One' }), aChat({ id: '2', label: 'Two' })]);
    server.answers[UNLINK] = { body: { success: true } };
    await userEvent.click(screen.getByRole('button', { name: 'Unlink Telegram One' }));
    await screen.findByText('Unlinked successfully');
    expect(rows().map(([, label]) => label)).toEqual(['Two']);
    expect(server.to('/api/settings/unlink-chat')[0]?.body).toEqual({
      platform: 'telegram',
      chatUserId: '1',
    });
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Unlink Telegram Two'),
    );
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to unlink'],
    [{ status: 404, body: { error: 'That chat is not linked.' } }, 'That chat is not linked.'],
    ['offline', 'Network error. Try again.'],
  ] as const)('that fails keeps it: %j', async (answer, message) => {
    await show([aChat()]);
    server.answers[UNLINK] = answer;
    await userEvent.click(screen.getByRole('button', { name: 'Unlink Telegram Maggie' }));
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    expect(rows()).toHaveLength(1);
  });
});

describe('the form', () => {
  test('links a chat by its ID, shows it, and confirms it', async () => {
    await show();
    server.answers[LINK] = () => {
      server.answers[CHATS] = { body: [aChat({ confirmed: false })] };
      return { body: { success: true } };
    };
    await userEvent.type(box(), ' 123456789 ');
    await link();
    await screen.findByText('Linked Telegram successfully');
    expect(server.to('/api/settings/link-chat')[0]?.body).toEqual({
      platform: 'telegram',
      chatUserId: '123456789',
    });
    expect(rows()).toHaveLength(1);
    expect(box().value).toBe('');
  });

  test('requires the ID', async () => {
    await show();
    await userEvent.type(box(), '   ');
    await link();
    expect(screen.getByText('Please enter your platform ID')).toBeTruthy();
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement === box()).toBe(true);
    expect(server.to('/api/settings/link-chat')).toEqual([]);
    await userEvent.type(box(), '1');
    expect(screen.queryByText('Please enter your platform ID') === null).toBe(true);
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to link'],
    [
      { status: 400, body: { success: false, error: 'That chat is linked to another account.' } },
      'That chat is linked to another account.',
    ],
    ['offline', 'Network error. Try again.'],
  ] as const)('shows why a chat was not linked: %j', async (answer, message) => {
    await show();
    server.answers[LINK] = answer;
    await userEvent.type(box(), '123');
    await link();
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    expect(box().value).toBe('123');
  });
});

describe('the help', () => {
  const help = async () => {
    await show();
    return screen.getByRole('heading', { name: 'Finding your ID' }).parentElement as HTMLElement;
  };

  test('explains /user_id, names the bots, and marks a platform that is not set up', async () => {
    const text = await help();
    await within(text).findByRole('link', { name: '@bellbird_bot' });
    expect(text.textContent).toContain('send the /user_id command to the bot');
    expect(text.textContent).toContain('/link');
    expect(text.textContent).toContain('Discord: not set up on this server.');
    expect(within(text).getByRole('link').getAttribute('href')).toBe('https://t.me/bellbird_bot');
  });

  test('shows that no platform is set up', async () => {
    const none = { configured: false, name: null };
    server.answers['GET /api/settings/chat-bots'] = { body: { telegram: none, discord: none } };
    const text = await help();
    await within(text).findByText(/No chat app is set up on this server/);
    expect(text.textContent).toContain('Ask the administrator to set up a Telegram or Discord bot.');
    // Shown before the user types an ID.
    expect(screen.getByText(/no Telegram chat can be linked/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Link' })).toHaveProperty('disabled', true);
  });
});
