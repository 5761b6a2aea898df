import { expect, test } from 'bun:test';
import { createTestApp } from '../support/testApp.ts';

const TELEGRAM = { BELLBIRD_TELEGRAM_TOKEN: '1234567:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp' };

test('a channel that the bot was removed from is a notice until the bot is back', async () => {
  const app = createTestApp({ env: TELEGRAM });
  const { channels, notices } = app.parts;
  const { id } = await app.user('admin');
  const add = (name: string, more: object) =>
    channels.service.add(id, { name, platform: 'telegram', ...more });
  add('Traders', { chatId: '-1001' });
  add('Quiet', { chatId: '-1002', subscribed: false });
  const membership = (chatId: string, isIn: boolean) =>
    channels.service.heard({ kind: 'membership', chatId, chatName: null, isIn });
  const listed = () => {
    notices.service.look();
    return notices.service.list().map(({ key, detail }) => [key, detail]);
  };
  expect(listed()).toEqual([]);
  membership('-1001', false);
  // Nothing is sent there.
  membership('-1002', false);
  expect(listed()).toEqual([
    ['channels', 'Traders (Telegram): The bot is no longer in this Telegram chat. Add it again.'],
  ]);
  membership('-1001', true);
  expect(listed()).toEqual([]);
  app.close();
});
