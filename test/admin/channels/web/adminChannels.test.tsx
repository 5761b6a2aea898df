import { describe, expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Channels } from '#admin/channels/web/Channels.tsx';
import '#admin/channels/web/RecentMessages.tsx';
import '#ui/ConfirmDialog.tsx';
import { results } from '#support/axe.ts';
import { adminApi } from '#support/adminApi.ts';

const LIST = 'GET /api/admin/channels';
const SENT = 'GET /api/admin/channels/broadcasts';

const aChannel = (change: object = {}) => ({
  id: 1,
  name: 'News',
  platform: 'discord',
  chatId: '1234567890123456789',
  subscribed: 1,
  sendDaily: 0,
  created_at: '2026-11-18T00:00:00.000Z',
  ...change,
});
const outcome = (change: object = {}) => ({
  channelId: 1,
  name: 'News',
  status: 'sent',
  reason: null,
  mayRepeat: false,
  sentAt: '2026-11-18T00:00:00Z',
  ...change,
});

const server = adminApi(() => ({ [SENT]: { body: { broadcasts: [] } }, [LIST]: { body: { channels: [] } } }));

async function show(channels: readonly unknown[]): Promise<void> {
  server.answers[LIST] = { body: { channels } };
  render(<Channels />);
  if (channels.length > 0) await screen.findByRole('table', { name: 'Channels' });
  else await screen.findByText('No channels yet.');
}
const compose = async () => {
  await userEvent.click(screen.getByText('Compose Message'));
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
const alertText = async () => (await screen.findByRole('alert')).textContent;

describe('the list', () => {
  test('loads, offers Retry if it fails, and shows a sentence if it is empty', async () => {
    server.answers[LIST] = { status: 500, body: {} };
    render(<Channels />);
    expect(screen.getByRole('status', { name: 'Loading channels…' })).toBeTruthy();
    expect(await alertText()).toContain('Failed to load channels');
    await compose();
    expect(screen.getByText('The channels could not be loaded.')).toBeTruthy();
    expect(screen.queryByText('Add a channel below first.')).toBeNull();
    server.answers[LIST] = { body: [] };
    await userEvent.click(button('Retry'));
    expect(await screen.findByText('No channels yet.')).toBeTruthy();
  });

  test('shows the status of each channel', async () => {
    const skipped = { date: '2026-11-18', status: 'skipped', reason: 'There were no current prices.' };
    await show([
      aChannel({ sendDaily: 1, summary: skipped }),
      aChannel({
        id: 2,
        name: 'Group',
        platform: 'telegram',
        chatId: '-1001',
        broken: 'The bot was thrown out.',
      }),
      aChannel({ id: 3, name: 'Lost', chatId: null, hasBot: false }),
    ]);
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getByRole('rowheader').textContent?.replace(' 2026', ''));
    expect(rows).toEqual([
      'NewsSummary of 18 Nov: SkippedThere were no current prices.',
      'GroupNot delivered The bot was thrown out.',
      'LostChannel is missing a chat ID.Discord is not set up on this server.',
    ]);
    expect(button('Recent messages of Lost').disabled).toBe(true);
    expect(button('Recent messages of Lost').title).toBe('Channel is missing a chat ID.');
    expect(button('Recent messages of Group').disabled).toBe(false);
    expect(await results(document.body)).toEqual([]);
  });

  test.each([
    ['subscribed', 'News: subscribed', 'Failed to update subscription', { subscribed: 0 }],
    ['sendDaily', 'News: send daily', 'Failed to update daily setting', { sendDaily: 1 }],
  ])('%s switches at once, and back if the server refuses', async (_, name, sentence, body) => {
    await show([aChannel()]);
    const before = toggle(name).checked;
    let answer = (_reply: { status: number; body: object }): void => undefined;
    server.answers['PUT /api/admin/channels/1'] = () => new Promise((resolve) => (answer = resolve));
    await userEvent.click(toggle(name));
    expect(toggle(name).checked).toBe(!before);
    answer({ status: 500, body: {} });
    expect(await alertText()).toContain(sentence);
    expect(toggle(name).checked).toBe(before);
    expect(server.to('/api/admin/channels/1')[0]?.body).toEqual(body);
  });

  test('asks before it deletes a channel, and reports a failure', async () => {
    await show([aChannel()]);
    await userEvent.click(button('Delete News'));
    const dialog = await screen.findByRole('dialog', { name: 'Delete channel "News"?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(server.to('/api/admin/channels/1')).toEqual([]);
    server.answers['DELETE /api/admin/channels/1'] = { status: 500, body: {} };
    await userEvent.click(button('Delete News'));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await alertText()).toContain('Failed to delete channel');
    server.answers['DELETE /api/admin/channels/1'] = { body: { success: true } };
    await userEvent.click(button('Delete News'));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No channels yet.')).toBeTruthy();
  });
});

test('a new channel needs a name and an ID, starts as Discord, and keeps its input when refused', async () => {
  await show([]);
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const chatId = screen.getByRole<HTMLInputElement>('textbox', { name: 'Chat ID' });
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Platform' }).value).toBe('discord');
  expect(button('Add Channel').disabled).toBe(true);
  await userEvent.type(name, 'News');
  expect(button('Add Channel').disabled).toBe(true);
  await userEvent.type(chatId, '123');
  await userEvent.click(button('Add Channel'));
  expect(await screen.findByText(/^Enter a Discord channel ID/)).toBeTruthy();
  await userEvent.type(chatId, '4567890123456789');
  server.answers['POST /api/admin/channels'] = { status: 500, body: {} };
  await userEvent.click(button('Add Channel'));
  expect(await alertText()).toBe('Failed to create channel');
  expect([name.value, chatId.value]).toEqual(['News', '1234567890123456789']);
  server.answers['POST /api/admin/channels'] = { body: { channel: aChannel() } };
  server.answers[LIST] = { body: { channels: [aChannel()] } };
  await userEvent.click(button('Add Channel'));
  await screen.findByRole('table', { name: 'Channels' });
  expect(server.to('/api/admin/channels').findLast(({ method }) => method === 'POST')?.body).toEqual({
    name: 'News',
    platform: 'discord',
    chatId: '1234567890123456789',
    subscribed: 1,
  });
  expect(name.value).toBe('');
});

describe('a message', () => {
  test('needs a text and a subscribed channel', async () => {
    await show([aChannel(), aChannel({ id: 2, name: 'Quiet', subscribed: 0 })]);
    const box = await compose();
    await userEvent.click(button('Send'));
    expect(await screen.findByText('Message cannot be empty.')).toBeTruthy();
    expect(document.activeElement).toBe(box);
    await userEvent.type(box, 'Hello');
    await userEvent.click(button('Send'));
    expect(await alertText()).toBe('Select at least one channel.');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Quiet/ }).disabled).toBe(true);
    expect(server.to('/api/admin/channels/broadcast')).toEqual([]);
  });

  test('is followed until each delivery is settled', async () => {
    const broadcast = (results: object[]) => ({
      broadcasts: [{ id: 1, message: 'Hello', sentAt: '2026-11-18T00:00:00Z', by: 'boss', results }],
    });
    server.answers[SENT] = {
      body: broadcast([
        outcome(),
        outcome({
          name: 'Group',
          channelId: 2,
          status: 'waiting',
          reason: 'Telegram asked to wait.',
          sentAt: null,
        }),
      ]),
    };
    await show([aChannel()]);
    await compose();
    await screen.findByText('Telegram asked to wait.');
    server.answers[SENT] = {
      body: broadcast([outcome(), outcome({ name: 'Group', channelId: null, mayRepeat: true })]),
    };
    const texts = () =>
      [...document.querySelectorAll('.broadcast-list ul li')].map((item) => item.textContent);
    await waitFor(() => expect(texts()[1]).toContain('Sent'), { timeout: 5000 });
    expect(texts()[0]).toMatch(/^NewsSent18 Nov(?: 2026)? 11:00$/);
    expect(texts()[1]).toContain('It may appear twice');
    expect(await results(document.body)).toEqual([]);
  });
});

test('recent messages are plain text, with attachments by name, and say what is missing', async () => {
  await show([aChannel()]);
  const url = '/api/admin/channels/1/messages';
  server.answers[`GET ${url}`] = { status: 500, body: {} };
  await userEvent.click(button('Recent messages of News'));
  const dialog = await screen.findByRole('dialog', { name: 'Recent messages of News' });
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Failed to load messages');
  const author = { id: '5', display_name: null, username: 'anna' };
  const attachments = [
    { id: '1', name: 'chart.png', content_type: 'image/png', url: 'https://cdn.test/1' },
    { id: '2', name: 'evil.txt', content_type: null, url: 'javascript:alert(1)' },
  ];
  const messages = [
    { message_id: '1', timestamp: '2026-11-18T00:00:00Z', author, content: '<b>x</b>', attachments },
  ];
  server.answers[`GET ${url}`] = { body: { messages, channel: aChannel(), note: 'Only since it began.' } };
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
  expect(await within(dialog).findByText('<b>x</b>')).toBeTruthy();
  expect(within(dialog).getByText('Only since it began.')).toBeTruthy();
  expect(within(dialog).getByText('anna')).toBeTruthy();
  expect(
    within(dialog)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['chart.png']);
  expect(within(dialog).getByText('evil.txt')).toBeTruthy();
});
